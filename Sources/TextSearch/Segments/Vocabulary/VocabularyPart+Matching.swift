/// Finds terms by what they look like.
extension VocabularyPart {
    /// Calls `body` with each term that a matcher takes, the edits between them, and its number, in
    /// order.
    ///
    /// Complexity: linear in the number of terms that begin as the matcher demands; those that
    /// share a beginning with which none matches are passed over unread. `work` is called with the
    /// work of some terms, after them, and may throw.
    func forEachTerm(
        matching matcher: some TermMatcher, work: (_ units: Int) throws -> Void = { _ in },
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int, _ number: Int) throws -> Void
    ) rethrows {
        let places = matcher.requiredPrefix.withUnsafeBufferPointer {
            $0.isEmpty ? 0..<termCount : self.places(beginningWith: $0)
        }
        let shared = sharedCounts
        try bytes.withUnsafeBufferPointer { bytes in
            var term = places.lowerBound
            var units = 0
            while term < places.upperBound {
                let candidate = UnsafeBufferPointer(rebasing: bytes[range(of: term)])
                units &+= matcher.work(forBytes: candidate.count)
                if units >= SearchClock.unitsPerCheck {
                    try work(units)
                    units = 0
                }
                var deadEnd = Int.max
                if let edits = matcher.matches(candidate, deadEnd: &deadEnd) {
                    try body(candidate, edits, term)
                }
                term += 1
                while term < places.upperBound, Int(shared[term]) >= deadEnd { term += 1 }
            }
            try work(units)
        }
    }
}
