/// Words of ASCII characters that were cut and folded and are not looked up yet.
///
/// The term table of a segment is larger than the first cache, and shares the second with the text
/// and the log. Looked up one by one, between the branches of cutting, words would wait for memory
/// one by one. In a batch the slot of each is fetched while those behind it are cut.
struct WordBatch: ~Copyable {
    static let size = 32

    struct Word: BitwiseCopyable {
        var probe: TermTable.Probe
        /// Where it stands in the text.
        var start: Int
        var end: Int
        var utf16Start: Int
        /// Where its term stands in the bytes of the batch.
        var offset: Int
        var length: Int
    }

    // Not private: Swift 6.3.1 crashes on a private element of a buffer in a noncopyable type.
    var words: Buffer<Word>
    private var bytes: Buffer<UInt8>

    /// With room for so many words at first.
    init(capacity: Int = WordBatch.size) {
        words = Buffer(capacity: capacity)
        bytes = Buffer(capacity: capacity * TermTable.maximumTermLength + TermTable.scratchLength)
    }

    var count: Int { words.count }
    var isFull: Bool { words.count == Self.size }

    @inline(__always)
    subscript(place: Int) -> Word { words[place] }

    /// Room for the term of the next word.
    @inline(__always)
    mutating func scratch() -> UnsafeMutablePointer<UInt8> {
        bytes.tail(room: TermTable.scratchLength)
    }

    /// Adds the word of the text in `range`, whose term of `length` bytes was written to
    /// `scratch()`.
    @inline(__always)
    mutating func add(
        _ length: Int, at range: Range<Int>, utf16Start: Int, toLookUpIn terms: borrowing TermTable
    ) {
        let probe = terms.probe(UnsafePointer(scratch()), length)
        terms.prefetch(probe)
        words.append(
            Word(
                probe: probe, start: range.lowerBound, end: range.upperBound,
                utf16Start: utf16Start, offset: bytes.count, length: length))
        bytes.commit(length)
    }

    /// Lends the `length` bytes of a word's term, and eight that may be read behind them.
    @inline(__always)
    borrowing func withTerm<R>(of word: Word, _ body: (UnsafePointer<UInt8>) -> R) -> R {
        bytes.withMemory(from: word.offset, count: word.length, body)
    }

    mutating func removeAll() {
        words.removeAll()
        bytes.removeAll()
    }
}
