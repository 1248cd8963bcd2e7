/// Cuts text into words.
///
/// Words come in text order. Words that begin at the same place share a position; the longest of them comes first, and it is the one
/// that a query asks for. What comes out of order or lies outside the text is left out; a range that cuts a scalar is widened to all
/// of it.
///
/// ```swift
/// struct LineTokenizer: Tokenizer {
///     let identity = "lines-1"
///     func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
///         for line in text.split(separator: "\n") { body(line.startIndex..<line.endIndex) }
///     }
/// }
/// ```
public protocol Tokenizer: Sendable {
    /// What is stored with an index and compared when it is opened: names the tokenizer, its settings and its version.
    ///
    /// Two tokenizers of one identity must give the same words, on every machine.
    var identity: String { get }

    /// What cuts the text of queries; by default the tokenizer itself.
    var queryTokenizer: any Tokenizer { get }

    /// Calls `body` with the place of each word.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - body: takes a word's range in `text`, which should hold whole characters.
    func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void)
}

extension Tokenizer {
    /// The tokenizer itself.
    public var queryTokenizer: any Tokenizer { self }
}

/// Changes or drops words after they are folded. Stop words are left out before, and are not shown to it.
///
/// ```swift
/// struct PluralFilter: TermFilter {
///     let identity = "plurals-1"
///     func filter(_ term: String) -> String? { term.hasSuffix("s") ? String(term.dropLast()) : term }
/// }
/// ```
public protocol TermFilter: Sendable {
    /// What is stored with an index and compared when it is opened: names the filter, its settings and its version.
    var identity: String { get }

    /// What to index instead of a folded word.
    ///
    /// - Parameter term: the folded word.
    /// - Returns: Another term, of which any match shows the whole word; the same one; or nil (or nothing) to drop the word, whose
    ///   position stays empty, as that of a stop word does. U+0000 is left out of it; what is more than 255 bytes of UTF-8 is cut
    ///   behind a whole character.
    func filter(_ term: String) -> String?
}

/// A tokenizer that works on bytes.
protocol ByteTokenizer: Tokenizer {
    /// Calls `body` with the UTF-8 range of each word, and whether the next word overlaps it as bigrams of scripts without spaces do.
    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void)
}

extension ByteTokenizer {
    /// Calls `body` with the place of each word.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - body: takes a word's range in `text`.
    public func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
        var native = text
        native.makeContiguousUTF8()
        var ranges: [Range<Int>] = []
        native.withUTF8 { bytes in forEachWord(inBytes: bytes) { range, _ in ranges.append(range) }
        }
        for range in ranges {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            body(start..<text.utf8.index(start, offsetBy: range.count))
        }
    }
}
