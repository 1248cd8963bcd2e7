/// A part of a segment's sorted terms: a zero byte, then each term followed by one.
struct VocabularyPart: Sendable {
    static let targetSize = 32 << 10

    let bytes: [UInt8]
    /// Where each term begins, and behind the last one where another would.
    private let starts: [UInt32]
    /// How many bytes each term begins with that the one before it begins with too; 0 for the first.
    private let shared: [UInt8]
    private let grams = LazyGramFilter()

    init(_ stored: UnsafeRawBufferPointer) throws(MalformedData) {
        guard stored.count >= 2, stored.count <= Int(UInt32.max), stored.first == 0,
            stored.last == 0
        else { throw MalformedData() }
        var starts: [UInt32] = [1]
        var shared: [UInt8] = []
        var previous = 1..<1
        for end in 1..<stored.count where stored[end] == 0 {
            let start = previous.upperBound + (shared.isEmpty ? 0 : 1)
            var common = 0
            let most = min(previous.count, end - start, 255)
            while common < most, stored[previous.lowerBound + common] == stored[start + common] {
                common += 1
            }
            shared.append(UInt8(common))
            starts.append(UInt32(end + 1))
            previous = start..<end
        }
        bytes = Array(stored)
        self.starts = starts
        self.shared = shared
    }

    var termCount: Int { shared.count }

    /// Where a term's bytes are.
    @inline(__always)
    func range(of term: Int) -> Range<Int> { Int(starts[term])..<(Int(starts[term + 1]) - 1) }

    /// Whether the first term does not come behind `wanted`.
    @inline(__always)
    func begins(notBehind wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        termCount > 0
            && bytes.withUnsafeBufferPointer { bytes in
                TermOrder.compare(UnsafeBufferPointer(rebasing: bytes[range(of: 0)]), wanted) <= 0
            }
    }

    /// The place of the first term that does not come before `wanted`.
    ///
    /// Complexity: logarithmic in the number of terms.
    func place(of wanted: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            (0..<termCount).firstPlace {
                TermOrder.compare(UnsafeBufferPointer(rebasing: bytes[range(of: $0)]), wanted) >= 0
            }
        }
    }

    /// Calls `body` with each term, in order.
    func forEachTerm(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            for term in 0..<termCount {
                try body(UnsafeBufferPointer(rebasing: bytes[range(of: term)]))
            }
        }
    }

    /// Calls `body` with the range of the term in `all`, the bytes of the part, and the offset in it, for every place at which `needle` stands.
    ///
    /// Complexity: linear in the number of terms, sixteen at a time, and in the bytes of those that may hold it.
    @inline(__always)
    func forEachMatch(
        of needle: UnsafeBufferPointer<UInt8>, in all: UnsafeBufferPointer<UInt8>,
        _ body: (_ term: Range<Int>, _ offset: Int) -> Void
    ) {
        guard needle.count > 1 else {
            return InfixScan.forEachMatch(of: needle, in: all, body)
        }
        let filter = grams.get { GramFilter(all, starts: starts) }
        filter.forEachRun(of: GramFilter.rows(of: needle)) { groups in
            let first = groups.lowerBound * GramFilter.groupSize
            let end = min(groups.upperBound * GramFilter.groupSize, termCount)
            let lower = Int(starts[first])
            let bytes = UnsafeBufferPointer(rebasing: all[lower..<Int(starts[end])])
            InfixScan.forEachMatch(of: needle, in: bytes) { term, offset in
                body((term.lowerBound + lower)..<(term.upperBound + lower), offset)
            }
        }
    }

    /// Calls `body` with each term that a matcher takes, and the edits between them, in order.
    ///
    /// Complexity: linear in the number of terms; those that share a beginning with which none matches are passed over unread.
    func forEachTerm(
        matching matcher: some TermMatcher,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            let count = termCount
            var term = 0
            while term < count {
                let candidate = UnsafeBufferPointer(rebasing: bytes[range(of: term)])
                var deadEnd = Int.max
                if let edits = matcher.matches(candidate, deadEnd: &deadEnd) {
                    try body(candidate, edits)
                }
                term += 1
                while term < count, Int(shared[term]) >= deadEnd { term += 1 }
            }
        }
    }
}
