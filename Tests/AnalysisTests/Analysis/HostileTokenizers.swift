import Foundation

@testable import TestSupport
@testable import TextSearch

/// Gives what a function says; the text of queries is cut as usual.
struct GivenTokenizer: Tokenizer {
    let identity = "given"
    let ranges: @Sendable (String) -> [Range<String.Index>]

    var queryTokenizer: any Tokenizer { UnicodeTokenizer() }

    func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
        ranges(text).forEach(body)
    }
}

/// Gives what a function says.
struct GivenFilter: TermFilter {
    var identity = "given"
    let map: @Sendable (String) -> String?

    func filter(_ term: String) -> String? { map(term) }
}

extension GivenTokenizer {
    /// Ranges of all kinds in what stands before "marker", and then the marker: out of order,
    /// overlapping, empty, outside, within scalars and characters. The same for the same text.
    static let random = GivenTokenizer { text in
        guard let marker = text.range(of: "marker") else { return [] }
        var random = AnalysisRandom(seed: text.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let longer = text + String(repeating: "🦆é", count: 20)
        let places = text.utf8.indices.filter { $0 <= marker.lowerBound }
        let halves = text.utf16.indices.filter { $0 <= marker.lowerBound }
        let outside = longer.utf8.indices.filter { $0 > text.endIndex }
        func place(_ all: [String.Index]) -> String.Index {
            all.randomElement(using: &random) ?? text.startIndex
        }
        var ranges: [Range<String.Index>] = []
        for step in 0..<24 {
            // Mostly in order, so that many are taken.
            let near = Array(places.dropFirst(step * places.count / 24).prefix(8))
            let (a, b) =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: (place(places), place(outside))
                case 1: (place(outside), place(outside))
                case 2: (place(halves), place(halves))
                case 3: (place(places), place(places))
                default: (place(near), place(near))
                }
            ranges.append(min(a, b)..<max(a, b))
        }
        return ranges + [marker]
    }
}

extension GivenFilter {
    /// Drops, empties, changes and blows up words, but leaves "marker" alone.
    static let random = GivenFilter { term in
        if term == "marker" { return term }
        return switch term.utf8.reduce(3, { $0 &* 31 &+ Int($1) }) & 15 {
        case 0: nil
        case 1: ""
        case 2: "\u{0}"
        case 3: "\u{0}x\u{0}y"
        case 4: String(repeating: "漢", count: 70_000)
        case 5: String(repeating: "z", count: 254) + "漢" + term
        case 6: "two words"
        case 7: String(term.unicodeScalars.prefix(1))
        case 8: "e\u{0}" + term
        case 9: String(repeating: "\u{301}", count: 300)
        default: term
        }
    }
}
