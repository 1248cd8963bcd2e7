/// In how many objects of each of several indexes the words of a query are.
struct WordFrequencies {
    let words: PlannedWords
    /// Those of one index after the other, each in the order of the words.
    private var all: [Int]

    /// Looks the words up: in memory on this thread, and those that are not there on several.
    ///
    /// Nil where some documents are in memory.
    init?(
        _ words: PlannedWords, in snapshots: [Snapshot], _ clocks: [SearchClock],
        isParallel: Bool
    ) throws {
        self.words = words
        let count = words.words.count
        all = [Int](repeating: 0, count: count * snapshots.count)
        var others: [Int] = []
        for (source, snapshot) in snapshots.enumerated() {
            for (place, word) in words.words.enumerated() {
                guard let known = TermPostings.keptFrequency(of: word, in: snapshot) else {
                    guard snapshot.memory.isEmpty else { return nil }
                    others.append(source)
                    break
                }
                all[source * count + place] = known
            }
        }
        guard !others.isEmpty else { return }
        func lookUp(_ number: Int) throws -> [Int]? {
            try words.frequencies(in: snapshots[others[number]], clocks[others[number]])
        }
        let found =
            isParallel && others.count > 1
            ? try ConcurrentRun.results(of: others.count, lookUp)
            : try others.indices.map(lookUp)
        for (source, frequencies) in zip(others, found) {
            guard let frequencies else { return nil }
            for place in 0..<count { all[source * count + place] = frequencies[place] }
        }
    }

    private init(_ words: PlannedWords, _ all: [Int]) {
        self.words = words
        self.all = all
    }

    /// Those of a query whose words are among these; nil where it has others.
    func narrowed(to other: PlannedWords) -> WordFrequencies? {
        guard let places = other.places(in: words) else { return nil }
        let count = words.words.count
        let narrowed = stride(from: 0, to: all.count, by: count).flatMap { first in
            places.map { all[first + $0] }
        }
        return WordFrequencies(other, narrowed)
    }

    /// Those in one index.
    subscript(source: Int) -> ArraySlice<Int> {
        let count = words.words.count
        return all[source * count..<(source + 1) * count]
    }

    /// Those in all indexes together.
    var sums: [Int] {
        let count = words.words.count
        var sums = [Int](repeating: 0, count: count)
        for place in all.indices { sums[place % count] += all[place] }
        return sums
    }

    /// Whether some object of any index has each word that is required.
    var areAllKnown: Bool {
        zip(words.plan.parts, sums).allSatisfy { $0.isBonus || $1 > 0 }
    }

    /// The indexes that may have a match.
    var sources: [Int] {
        (0..<all.count / words.words.count).filter { words.mayMatch(self[$0]) }
    }

    /// Whether to search some indexes may take so long that a thread that helps is worth its way.
    func isMuchWork(in sources: [Int]) -> Bool {
        // What a filter costs is not said by words.
        if !words.filters.isEmpty { return true }
        var work = 0
        for source in sources {
            // To begin takes as long as a thousand postings.
            work += self[source].reduce(1_024, +)
            if work > 16 * 1_024 { return true }
        }
        return false
    }
}
