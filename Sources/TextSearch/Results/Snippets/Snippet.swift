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
        forEachPart { text, isMatch in
            var part = AttributedString(text)
            if isMatch { part[SearchMatchAttribute.self] = true }
            result += part
        }
        return result
    }

    /// Its text, with marks before and after each match.
    ///
    /// ```swift
    /// let html = snippet.marked("<b>", "</b>") { escapedForHTML($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - open: stands before each match.
    ///   - close: stands behind each match.
    ///   - escape: what becomes of the text between the marks and outside of them.
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
    /// The texts of snippets in one, with `separator` between them and where they leave out the beginning or the end of their string.
    ///
    /// - Parameter separator: stands for what is left out; white space at the ends of the result is taken away.
    /// - Returns: The text.
    public func joined(separator: String = " … ") -> String {
        joined(separator) { String($0.text) }
    }

    /// The texts of snippets in one, as ``joined(separator:)`` gives it, with marks before and after each match.
    ///
    /// - Parameters:
    ///   - open: stands before each match.
    ///   - close: stands behind each match.
    ///   - separator: stands for what is left out.
    ///   - escape: what becomes of the snippets' text.
    /// - Returns: The text.
    public func marked(
        _ open: String, _ close: String, separator: String = " … ",
        escape: (Substring) -> String = { String($0) }
    ) -> String {
        joined(separator) { $0.marked(open, close, escape: escape) }
    }

    /// The texts of snippets in one, as ``joined(separator:)`` gives it, with ``SearchMatchAttribute`` on the matches.
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
    /// Complexity: linear in the matches times `count` and times `length`; of the strings with matches only what is near to one is looked at.
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

    /// The part of the object's own strings that shows its matches best.
    ///
    /// ```swift
    /// for item in try index.search("peking duck") {
    ///     print(try item.snippet(length: .words(12))?.marked("[", "]") ?? "")
    /// }
    /// ```
    ///
    /// - Parameter length: how long it may be.
    /// - Returns: The snippet; nil when the object is gone or has no text.
    /// - Throws: What ``strings()`` throws.
    public func snippet(length: SnippetLength = .words(24)) throws -> Snippet? {
        try snippets(count: 1, length: length).first
    }
}
