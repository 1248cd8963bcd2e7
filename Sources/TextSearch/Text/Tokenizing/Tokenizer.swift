/// Cuts text into words to be indexed and searched.
///
/// Words come in text order. Words that begin at the same offset share a position; the longest
/// comes first, and queries ask for it. A word out of order or outside of the text is left out. A
/// range that cuts a scalar is widened to all of it.
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
    /// The tokenizer's name, settings and version, stored with an index and compared when it is
    /// opened.
    ///
    /// Two tokenizers with the same identity must return the same words, on every machine.
    var identity: String { get }

    /// The tokenizer for the text of queries; by default the tokenizer itself.
    var queryTokenizer: any Tokenizer { get }

    /// Calls `body` with the range of each word.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - body: takes a word's range in `text`, which should hold whole characters.
    func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void)
}

extension Tokenizer {
    /// The tokenizer itself, as for indexed text.
    public var queryTokenizer: any Tokenizer { self }
}

/// Changes or drops words after folding. Stop words are left out before and are not passed to it.
///
/// ```swift
/// struct PluralFilter: TermFilter {
///     let identity = "plurals-1"
///     func filter(_ term: String) -> String? {
///         term.hasSuffix("s") ? String(term.dropLast()) : term
///     }
/// }
/// ```
public protocol TermFilter: Sendable {
    /// The filter's name, settings and version, stored with an index and compared when it is
    /// opened.
    var identity: String { get }

    /// Returns what to index instead of a folded word.
    ///
    /// - Parameter term: the folded word.
    /// - Returns: Another term, whose matches show the whole word; the same one; or nil or an empty
    ///   text to drop the word. The position of a dropped word stays empty, as that of a stop word
    ///   does. U+0000 is removed, and a term of more than 255 bytes of UTF-8 is cut after a whole
    ///   character.
    func filter(_ term: String) -> String?
}

/// A tokenizer that works on bytes.
protocol ByteTokenizer: Tokenizer {
    /// Calls `body` with the UTF-8 range of each word, and whether the next word overlaps it as
    /// bigrams of scripts without spaces do.
    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void)
}

extension ByteTokenizer {
    /// Calls `body` with the range of each word.
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
