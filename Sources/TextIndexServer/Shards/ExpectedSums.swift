import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// In how many objects of all shards words are, as servers told it in the second phases of their
/// searches.
///
/// With that a node knows the sums of a search for the same words before the server that asks has
/// them, and answers the first phase with what it finds by them. The server compares the sums: what
/// was found by others is not used. So it does not matter who tells what, nor whether it still
/// holds.
///
/// **Thread safety**: guarded. **Invariants**: it holds at most so many bytes.
final class ExpectedSums: Sendable {
    private struct State {
        /// What is the same for all queries: words of other shards or another content say nothing.
        var common: QueryStatistics?
        var frequencies: AgingTable<[UInt8], Int>
    }

    private let state: Mutex<State>
    private let most: Int

    /// - Parameter most: how many bytes it may hold.
    init(most: Int) {
        self.most = most
        state = Mutex(State(frequencies: AgingTable(most: most)))
    }

    /// How many bytes it holds, about.
    var size: Int { state.withLock { $0.frequencies.size } }

    /// Learns the sums of a search for some words.
    func note(_ words: [[UInt8]], _ sum: QueryStatistics) {
        guard let frequencies = sum.frequencies, frequencies.count == words.count,
            let common = sum.common
        else { return }
        state.withLock { state in
            if state.common != common {
                state.common = common
                state.frequencies = AgingTable(most: most)
            }
            for (word, frequency) in zip(words, frequencies)
            where state.frequencies.value(for: word) != frequency {
                state.frequencies.insert(frequency, for: word, size: 96 + word.count)
            }
        }
    }

    /// What the second phase of a search for some words will depend on, by each of several rounds
    /// of which a node told its part; nil where that is not known.
    func sums(of words: [[UInt8]], _ told: [QueryStatistics]) -> [QueryStatistics?] {
        state.withLock { state in
            var frequencies: [Int] = []
            for word in words {
                guard let frequency = state.frequencies.value(for: word) else {
                    return told.map { _ in nil }
                }
                frequencies.append(frequency)
            }
            // Where fewer objects have a word than are wanted, it is likely that too few have all.
            let isTooRare = told.first?.wantedCount.map { wanted in
                frequencies.contains { $0 < wanted }
            }
            return told.enumerated().map { round, told in
                round == 0 && isTooRare == true
                    ? nil : state.common?.expected(of: told, frequencies)
            }
        }
    }
}
