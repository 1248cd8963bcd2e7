/// What was found out about a word before.
extension WordVariants {
    /// What `find` finds out about a word; of one index once for each of its states. What other
    /// indexes know of it is asked each time.
    mutating func remembered(
        _ question: String, _ find: (inout WordVariants) throws -> [[String]]
    ) throws -> [[String]] {
        guard exchange == nil, sources.count == 1, let words = sources[0].snapshot.caches?.words
        else { return try find(&self) }
        let key = RecentWords.Key(sources[0].snapshot, question)
        if let known = words.others.value(for: key) { return known }
        let found = try find(&self)
        // A part of it would not do.
        if !clock.isSpent {
            let byteCount = found.reduce(key.byteCount) { sum, pieces in
                pieces.reduce(sum + 32) { $0 + 16 + $1.utf8.count }
            }
            words.others.insert(found, for: key, byteCount: byteCount)
        }
        return found
    }

    /// The same of single words.
    mutating func rememberedWords(
        _ question: String, _ find: (inout WordVariants) throws -> [String]
    ) throws -> [String] {
        try remembered(question) { try find(&$0).map { [$0] } }.map { $0[0] }
    }
}
