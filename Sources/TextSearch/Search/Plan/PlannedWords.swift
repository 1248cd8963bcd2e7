/// A query of words, and of filters that all have to pass, planned once for several indexes that
/// analyse alike.
struct PlannedWords {
    let plan: QueryPlan
    let filters: [Query]
    /// In the order in which a search for the best asks for them.
    let words: [[UInt8]]

    /// Whether it is one word and nothing else.
    var isOneWord: Bool { plan.combination == .one && filters.isEmpty }

    /// Nil for another query.
    init?(_ query: Query, _ analyzer: Analyzer) {
        let (words, filters) = analyzer.synonyms.expand(query).withoutWrapping.withoutFilters
        guard let plan = QueryPlan(words: words, analyzer) else { return nil }
        self.plan = plan
        self.filters = filters
        self.words = plan.words
    }

    /// In how many documents of a snapshot each word is, in their order; nil where some documents
    /// are in memory.
    func frequencies(in snapshot: Snapshot, _ clock: SearchClock) throws -> [Int]? {
        var frequencies: [Int] = []
        for word in words {
            guard let frequency = try TermPostings.frequency(of: word, in: snapshot, clock) else {
                return nil
            }
            frequencies.append(frequency)
        }
        return frequencies
    }

    /// Where its words are among those of another query; nil where that has not all of them.
    func places(in other: PlannedWords) -> [Int]? {
        var places: [Int] = []
        for word in words {
            guard let place = other.words.firstIndex(of: word) else { return nil }
            places.append(place)
        }
        return places
    }

    /// Whether an index may have a match, in so many documents of which each word is.
    func mayMatch(_ frequencies: some Sequence<Int>) -> Bool {
        let required = zip(plan.parts, frequencies).filter { !$0.0.isBonus }
        return plan.combination == .any
            ? required.contains { $0.1 > 0 } : required.allSatisfy { $0.1 > 0 }
    }
}

extension QueryEvaluator {
    /// The documents with the highest scores for some words: what `best(_:count:countLimit:)` gives
    /// for their query.
    mutating func best(
        of words: PlannedWords, count: Int, countLimit: Int, factors: DocumentFactors
    ) throws -> TopMatches? {
        guard count > 0 else { return nil }
        return try best(
            by: words.plan, words.filters, count: count, countLimit: countLimit, factors: factors)
    }
}
