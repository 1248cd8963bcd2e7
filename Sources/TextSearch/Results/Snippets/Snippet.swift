public import Foundation

/// How long a snippet may be.
public enum SnippetLength: Sendable, Hashable {
    /// A number of words; in scripts without spaces a character counts as one.
    case words(Int)
    /// A number of characters; a longer word is cut.
    case characters(Int)
}

/// A range of a string that shows what a search matched.
public struct Snippet: Sendable, Hashable {
    /// The index of its string among the object's strings.
    public let string: Int
    /// The range in the string, from the start of a word to the end of one, of whole characters.
    public let range: Range<String.Index>
    /// The matches in the snippet, as ranges of the whole string.
    public let highlights: [Highlight]
    /// How many different words or patterns of the query it shows. Beyond 64, some count as one.
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

    /// The text of the snippet, without marks.
    public var text: Substring { source[range] }

    /// Whether it begins where its string does.
    public var isAtStart: Bool { range.lowerBound == source.startIndex }

    /// Whether it ends where its string does.
    public var isAtEnd: Bool { range.upperBound == source.endIndex }

    /// The text of the snippet, with ``SearchMatchAttribute`` on the matches.
    ///
    /// ```swift
    /// for (isMatch, range) in snippet.attributed.runs[SearchMatchAttribute.self]
    /// where isMatch == true {
    ///     text[range].font = .boldSystemFont(ofSize: 12)
    /// }
    /// ```
    public var attributed: AttributedString {
        var result = AttributedString()
        forEachPart { text, isMatch in
            var part = AttributedString(text)
            if isMatch { part[SearchMatchAttribute.self] = true }
            result += part
        }
        return result
    }

    /// Returns the text of the snippet, with marks before and after each match.
    ///
    /// ```swift
    /// let html = snippet.marked("<b>", "</b>") { escapedForHTML($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - open: the mark before each match.
    ///   - close: the mark after each match.
    ///   - escape: transforms the text between the marks and outside of them.
    /// - Returns: The text.
    public func marked(
        _ open: String, _ close: String,
        escape: (Substring) -> String = { String($0) }
    ) -> String {
        var result = ""
        forEachPart { text, isMatch in
            result += isMatch ? open : ""
            result += escape(text)
            result += isMatch ? close : ""
        }
        return result
    }

    /// Calls `body` with the matches and what lies between them.
    private func forEachPart(_ body: (Substring, _ isMatch: Bool) -> Void) {
        var place = range.lowerBound
        for highlight in highlights {
            if place < highlight.range.lowerBound {
                body(source[place..<highlight.range.lowerBound], false)
            }
            body(source[highlight.range], true)
            place = highlight.range.upperBound
        }
        if place < range.upperBound { body(source[place..<range.upperBound], false) }
    }
}

extension Sequence where Element == Snippet {
    /// Returns the texts of snippets joined by `separator`, which also shows a beginning or end of
    /// a string that is left out.
    ///
    /// - Parameter separator: stands for what is left out; white space at the ends of the result is
    ///   removed.
    /// - Returns: The text.
    public func joined(separator: String = " … ") -> String {
        joined(separator) { String($0.text) }
    }

    /// Returns the texts of snippets as ``joined(separator:)`` does, with marks before and after
    /// each match.
    ///
    /// - Parameters:
    ///   - open: the mark before each match.
    ///   - close: the mark after each match.
    ///   - separator: stands for what is left out.
    ///   - escape: transforms the snippets' text.
    /// - Returns: The text.
    public func marked(
        _ open: String, _ close: String, separator: String = " … ",
        escape: (Substring) -> String = { String($0) }
    ) -> String {
        joined(separator) { $0.marked(open, close, escape: escape) }
    }

    /// Returns the texts of snippets as ``joined(separator:)`` does, with ``SearchMatchAttribute``
    /// on the matches.
    ///
    /// - Parameter separator: stands for what is left out.
    /// - Returns: The text.
    public func attributed(separator: String = " … ") -> AttributedString {
        var result = AttributedString()
        forEachPiece(separator) { piece in
            switch piece {
            case .separator(let text): result += AttributedString(text)
            case .snippet(let snippet): result += snippet.attributed
            }
        }
        return result
    }

    private func joined(
        _ separator: String, _ text: (Snippet) -> String
    ) -> String {
        var result = ""
        forEachPiece(separator) { piece in
            switch piece {
            case .separator(let text): result += text
            case .snippet(let snippet): result += text(snippet)
            }
        }
        return result
    }

    private func forEachPiece(
        _ separator: String, _ body: (SnippetPiece) -> Void
    ) {
        var last: Snippet?
        for snippet in self {
            if last != nil {
                body(.separator(separator))
            } else if !snippet.isAtStart {
                body(.separator(String(separator.drop(while: \.isWhitespace))))
            }
            body(.snippet(snippet))
            last = snippet
        }
        if let last, !last.isAtEnd {
            let end = separator.lastIndex { !$0.isWhitespace }
            body(.separator(end.map { String(separator[...$0]) } ?? ""))
        }
    }
}

/// What snippets in one text are made of.
private enum SnippetPiece {
    case separator(String)
    case snippet(Snippet)
}

/// Marks what a search matched in ``Snippet/attributed``.
public enum SearchMatchAttribute: AttributedStringKey {
    /// The value of the attribute: true on matches.
    public typealias Value = Bool
    /// The name of the attribute in attributed strings.
    public static let name = "TextSearch.match"
}

extension SearchResultItem {
    /// Returns the ranges of an object's strings that show its matches best.
    ///
    /// They are chosen one after the other: each prefers the most words of the query not shown yet,
    /// then the most different words, then the most matches, then the earliest. Without matches it
    /// is the beginning of the first string that has words.
    ///
    /// Complexity: linear in the matches times `count` and times `length`. Only text near matches
    /// is examined.
    ///
    /// - Parameters:
    ///   - strings: the strings as they were indexed.
    ///   - count: the maximum number of snippets.
    ///   - length: how long each may be.
    /// - Returns: The snippets, in text order; no two overlap.
    public func snippets(
        from strings: [String], count: Int = 1, length: SnippetLength = .words(24)
    ) -> [Snippet] {
        var chooser = SnippetChooser(strings, locatedMatches(in: strings), length)
        return chooser.choose(count)
    }

    /// Returns the ranges of the object's own strings that show its matches best, as
    /// ``snippets(from:count:length:)`` does.
    ///
    /// - Parameters:
    ///   - count: the maximum number of snippets.
    ///   - length: how long each may be.
    /// - Returns: The snippets, in text order; no two overlap.
    /// - Throws: What ``strings()`` throws.
    public func snippets(
        count: Int = 1, length: SnippetLength = .words(24)
    ) throws -> [Snippet] {
        snippets(from: try strings(), count: count, length: length)
    }

    /// Returns the range of the object's own strings that shows its matches best.
    ///
    /// ```swift
    /// for item in try index.search("peking duck") {
    ///     print(try item.snippet(length: .words(12))?.marked("[", "]") ?? "")
    /// }
    /// ```
    ///
    /// - Parameter length: how long it may be.
    /// - Returns: The snippet; nil if the object is gone or has no text.
    /// - Throws: What ``strings()`` throws.
    public func snippet(length: SnippetLength = .words(24)) throws -> Snippet? {
        try snippets(count: 1, length: length).first
    }
}
