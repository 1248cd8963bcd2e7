/// The terms of flushed segments that a pattern stands for, each once, in order.
struct ExpandedTerms {
    private var bytes: [UInt8] = []
    private var terms: [Term] = []

    private struct Term {
        var start: Int
        var length: Int
        var match: Range<Int>
        /// How many segments' vocabularies name it.
        var segmentCount: Int
    }

    /// Goes through the vocabularies; `check` is called for each term and may throw.
    init(
        _ pattern: TermPattern, in segments: [FlushedSegment], _ source: PatternTerms,
        check: () throws -> Void
    ) throws {
        for segment in segments {
            var found: [Term] = []
            try source.forEach(of: pattern, in: segment) { term, match, isKnown in
                try check()
                found.append(
                    Term(
                        start: bytes.count, length: term.count, match: match,
                        segmentCount: isKnown ? 1 : 0))
                bytes.append(contentsOf: term)
            }
            terms = terms.isEmpty ? found : merged(terms, found)
        }
    }

    private func merged(_ a: [Term], _ b: [Term]) -> [Term] {
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
                    result[result.count - 1].segmentCount += b[j].segmentCount
                }
                if order <= 0 { i += 1 }
                if order >= 0 { j += 1 }
            }
        }
        result += a[i...]
        result += b[j...]
        return result
    }

    /// Calls `body` with each term, the bytes of it that match, and how many segments' vocabularies name it.
    func forEach(
        _ body: (
            _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segmentCount: Int
        ) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            for term in terms {
                try body(
                    UnsafeBufferPointer(rebasing: bytes[term.start..<(term.start + term.length)]),
                    term.match, term.segmentCount)
            }
        }
    }
}
