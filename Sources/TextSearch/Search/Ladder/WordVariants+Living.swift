/// What living objects have: the terms of a segment may be those of removed ones alone.
extension WordVariants {
    /// In how many objects a term occurs in the indexes that are searched here.
    func ownFrequency(ofTerm term: [UInt8]) throws -> Int {
        try sources.indices.reduce(0) { try $0 + frequency(ofTerm: term, in: $1) }
    }

    private func frequency(ofTerm term: [UInt8], in source: Int) throws -> Int {
        let (snapshot, store) = sources[source]
        // Most spellings that are tried are no words.
        guard try snapshot.segments.contains(where: { try $0.holds(term) }) else { return 0 }
        var terms = TermHits(snapshot: snapshot, store: store, clock: clock)
        return try TermPostings(term, snapshot, store, .documents, &terms).documentFrequency
    }

    /// Whether a term is a part of a joined word that an object has in these indexes.
    mutating func isOwnPart(_ term: [UInt8]) throws -> Bool {
        for (source, parts) in try parts().enumerated() {
            let segments = sources[source].snapshot.segmentsAndWhetherDead()
            for ((segment, hasDead), parts) in zip(segments, parts) where parts.contains(term) {
                if !hasDead { return true }
                let found = try living(.part(term), in: segment, of: source)
                // Not all parts are those that the pattern finds: signs are judged otherwise.
                if found ?? true { return true }
            }
        }
        return false
    }

    /// Whether a beginning that terms of an index have near a word is that of one that an object
    /// has in it. Longer terms may begin with it and have another one that is nearer.
    func isLiving(
        beginning: [UInt8], _ matcher: BeginningMatcher, in source: Int
    ) throws -> Bool {
        let segments = sources[source].snapshot.segmentsAndWhetherDead()
        guard segments.contains(where: \.hasDead) else { return true }
        return try segments.contains { segment, hasDead in
            try living(.prefix(beginning), in: segment, of: source, areAll: !hasDead) {
                matcher.beginning(of: $0) == beginning.count
            } ?? false
        }
    }

    /// Whether an object has one of the terms of a segment that match a pattern and are wanted; nil
    /// where none does.
    private func living(
        _ pattern: TermPattern, in segment: SegmentReader, of source: Int, areAll: Bool = false,
        where isWanted: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true }
    ) throws -> Bool? {
        var isLiving: Bool?
        let terms = PatternTerms(stems: StoredStems(store: sources[source].store), clock: clock)
        try terms.forEach(of: pattern, in: segment) { term in
            try clock.work(1)
            if isLiving ?? false || !isWanted(term) { return }
            isLiving = try areAll || frequency(ofTerm: Array(term), in: source) > 0
        }
        return isLiving
    }
}
