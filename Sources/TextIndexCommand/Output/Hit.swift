import Foundation
import TextSearch

/// A hit, ready to be shown.
struct Hit {
    /// A match in one of the object's strings.
    struct Match {
        var token: ResultToken
        /// UTF-16 range in the original string.
        var range: NSRange
        /// The matched text, if the string is at hand.
        var text: String?
    }

    /// A snippet of one of the object's strings.
    struct FieldSnippet {
        var field: Int
        var snippet: Snippet
    }

    let item: SearchResultItem<Record>
    let rank: Int
    let title: String?
    /// The first matches; `item.resultTokens` has all of them.
    let matches: [Match]
    let snippets: [FieldSnippet]
    /// Why the text is not shown; nil if it is.
    let note: String?
    /// How the score comes about, if that is asked for.
    var explanation: ScoreExplanation?

    /// How many matches snippets are chosen from.
    private static let mostForSnippets = 10_000

    /// Makes a hit ready: finds its text, and cuts snippets of it.
    ///
    /// - Parameters:
    ///   - item: what was found.
    ///   - rank: its place among the hits, from 0.
    ///   - source: finds its text.
    ///   - maker: cuts its snippets.
    ///   - matchLimit: how many matches to list.
    init(
        _ item: SearchResultItem<Record>, rank: Int, source: SourceText, maker: SnippetMaker,
        matchLimit: Int
    ) {
        self.item = item
        self.rank = rank
        title = Origin(item.context)?.title
        let text = source.text(of: item)
        let strings = text.strings
        var matches: [Match] = []
        var ranges = Array(repeating: [Range<String.Index>](), count: strings.count)
        for (number, token) in item.resultTokens.prefix(max(matchLimit, Self.mostForSnippets))
            .enumerated()
        {
            var match = Match(token: token, range: item.range(of: token))
            if strings.indices.contains(token.string) {
                let string = strings[token.string]
                // Beginnings may end before a match, or inside it.
                if NSMaxRange(match.range) <= string.utf16.count,
                    let range = item.range(of: token, in: string)
                {
                    if number < matchLimit { match.text = String(string[range]) }
                    ranges[token.string].append(range)
                }
            }
            if number < matchLimit { matches.append(match) }
        }
        self.matches = matches
        snippets = Self.snippets(of: strings, ranges, maker)
        note =
            switch text {
            case .strings: nil
            case .beginnings where !ranges.allSatisfy(\.isEmpty) || item.resultTokens.isEmpty: nil
            case .beginnings: "the match is beyond what is kept of standard input"
            case .unavailable(let reason): reason
            }
    }

    /// The identifier as text that is safe to print.
    var name: String { Printable.line(String(decoding: item.identifier, as: UTF8.self)) }

    private static func snippets(
        of strings: [String], _ ranges: [[Range<String.Index>]], _ maker: SnippetMaker
    ) -> [FieldSnippet] {
        let hasMatches = ranges.contains { !$0.isEmpty }
        var snippets: [FieldSnippet] = []
        for (field, string) in strings.enumerated() where snippets.count < maker.count {
            if hasMatches && ranges[field].isEmpty { continue }
            let room = SnippetMaker(width: maker.width, count: maker.count - snippets.count)
            for snippet in room.snippets(of: string, ranges: ranges[field]) {
                snippets.append(FieldSnippet(field: field, snippet: snippet))
            }
        }
        return snippets
    }
}

extension Sequence where Element == SearchResultItem<Record> {
    /// Has what is shown of hits read before any is shown: one whose matches cannot be read looks
    /// like one without any.
    ///
    /// - Throws: `TextIndexError`: why they cannot be read.
    func checkReadable() throws {
        for item in self {
            if let failure = item.failure { throw failure }
        }
    }
}
