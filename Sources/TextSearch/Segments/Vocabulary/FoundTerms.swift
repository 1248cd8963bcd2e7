/// The terms of flushed segments that a pattern stands for, each once, in order.
///
/// **Thread safety**: a value. Valid only for the segments that it was made from, in the same
/// order.
struct FoundTerms: Sendable {
    private var bytes: [UInt8] = []
    private var terms: [Term] = []

    /// A segment that may have a term.
    struct Holder {
        /// Its place among the segments.
        var segment: Int
        /// Nil where the vocabulary was not asked: whether it has the term is not known.
        var place: TermPlace?
        /// The holder of the same term before, in `holders`; -1 for none.
        fileprivate var previous: Int
    }

    private struct Term {
        var start: Int
        var length: Int
        var match: Range<Int>
        /// The last one in `holders`.
        var holder: Int
    }

    private var holders: [Holder] = []

    /// Of memory.
    var byteCount: Int {
        bytes.capacity + holders.capacity * MemoryLayout<Holder>.stride
            + holders.count * MemoryLayout<Term>.stride
    }

    /// None yet.
    init() {}

    /// Adds those of the next segment. `forEachTerm` calls its argument with each, in order, and
    /// with the bytes that match and the place in the vocabulary; `share` holds the memory while
    /// they come.
    mutating func add(
        _ segment: Int, _ share: MemoryShare,
        _ forEachTerm: (
            (_ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ place: TermPlace?) throws
                -> Void
        ) throws -> Void
    ) throws {
        var found: [Term] = []
        try forEachTerm { term, match, place in
            if found.count & 255 == 0 { try share.grow(to: byteCount) }
            found.append(
                Term(
                    start: bytes.count, length: term.count, match: match, holder: holders.count))
            holders.append(Holder(segment: segment, place: place, previous: -1))
            bytes.append(contentsOf: term)
        }
        terms = terms.isEmpty ? found : merged(terms, found)
    }

    private mutating func merged(_ a: [Term], _ b: [Term]) -> [Term] {
        var result: [Term] = []
        result.reserveCapacity(a.count + b.count)
        var (i, j) = (0, 0)
        bytes.withUnsafeBufferPointer { bytes in
            while i < a.count, j < b.count {
                let order = TermOrder.compare(
                    bytes, a[i].start..<(a[i].start + a[i].length),
                    b[j].start..<(b[j].start + b[j].length))
                result.append(order <= 0 ? a[i] : b[j])
                if order == 0 {
                    holders[b[j].holder].previous = a[i].holder
                    result[result.count - 1].holder = b[j].holder
                }
                if order <= 0 { i += 1 }
                if order >= 0 { j += 1 }
            }
        }
        result += a[i...]
        result += b[j...]
        return result
    }

    /// Calls `body` with each term, the bytes of it that match, and the segments that may have it.
    func forEach(
        _ body: (
            _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ holders: [Holder]
        ) throws -> Void
    ) rethrows {
        var some: [Holder] = []
        try bytes.withUnsafeBufferPointer { bytes in
            for term in terms {
                some.removeAll(keepingCapacity: true)
                var next = term.holder
                while next >= 0 {
                    some.append(holders[next])
                    next = holders[next].previous
                }
                try body(
                    UnsafeBufferPointer(rebasing: bytes[term.start..<(term.start + term.length)]),
                    term.match, some)
            }
        }
    }
}
