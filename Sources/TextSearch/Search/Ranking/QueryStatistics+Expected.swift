// What is known of the sums of a search before all indexes have told their parts.

extension QueryStatistics {
    /// In how many objects each word of the query is, if it has nothing but words.
    package var frequencies: [Int]? {
        guard let first = readings.first, first.roundsLeft == 0, !first.shared.hasTiers else {
            return nil
        }
        return first.shared.frequencies
    }

    /// How many objects are enough for no further step; nil where that makes no difference.
    package var wantedCount: Int? { enough }

    /// Whether nothing was found so far, and anything would be enough: the next round is for any of
    /// the words, and tells the same whatever else is known.
    package var isOfNothing: Bool {
        counts == [0] && enough == 1 && words == WordStatistics()
            && readings.count == 1 && readings[0].way == .best
    }

    /// What the second phase of a search depends on, and nothing else: nil where that is more than
    /// the frequencies of words, and whether anything was found.
    package var essence: QueryStatistics? {
        guard isComplete, words == WordStatistics() else { return nil }
        let isOfBest = readings.count == 1 && readings[0].way == .best
        guard isOfBest || enough ?? 1 == 1 else { return nil }
        var essence = QueryStatistics(analysis: analysis, generation: generation)
        essence.indexCount = indexCount
        essence.readings = readings
        essence.counts = isOfBest ? [] : counts.map { min($0, 1) }
        essence.isEnded = true
        return essence
    }

    /// The same without a query: what all searches of the same indexes have in common.
    package var common: QueryStatistics? {
        guard var shared = readings.first?.shared else { return nil }
        shared.setFrequencies([])
        var common = QueryStatistics(analysis: analysis, generation: generation)
        common.indexCount = indexCount
        common.readings = [Reading(way: .best, shared: shared)]
        return common
    }

    /// The essence of the sums of a search of which one index told its part, if that is complete.
    ///
    /// - Parameters:
    ///   - told: what the index told.
    ///   - frequencies: in how many objects of all indexes each word of the query is.
    /// - Returns: The essence, with what is common to these statistics; nil where it is of more.
    package func expected(
        of told: QueryStatistics, _ frequencies: [Int]
    ) -> QueryStatistics? {
        guard let common, var shared = common.readings.first?.shared, told.analysis == analysis
        else { return nil }
        shared.setFrequencies(frequencies)
        var expected = common
        expected.readings = []
        for reading in told.readings {
            guard reading.shared.frequencies.count == frequencies.count, reading.roundsLeft == 0,
                !reading.shared.hasTiers
            else { return nil }
            expected.readings.append(Reading(way: reading.way, shared: shared))
        }
        expected.counts = told.counts
        // Others may have found what is enough.
        if !expected.counts.isEmpty { expected.counts[told.counts.count - 1] = told.enough ?? 0 }
        expected.enough = told.enough
        expected.isEnded = told.isEnded
        expected.words = told.words
        return expected.essence
    }
}
