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
        for segment in segments {
            try segment.forEachTerm(near: matcher, work: work) { distances[Array($0)] = $1 }
        }
        return distances
    }

    /// The beginnings of terms that are a word but for one edit; those of dead documents, too.
    ///
    /// Throws `SearchEnded` when the time is over. Complexity: linear in the terms with the first
    /// character of the word.
    func beginnings(near word: String, _ clock: SearchClock) throws -> Set<[UInt8]> {
        let matcher = BeginningMatcher(word)
        var beginnings: Set<[UInt8]> = []
        for segment in segments {
            try segment.forEachTerm(beginningNear: matcher, work: { try clock.work($0) }) { term in
                if let count = matcher.beginning(of: term) {
                    beginnings.insert(Array(term.prefix(count)))
                }
            }
        }
        return beginnings
    }

    /// The parts of joined words in its segments, those of dead documents, too.
    ///
    /// Complexity: linear in the vocabulary the first time for each segment.
    func joinedParts() throws -> [JoinedParts] {
        try segments.map { try $0.joinedParts() }
    }
}
