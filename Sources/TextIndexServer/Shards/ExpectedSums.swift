import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// In how many objects of all shards words are, as servers told it in the second phases of their
/// searches.
///
/// With that a node knows the sums of a search for the same words before the server that asks has
/// them, and answers the first phase with what it finds by them. The server compares the sums: what
/// was found by others is not used. So results do not depend on who tells what, nor on whether it
/// still holds. Time does: what was found by other sums was found in vain.
///
/// **Thread safety**: guarded. **Invariants**: it holds at most so many bytes.
final class ExpectedSums: Sendable {
    private struct Table {
        /// What is the same for all queries: words of other shards or another content say nothing.
        let common: QueryStatistics
        let commonSize: Int
        var frequencies: AgingTable<[UInt8], Int>
    }

    /// The newest first, which alone tells anything. An answer without some shards, or of another
    /// set, is mostly followed by one like those before it.
    private let tables = Mutex<[Table]>([])
    private let most: Int
    private static let mostTables = 3
    /// That of a usual index is some hundred bytes.
    private static let longestCommon = 4_096

    /// - Parameter most: how many bytes it may hold.
    init(most: Int) { self.most = most }

    /// How many bytes it holds, about.
    var size: Int {
        tables.withLock { $0.reduce(0) { $0 + $1.commonSize + $1.frequencies.size } }
    }

    /// Learns the sums of a search for some words.
    func note(_ words: [[UInt8]], _ sum: QueryStatistics) {
        guard let frequencies = sum.frequencies, frequencies.count == words.count,
            let common = sum.common
        else { return }
        tables.withLock { tables in
            if let place = tables.firstIndex(where: { $0.common == common }) {
                tables.insert(tables.remove(at: place), at: 0)
            } else {
                let size = common.bytes.count
                guard size <= Self.longestCommon else { return }
                if tables.count == Self.mostTables { tables.removeLast() }
                let left = max(most / Self.mostTables - size, 0)
                tables.insert(
                    Table(
                        common: common, commonSize: size, frequencies: AgingTable(most: left)),
                    at: 0)
            }
            for (word, frequency) in zip(words, frequencies)
            where tables[0].frequencies.value(for: word) != frequency {
                tables[0].frequencies.insert(frequency, for: word, size: 96 + word.count)
            }
        }
    }

    /// What the second phase of a search for some words may depend on, by each of several rounds of
    /// which a node told its part; none where that is not known.
    func sums(of words: [[UInt8]], _ told: [QueryStatistics]) -> [QueryStatistics] {
        tables.withLock { tables in
            var frequencies: [Int] = []
            for word in words where !tables.isEmpty {
                guard let frequency = tables[0].frequencies.value(for: word) else { break }
                frequencies.append(frequency)
            }
            guard let common = tables.first?.common, frequencies.count == words.count else {
                return []
            }
            return told.flatMap { common.expected(of: $0, frequencies) }
        }
    }
}
