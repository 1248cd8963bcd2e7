/// Finds terms by what they look like.
extension VocabularyPart {
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
