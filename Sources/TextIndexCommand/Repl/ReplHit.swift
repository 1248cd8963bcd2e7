import Foundation
import TextSearch

/// A hit as the screen shows it.
struct ReplHit: Equatable, Sendable {
    /// A line of its text, with the field that it is of.
    struct Line: Equatable, Sendable {
        var label = ""
        var pieces: [Snippet.Piece]
    }

    var name: String
    var title = ""
    /// Weight and matches.
    var facts = ""
    var lines: [Line] = []

    init(name: String, title: String = "", facts: String = "", lines: [Line] = []) {
        self.name = name
        self.title = title
        self.facts = facts
        self.lines = lines
    }

    init(_ hit: Hit, fields: [String]) {
        name = hit.name
        if let title = hit.title, title != hit.name { self.title = title }
        if hit.item.weight != 0 { facts = "weight \(Format.weight(hit.item.weight))" }
        lines = hit.snippets.map { snippet in
            let hasLabel = fields.count > 1 && fields.indices.contains(snippet.field)
            return Line(
                label: hasLabel ? fields[snippet.field] + ": " : "",
                pieces: snippet.snippet.pieces)
        }
        if let note = hit.note {
            lines.append(Line(pieces: [Snippet.Piece(text: "(\(note))", isMatch: false)]))
        }
    }
}

/// Counts by an attribute as the screen shows them.
struct ReplFacet: Equatable, Sendable {
    struct Bucket: Equatable, Sendable {
        var name: String
        var count: Int
    }

    var name: String
    var buckets: [Bucket]

    init(name: String, buckets: [Bucket]) {
        self.name = name
        self.buckets = buckets
    }

    init(_ counts: FacetCounts<Record>) {
        let report = FacetReport(counts)
        name = counts.facet.attribute
        buckets = report.buckets.map { Bucket(name: $0.name, count: $0.count) }
    }
}
