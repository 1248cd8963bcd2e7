extension Snapshot {
    /// The terms that a matcher takes, and by how many edits; dead documents may be the only ones
    /// that have them.
    ///
    /// Throws `SearchEnded` when the time is over. Complexity: linear in the vocabulary.
    func terms(near matcher: FuzzyMatcher, _ clock: SearchClock) throws -> [[UInt8]: Int] {
        var distances: [[UInt8]: Int] = [:]
        // The table, and a list of the same.
        let share = MemoryShare(clock)
        func work(_ units: Int) throws {
            try clock.work(units)
            try share.grow(to: distances.count * 256)
        }
        for segment in flushed {
            try segment.nearTerms().forEachTerm(near: matcher, work: work) { term, edits, _ in
                distances[Array(term)] = edits
            }
        }
        for part in memory {
            for number in 0..<part.segment.termCount {
                try part.segment.withTerm(number) { term in
                    try work(matcher.work(forBytes: term.count))
                    if let distance = matcher.matches(term) { distances[Array(term)] = distance }
                }
            }
        }
        return distances
    }

    /// The parts of joined words in its segments.
    ///
    /// Complexity: linear in the vocabulary the first time for each segment.
    func joinedParts() throws -> [JoinedParts] {
        try flushed.map { try $0.joinedParts() } + memory.map(\.segment.joinedParts)
    }
}
