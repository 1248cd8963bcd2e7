/// A byte string that is looked for inside terms, and what it asks of groups of them.
struct InfixNeedle: Sendable {
    let bytes: [UInt8]
    /// Rows of a `GramFilter`; none for a single byte.
    let rows: [Int]
    /// Whether a term may hold it: none has the byte that stands between them.
    let isPossible: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isPossible = !bytes.contains(0)
        rows = bytes.withUnsafeBufferPointer { GramFilter.rows(of: $0) }
    }
}

/// Finds terms by what they look like.
extension VocabularyPart {
    /// Calls `body` with the number of the term, its range in `all`, the bytes of the part, and the offset in it, for every place at which
    /// `needle` stands, ascending.
    ///
    /// Complexity: linear in the number of terms, sixteen at a time, and in the bytes of those that may hold it.
    @inline(__always)
    func forEachMatch(
        of needle: InfixNeedle, in all: UnsafeBufferPointer<UInt8>,
        _ body: (_ number: Int, _ term: Range<Int>, _ offset: Int) -> Void
    ) {
        guard needle.isPossible else { return }
        needle.bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count > 1 else {
                return forEachMatch(of: bytes, in: all, numbers: 0..<termCount, body)
            }
            let size = GramFilter.groupSize
            let filter = grams.get { GramFilter(all, starts: starts) }
            filter.forEachRun(of: needle.rows) { groups in
                let numbers = (groups.lowerBound * size)..<min(groups.upperBound * size, termCount)
                forEachMatch(of: bytes, in: all, numbers: numbers, body)
            }
        }
    }

    /// The same for neighbouring terms, all of which are looked at.
    @inline(__always)
    private func forEachMatch(
        of needle: UnsafeBufferPointer<UInt8>, in all: UnsafeBufferPointer<UInt8>,
        numbers: Range<Int>, _ body: (_ number: Int, _ term: Range<Int>, _ offset: Int) -> Void
    ) {
        let lower = Int(starts[numbers.lowerBound])
        let bytes = UnsafeBufferPointer(
            rebasing: all[lower..<Int(starts[numbers.upperBound])])
        var number = numbers.lowerBound
        starts.withUnsafeBufferPointer { starts in
            InfixScan.forEachPlace(of: needle, in: bytes) { place in
                let place = place &+ lower
                while Int(starts[number &+ 1]) <= place { number &+= 1 }
                let start = Int(starts[number])
                body(number, start..<(Int(starts[number &+ 1]) &- 1), place &- start)
            }
        }
    }

    /// Calls `body` with each term that a matcher takes, the edits between them, and its number, in order.
    ///
    /// Complexity: linear in the number of terms that begin as the matcher demands; those that share a beginning with which none matches are
    /// passed over unread.
    func forEachTerm(
        matching matcher: some TermMatcher,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int, _ number: Int) throws -> Void
    ) rethrows {
        let places = matcher.requiredPrefix.withUnsafeBufferPointer {
            $0.isEmpty ? 0..<termCount : self.places(beginningWith: $0)
        }
        let shared = sharedCounts
        try bytes.withUnsafeBufferPointer { bytes in
            var term = places.lowerBound
            while term < places.upperBound {
                let candidate = UnsafeBufferPointer(rebasing: bytes[range(of: term)])
                var deadEnd = Int.max
                if let edits = matcher.matches(candidate, deadEnd: &deadEnd) {
                    try body(candidate, edits, term)
                }
                term += 1
                while term < places.upperBound, Int(shared[term]) >= deadEnd { term += 1 }
            }
        }
    }
}
