/// What searches found out of late about words that were typed: their other spellings, and which
/// documents the patterns match that steps look for.
///
/// People type on, turn pages and narrow down what was found, and each time most words are those of
/// before. What is found out about a word depends on nothing but the state of the index and what
/// the question names.
///
/// **Thread safety**: guarded.
final class RecentWords: Sendable {
    /// What was asked in which state of the index.
    struct Key: Hashable, Sendable {
        /// See `Snapshot.number`.
        let snapshot: UInt64
        /// Bytes, since strings are equal that are written with other scalars.
        private let question: [UInt8]

        init(_ snapshot: Snapshot, _ question: String) {
            self.snapshot = snapshot.number
            self.question = Array(question.utf8)
        }

        var byteCount: Int { question.count + 40 }
    }

    /// Which documents a pattern matches, and by which terms.
    struct Pattern: Sendable {
        var documents: SnapshotDocuments
        var count: Int
        /// Those of flushed segments.
        var terms: FoundTerms
    }

    /// Other words that the index has for a word, each of them in pieces.
    let others: RecentCache<Key, [[String]]>
    let patterns: RecentCache<Key, Pattern>

    init(cacheSize: Int, _ budget: CacheBudget?) {
        others = RecentCache(byteCount: cacheSize / 32, budget: budget)
        patterns = RecentCache(byteCount: cacheSize / 8, budget: budget)
    }
}
