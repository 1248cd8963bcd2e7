// What is known of the sums of a search before all indexes have told their parts.

extension QueryStatistics {
    /// In how many objects each word of the query is, if it has nothing but words.
    package var frequencies: [Int]? {
        guard let first = readings.first, first.roundsLeft == 0, !first.shared.hasTiers else {
            return nil
        }
        return first.shared.frequencies
    }

    /// How many objects have each word, added up.
    package var frequencySum: Int {
        (frequencies ?? []).reduce(0) { $0.addingClamped($1) }
    }

    /// Whether nothing was found so far, and anything would be enough: the next round is for any of
    /// the words, and tells the same whatever else is known.
    package var isOfNothing: Bool {
        counts == [0] && enough == 1 && words == WordStatistics() && isOfBest
    }

    /// Whether no object of any index matches, so that any of the words may be enough.
    package var isOfNoMatch: Bool { counts == [0] && isOfBest }

    private var isOfBest: Bool { readings.count == 1 && readings[0].way == .best }

    /// What the second phase of a search depends on, and nothing else: nil where that is more than
    /// the frequencies of words, and whether anything was found.
    package var essence: QueryStatistics? {
        guard isComplete, words == WordStatistics() else { return nil }
        guard isOfBest || enough ?? 1 == 1 else { return nil }
        var essence = QueryStatistics(analysis: analysis, generation: generation)
        essence.indexCount = indexCount
        essence.readings = readings
        essence.counts = isOfBest && !isEnded ? [] : counts.map { min($0, 1) }
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
    /// - Returns: The essence, with what is common to these statistics; two where it may be either;
    ///   none where it is of more, or where it is likely that another round is needed.
    package func expected(of told: QueryStatistics, _ frequencies: [Int]) -> [QueryStatistics] {
        guard let common, var shared = common.readings.first?.shared, told.analysis == analysis,
            !areLikelyTooFew(told, frequencies)
        else { return [] }
        shared.setFrequencies(frequencies)
        var expected = common
        expected.readings = []
        for reading in told.readings {
            guard reading.shared.frequencies.count == frequencies.count, reading.roundsLeft == 0,
                !reading.shared.hasTiers
            else { return [] }
            expected.readings.append(Reading(way: reading.way, shared: shared))
        }
        expected.enough = told.enough
        expected.isEnded = told.isEnded
        expected.words = told.words
        return expectedCounts(of: told, frequencies, shared).compactMap { counts in
            expected.counts = counts
            return expected.essence
        }
    }

    /// How many objects all may have found, of which one index told its part.
    private func expectedCounts(
        of told: QueryStatistics, _ frequencies: [Int], _ shared: SharedStatistics
    ) -> [[Int]] {
        guard let own = told.counts.last else { return [[]] }
        guard told.isEnded, told.isOfBest else {
            // Others may have found what is enough.
            return [told.counts.dropLast() + [told.enough ?? 0]]
        }
        // Some object has all words, or none has: how many would if words were apart by chance?
        if own > 0 { return [[1]] }
        let objects = Double(max(shared.documentCount, 1))
        let likely = frequencies.reduce(objects) { $0 * Double($1) / objects }
        // That an object has all words costs least to look for: none of these indexes has one.
        return likely < Self.leastLikely ? [[0]] : [[1], [0]]
    }

    /// Words that belong together are in some objects together, however rare they are.
    private static let leastLikely = 0.02

    /// Whether it is likely that so few objects of all match that another step is needed.
    private func areLikelyTooFew(_ told: QueryStatistics, _ frequencies: [Int]) -> Bool {
        guard told.isOfBest, let enough = told.enough, let count = told.counts.last else {
            return false
        }
        let (own, all) = (told.readings[0].shared, readings[0].shared)
        // Any word is enough where more match than have some word.
        let mayNeedAll = count <= own.frequencies.min() ?? 0
        if mayNeedAll, frequencies.contains(where: { $0 < enough }) { return true }
        // Of one word alone it is known of all. The others have as many in proportion; but whether
        // they have any is not said by that.
        return own.frequencies != [count] && enough > 1
            && Double(count) * Double(all.documentCount)
                < Double(enough) * Double(own.documentCount)
    }
}
