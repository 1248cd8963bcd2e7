/// Words of ASCII characters that were cut and folded and are not looked up yet.
///
/// The term table of a segment is larger than the nearest caches. Looked up one by one, between the branches of cutting, words would wait for
/// memory one by one. In a batch the slot of each is fetched while those behind it are cut.
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
    var words = Buffer<Word>(capacity: WordBatch.size)
    private var bytes = Buffer<UInt8>(
        capacity: WordBatch.size * TermTable.maximumTermLength + WordBatch.room)

    /// A term, and what must be readable behind it.
    private static let room = TermTable.maximumTermLength + 9

    var count: Int { words.count }
    var isFull: Bool { words.count == Self.size }

    @inline(__always)
    subscript(place: Int) -> Word { words[place] }

    /// Room for the term of the next word.
    @inline(__always)
    mutating func scratch() -> UnsafeMutablePointer<UInt8> { bytes.tail(room: Self.room) }

    /// Adds the word of the text in `range`, whose term of `length` bytes was written to `scratch()`.
    @inline(__always)
    mutating func add(
        _ length: Int, at range: Range<Int>, utf16Start: Int, toLookUpIn terms: borrowing TermTable
    ) {
        let probe = TermTable.probe(UnsafePointer(scratch()), length)
        terms.prefetch(probe)
        words.append(
            Word(
                probe: probe, start: range.lowerBound, end: range.upperBound,
                utf16Start: utf16Start, offset: bytes.count, length: length))
        bytes.commit(length)
    }

    /// Lends the term of a word, which has eight readable bytes behind it.
    @inline(__always)
    borrowing func withBytes<R>(
        of word: Word, _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        bytes.withElements {
            body(UnsafeBufferPointer(rebasing: $0[word.offset..<(word.offset &+ word.length)]))
        }
    }

    mutating func removeAll() {
        words.removeAll()
        bytes.removeAll()
    }
}
