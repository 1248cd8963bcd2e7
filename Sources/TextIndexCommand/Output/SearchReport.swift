import Foundation
import TextSearch

/// The result of a search for machines: one JSON document.
///
/// Offsets and lengths count UTF-16 code units in the original string.
struct SearchReport: Encodable {
    struct Match: Encodable {
        let string: Int
        let field: String?
        let location: Int
        let length: Int
        let wordIndex: Int
        let text: String?
    }

    struct Excerpt: Encodable {
        let string: Int
        let field: String?
        let text: String
        /// The matches in `text`.
        let ranges: [TextRange]
    }

    struct TextRange: Encodable {
        let location: Int
        let length: Int
    }

    struct Diagnostic: Encodable {
        let kind: String
        let location: Int
        let length: Int
        let message: String
        let suggestions: [String]
    }

    struct Item: Encodable {
        let rank: Int
        let identifier: String
        /// The identifier's bytes in Base64, when they are not text.
        let identifierBytes: String?
        let title: String?
        let weight: Double
        let score: Double
        /// The step that found it.
        let matchedBy: String
        let matchCount: Int
        /// There where there are more, or may be.
        let hasMoreMatches: Bool?
        let matches: [Match]
        let snippets: [Excerpt]
        let note: String?
        let explanation: ScoreExplanation?
    }

    let query: String
    let mode: String
    let total: Int
    let isTotalExact: Bool
    let isComplete: Bool
    /// The steps that were taken.
    let steps: [String]
    let notes: [String]
    /// Where in the query what was read otherwise than it may have been meant.
    let diagnostics: [Diagnostic]
    let offset: Int
    let seconds: Double
    let hits: [Item]
    let facets: [FacetReport]

    init(
        query: String, page: Finder.Page, offset: Int, seconds: Double, hits: [Hit],
        fields: [String]
    ) {
        self.query = query
        mode = page.mode.rawValue
        total = page.total
        isTotalExact = page.isExact
        isComplete = page.isComplete
        steps = page.steps.names
        notes = page.notes
        diagnostics = page.diagnostics.map { diagnostic in
            let range = diagnostic.range(in: query).map { NSRange($0, in: query) }
            return Diagnostic(
                kind: diagnostic.kind.rawValue, location: range?.location ?? 0,
                length: range?.length ?? 0, message: diagnostic.message,
                suggestions: diagnostic.suggestions)
        }
        self.offset = offset
        self.seconds = seconds
        facets = page.facets.map { FacetReport($0) }
        self.hits = hits.map { Item($0, fields: fields) }
    }
}

extension SearchReport.Item {
    init(_ hit: Hit, fields: [String]) {
        func name(_ field: Int) -> String? { fields.indices.contains(field) ? fields[field] : nil }
        let text = String(validating: hit.item.identifier, as: UTF8.self)
        rank = hit.rank
        identifier = text ?? String(decoding: hit.item.identifier, as: UTF8.self)
        identifierBytes = text == nil ? hit.item.identifier.base64EncodedString() : nil
        title = hit.title
        weight = hit.item.weight
        score = hit.item.score
        matchedBy = hit.item.matchedBy.description
        matchCount = hit.item.resultTokens.count
        hasMoreMatches = hit.item.hasMoreMatches ? true : nil
        matches = hit.matches.map {
            SearchReport.Match(
                string: $0.token.string, field: name($0.token.string),
                location: $0.range.location, length: $0.range.length,
                wordIndex: $0.token.wordIndex, text: $0.text)
        }
        snippets = hit.snippets.map {
            SearchReport.Excerpt(
                string: $0.field, field: name($0.field), text: $0.snippet.text,
                ranges: SearchReport.ranges($0.snippet))
        }
        note = hit.note
        explanation = hit.explanation
    }
}

extension SearchReport {
    fileprivate static func ranges(_ snippet: Snippet) -> [TextRange] {
        var location = 0
        var ranges: [TextRange] = []
        for piece in snippet.pieces {
            let length = piece.text.utf16.count
            if piece.isMatch { ranges.append(TextRange(location: location, length: length)) }
            location += length
        }
        return ranges
    }
}
