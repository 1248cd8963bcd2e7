public import Foundation

/// How long a snippet may be.
public enum SnippetLength: Sendable, Hashable {
    /// So many words; in scripts without spaces a character counts as one.
    case words(Int)
    /// So many characters; a longer word is cut.
    case characters(Int)
}

/// A part of a string that shows what a search matched.
public struct Snippet: Sendable, Hashable {
    /// Which of the strings it is a part of.
    public let string: Int
    /// Where it stands in the string: from the start of a word to the end of one, on whole characters.
    public let range: Range<String.Index>
    /// The matches in it, as places in the whole string.
    public let highlights: [Highlight]
    /// How many different words or patterns of the query it shows; from the 65th on some count as one.
    public let distinctMatchCount: Int
    private let source: String

    init(
        of source: String, at string: Int, _ range: Range<String.Index>, _ matches: [LocatedMatch]
    ) {
        self.source = source
        self.string = string
        self.range = range
        var clauses: UInt64 = 0
        highlights = matches.compactMap { match in
            let shown = match.highlight.range.clamped(to: range)
            guard !shown.isEmpty else { return nil }
            clauses |= match.clauses
            return shown == match.highlight.range ? match.highlight : Highlight(shown, in: source)
        }
        distinctMatchCount = clauses.nonzeroBitCount
    }

    /// Its text.
    public var text: Substring { source[range] }

    /// Whether it starts where its string does.
    public var isAtStart: Bool { range.lowerBound == source.startIndex }

    /// Whether it ends where its string does.
    public var isAtEnd: Bool { range.upperBound == source.endIndex }

    /// Its text, with ``SearchMatchAttribute`` on the matches.
    ///
    /// ```swift
    /// for (isMatch, range) in snippet.attributed.runs[SearchMatchAttribute.self] where isMatch == true {
    ///     text[range].font = .boldSystemFont(ofSize: 12)
    /// }
    /// ```
    public var attributed: AttributedString {
        var result = AttributedString()
        var place = range.lowerBound
        for highlight in highlights {
            result += AttributedString(source[place..<highlight.range.lowerBound])
            var match = AttributedString(source[highlight.range])
            match[SearchMatchAttribute.self] = true
            result += match
            place = highlight.range.upperBound
        }
        return result + AttributedString(source[place..<range.upperBound])
    }
}

/// Marks what a search matched in ``Snippet/attributed``.
public enum SearchMatchAttribute: AttributedStringKey {
    /// True on matches.
    public typealias Value = Bool
    /// The attribute's name.
    public static let name = "TextSearch.match"
}

extension SearchResultItem {
    /// The parts of an object's strings that show its matches best.
    ///
    /// One after the other is chosen: what shows the most words of the query that none chosen before shows, then the most different
    /// words, then the most matches, then what comes first. Without matches it is the beginning of the first string that has words.
    ///
    /// Complexity: linear in the strings looked at, and in the matches times `count`.
    ///
    /// - Parameters:
    ///   - strings: the strings as they were indexed.
    ///   - count: how many snippets to give at most.
    ///   - length: how long each may be.
    /// - Returns: The snippets, in text order; no two overlap.
    public func snippets(
        from strings: [String], count: Int = 1, length: SnippetLength = .words(24)
    ) -> [Snippet] {
        var chooser = SnippetChooser(strings, locatedMatches(in: strings), length)
        return chooser.choose(count)
    }

    /// The parts of the object's own strings that show its matches best, as ``snippets(from:count:length:)`` gives them.
    ///
    /// - Parameters:
    ///   - count: how many snippets to give at most.
    ///   - length: how long each may be.
    /// - Returns: The snippets, in text order; no two overlap.
    /// - Throws: What ``strings()`` throws.
    public func snippets(
        count: Int = 1, length: SnippetLength = .words(24)
    ) throws -> [Snippet] {
        snippets(from: try strings(), count: count, length: length)
    }
}
