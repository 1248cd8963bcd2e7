/// Cuts text at white space and nowhere else.
public struct WhitespaceTokenizer: Tokenizer, ByteTokenizer, Hashable {
    /// Creates the tokenizer, which has no settings.
    public init() {}

    /// The stored name and version: "whitespace-1".
    public var identity: String { "whitespace-1" }

    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        var start = 0
        var index = 0
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            if Self.isSpace(scalar) {
                if index > start { body(start..<index, false) }
                start = index + length
            }
            index += length
        }
        if index > start { body(start..<index, false) }
    }

    /// The property White_Space, which Unicode keeps stable.
    static func isSpace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
            0x3000:
            true
        default: false
        }
    }
}

/// Takes each string as one word, for codes, tags and titles that are compared as a whole. White
/// space at its ends is ignored.
///
/// If a string folds to more than 255 bytes, its beginning is the word.
public struct WholeStringTokenizer: Tokenizer, ByteTokenizer, Hashable {
    /// Creates the tokenizer, which has no settings.
    public init() {}

    /// The stored name and version: "whole string-1".
    public var identity: String { "whole string-1" }

    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        var first: Int?
        var end = 0
        WhitespaceTokenizer().forEachWord(inBytes: text) { range, _ in
            if first == nil { first = range.lowerBound }
            end = range.upperBound
        }
        if let first { body(first..<end, false) }
    }
}

/// Cuts words into all runs of so many characters, the longest first at each offset.
public struct NGramTokenizer: Tokenizer, ByteTokenizer, Hashable {
    /// How many characters a run may have.
    public let lengths: ClosedRange<Int>

    /// Creates a tokenizer for runs of some lengths.
    ///
    /// - Parameter lengths: how many characters a run has; at least 1.
    public init(_ lengths: ClosedRange<Int>) {
        let lower = max(lengths.lowerBound, 1)
        self.lengths = lower...max(lengths.upperBound, lower)
    }

    /// The stored name and version: "ngrams-1" and the lengths.
    public var identity: String { "ngrams-1 \(lengths.lowerBound)-\(lengths.upperBound)" }

    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        WholeWords.forEach(in: text) { word in
            let ends = WholeWords.characterEnds(of: word, in: text)
            for first in ends.indices {
                let start = first == 0 ? word.lowerBound : ends[first - 1]
                let left = ends.count - first
                // A word that is shorter than all runs is one.
                if left < lengths.lowerBound, first > 0 { return }
                let longest = min(lengths.upperBound, left)
                for length in stride(
                    from: longest, through: min(lengths.lowerBound, longest), by: -1)
                {
                    body(start..<ends[first + length - 1], false)
                }
            }
        }
    }
}

/// Cuts words into their beginnings, the longest first, for completion while typing. A query looks
/// for the longest beginning of each word that may be indexed: all of it, or as many characters as
/// ``lengths`` allow.
public struct EdgePrefixTokenizer: Tokenizer, ByteTokenizer, Hashable {
    /// How many characters a beginning may have.
    public let lengths: ClosedRange<Int>

    /// Creates a tokenizer for beginnings of some lengths.
    ///
    /// - Parameter lengths: how many characters a beginning has; at least 1.
    public init(_ lengths: ClosedRange<Int>) {
        let lower = max(lengths.lowerBound, 1)
        self.lengths = lower...max(lengths.upperBound, lower)
    }

    /// The stored name and version: "prefixes-1" and the lengths.
    public var identity: String { "prefixes-1 \(lengths.lowerBound)-\(lengths.upperBound)" }

    /// A tokenizer that cuts text into the longest beginnings only.
    public var queryTokenizer: any Tokenizer { LongestPrefixTokenizer(length: lengths.upperBound) }

    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        WholeWords.forEach(in: text) { word in
            let ends = WholeWords.characterEnds(of: word, in: text)
            let longest = min(lengths.upperBound, ends.count)
            for length in stride(from: longest, through: min(lengths.lowerBound, longest), by: -1)
            where length > 0 {
                body(word.lowerBound..<ends[length - 1], false)
            }
        }
    }
}

/// Whole words, cut where the longest beginnings that are indexed end.
private struct LongestPrefixTokenizer: ByteTokenizer {
    let length: Int
    var identity: String { "longest prefixes-1 \(length)" }

    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        WholeWords.forEach(in: text) { word in
            let ends = WholeWords.characterEnds(of: word, in: text)
            guard let end = ends.prefix(length).last else { return }
            body(word.lowerBound..<end, false)
        }
    }
}
