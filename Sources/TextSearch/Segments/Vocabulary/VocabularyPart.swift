/// Where a term stands in a segment's vocabulary.
struct TermPlace: BitwiseCopyable, Equatable {
    var part: UInt32
    /// Its number in the part.
    var term: UInt32

    func precedes(_ other: TermPlace) -> Bool { (part, term) < (other.part, other.term) }
}

/// A part of a segment's sorted terms, and the postings of those that have few.
///
/// Stored form: four bytes, big-endian, that say how many bytes the terms take; the terms, which
/// are a zero byte and then each term followed by one; for each term a varint, the length of its
/// postings chunk, or 0 where that is an entry of its own; the chunks.
///
/// **Thread safety**: immutable, but for what is made when it is first asked for, which is guarded.
final class VocabularyPart: Sendable {
    /// A part ends with the term that brings the terms to this many bytes.
    static let targetSize = 16 << 10

    /// The terms as they are stored.
    let bytes: [UInt8]
    /// Where each term begins, and behind the last one where another would.
    let starts: [UInt32]
    private let lazySharedCounts = Lazy<[UInt8]>()
    private let chunks: [UInt8]
    /// Where each term's chunk begins, and behind the last one where another would.
    private let chunkStarts: [UInt32]
    let endings = Lazy<EndingHashes>()

    /// Complexity: linear in the bytes.
    init(_ whole: UnsafeRawBufferPointer) throws(MalformedData) {
        let stored = try Self.terms(of: whole)
        bytes = Array(stored)
        starts = Self.starts(in: stored)
        var reader = try ByteReader(whole, at: 4 + stored.count)
        var ends = Buffer<UInt32>(capacity: starts.count)
        ends.append(0)
        var end = 0
        for _ in 0..<(starts.count - 1) {
            end += try reader.varint(atMost: whole.count)
            ends.append(UInt32(truncatingIfNeeded: end))
        }
        guard end == reader.remaining else { throw MalformedData() }
        chunks = Array(try reader.slice(end))
        chunkStarts = ends.withElements { Array($0) }
    }

    var termCount: Int { starts.count - 1 }

    /// How many bytes each term begins with that the one before it begins with too, 255 at most; 0
    /// for the first. Counted once, then kept.
    var sharedCounts: [UInt8] {
        lazySharedCounts.get {
            bytes.withUnsafeBytes { Self.sharedCounts(in: $0, starts: starts) }
        }
    }

    /// Whether the postings of a term are in the part.
    func hasInlinePostings(of term: Int) -> Bool { chunkStarts[term] < chunkStarts[term + 1] }

    /// Lends the postings chunk of a term to `body`; nil where it is not in the part.
    @inline(__always)
    func withInlinePostings<R>(
        of term: Int, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R? {
        let range = Int(chunkStarts[term])..<Int(chunkStarts[term + 1])
        guard !range.isEmpty else { return nil }
        return try chunks.withUnsafeBytes {
            try body(UnsafeRawBufferPointer(rebasing: $0[range]))
        }
    }

    /// Calls `body` with the postings chunk of each term of a range of places, and appends to
    /// `entries` the terms whose chunks are entries of their own.
    @inline(__always)
    func forEachChunk(
        in places: Range<Int>, entries: inout Buffer<UInt32>,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try chunks.withUnsafeBytes { chunks in
            try chunkStarts.withUnsafeBufferPointer { starts in
                for term in places {
                    let range = Int(starts[term])..<Int(starts[term &+ 1])
                    if range.isEmpty {
                        entries.append(UInt32(truncatingIfNeeded: term))
                    } else {
                        try body(UnsafeRawBufferPointer(rebasing: chunks[range]))
                    }
                }
            }
        }
    }

    /// Lends the bytes of a term to `body`.
    @inline(__always)
    func withTerm<R>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R
    {
        try withTerms { try body($0[number]) }
    }

    // What is asked for all over a vocabulary is waited for each time, unless its memory was
    // fetched before.

    /// Has memory fetched that says where terms begin, from one on.
    @inline(__always)
    func prefetchStarts(from term: Int) { starts.prefetch(term) }

    /// Has memory fetched that says where some terms begin, and where they end.
    func prefetchStarts(of terms: Range<Int>) {
        for term in stride(from: terms.lowerBound, to: terms.upperBound, by: 16) {
            starts.prefetch(term)
        }
        starts.prefetch(terms.upperBound)
    }

    /// Has the bytes of some terms fetched, a kilobyte at the most.
    func prefetchTerms(_ terms: Range<Int>) {
        let start = Int(starts[terms.lowerBound])
        let end = min(Int(starts[terms.upperBound]), start + 1024)
        for place in stride(from: start, to: end, by: 64) { bytes.prefetch(place) }
        bytes.prefetch(end - 1)
    }

    /// Has the bytes of terms fetched, from one on.
    @inline(__always)
    func prefetchTerms(from term: Int) {
        let start = Int(starts[term])
        bytes.prefetch(start)
        bytes.prefetch(start &+ 64)
        bytes.prefetch(start &+ 128)
    }

    /// Has memory fetched that says where a term's chunk begins.
    @inline(__always)
    func prefetchChunkStart(of term: Int) { chunkStarts.prefetch(term) }

    /// Has a term's chunk fetched.
    @inline(__always)
    func prefetchChunk(of term: Int) { chunks.prefetch(Int(chunkStarts[term])) }

    /// The number of a term; nil where the part does not have it.
    ///
    /// Complexity: logarithmic in the number of terms.
    func number(of term: UnsafeBufferPointer<UInt8>) -> Int? {
        let place = place(of: term)
        guard place < termCount else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            TermOrder.compare(UnsafeBufferPointer(rebasing: bytes[range(of: place)]), term) == 0
                ? place : nil
        }
    }

    /// Memory that it takes.
    var byteCount: Int { bytes.count + chunks.count + 8 * termCount }

    /// Where a term's bytes are.
    @inline(__always)
    func range(of term: Int) -> Range<Int> { Int(starts[term])..<(Int(starts[term + 1]) - 1) }

    /// The terms of a part, by their numbers.
    struct Terms {
        /// Those of all terms.
        let bytes: UnsafeBufferPointer<UInt8>
        fileprivate let starts: UnsafeBufferPointer<UInt32>

        /// Where a term begins; behind the last one, where another would.
        @inline(__always)
        func start(of number: Int) -> Int { Int(starts[number]) }

        /// Where the bytes of a term are.
        @inline(__always)
        func range(of number: Int) -> Range<Int> {
            start(of: number)..<(start(of: number &+ 1) &- 1)
        }

        @inline(__always)
        subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[range(of: number)])
        }
    }

    /// Lends the terms to `body`, which must ask for those alone that there are.
    @inline(__always)
    func withTerms<R>(_ body: (Terms) throws -> R) rethrows -> R {
        try bytes.withUnsafeBufferPointer { bytes in
            try starts.withUnsafeBufferPointer { starts in
                try body(Terms(bytes: bytes, starts: starts))
            }
        }
    }

    /// Whether the first term does not come behind `wanted`.
    @inline(__always)
    func begins(notBehind wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        termCount > 0
            && bytes.withUnsafeBufferPointer { bytes in
                TermOrder.compare(UnsafeBufferPointer(rebasing: bytes[range(of: 0)]), wanted) <= 0
            }
    }

    /// Whether the first term begins with a prefix.
    func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        termCount > 0 && bytes[range(of: 0)].starts(with: prefix)
    }

    /// The place of the first term that does not come before `wanted`.
    ///
    /// Complexity: logarithmic in the number of terms.
    func place(of wanted: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            func isBehind(_ term: Int) -> Bool {
                TermOrder.compare(UnsafeBufferPointer(rebasing: bytes[range(of: term)]), wanted)
                    >= 0
            }
            // Most parts are asked for what comes behind all that they have, or before.
            guard let last = (0..<termCount).last, isBehind(last) else { return termCount }
            return isBehind(0) ? 0 : (1..<last).firstPlace(where: isBehind)
        }
    }

    /// The places of the terms that begin with a prefix.
    ///
    /// Complexity: logarithmic in the number of terms.
    func places(beginningWith prefix: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        guard !prefix.isEmpty else { return 0..<termCount }
        let first = place(of: prefix)
        let end = bytes.withUnsafeBufferPointer { bytes in
            (first..<termCount).firstPlace {
                let range = range(of: $0)
                return range.count < prefix.count
                    || TermOrder.compare(
                        UnsafeBufferPointer(rebasing: bytes[range.prefix(prefix.count)]), prefix)
                        != 0
            }
        }
        return first..<end
    }

    /// Calls `body` with each term of a range of places, and its place.
    @inline(__always)
    func forEachTerm(
        in places: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            for term in places {
                try body(UnsafeBufferPointer(rebasing: bytes[range(of: term)]), term)
            }
        }
    }

    /// Calls `body` with each term, in order.
    func forEachTerm(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        try forEachTerm(where: { _ in true }) { term, _ in try body(term) }
    }

    /// Calls `body` with each term, and its number, whose number passes.
    func forEachTerm(
        where passes: (Int) -> Bool, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            for term in 0..<termCount where passes(term) {
                try body(UnsafeBufferPointer(rebasing: bytes[range(of: term)]), term)
            }
        }
    }
}
