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
    let matches: [Match]
    let snippets: [FieldSnippet]
    /// Why the text is not shown; nil if it is.
    let note: String?

    /// Makes a hit ready: finds its text, and cuts snippets of it.
    init(_ item: SearchResultItem<Record>, rank: Int, source: SourceText, maker: SnippetMaker) {
        self.item = item
        self.rank = rank
        title = Origin(item.context)?.title
        let text = source.text(of: item)
        let strings = text.strings
        var matches: [Match] = []
        var ranges = Array(repeating: [Range<String.Index>](), count: strings.count)
        for token in item.resultTokens {
            var match = Match(token: token, range: item.range(of: token))
            if strings.indices.contains(token.string) {
                let string = strings[token.string]
                // Beginnings may end before a match, or inside it.
                if NSMaxRange(match.range) <= string.utf16.count,
                    let range = item.range(of: token, in: string)
                {
                    match.text = String(string[range])
                    ranges[token.string].append(range)
                }
            }
            matches.append(match)
        }
        self.matches = matches
        snippets = Self.snippets(of: strings, ranges, maker)
        note =
            switch text {
            case .strings: nil
            case .beginnings where !ranges.allSatisfy(\.isEmpty) || matches.isEmpty: nil
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
