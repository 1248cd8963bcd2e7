/// What scores depend on beside an object itself, of one index or added up over several.
///
/// Words and tiers have no names: they come in the order in which a query is evaluated, which is
/// the same in all indexes that analyse alike.
struct SharedStatistics: Equatable, Sendable {
    var documentCount = 0
    /// The words in each string of all objects, and how many objects have such a string. Whole
    /// numbers: sums are exact.
    private var lengthTotals: [Double] = []
    private var lengthCounts: [Double] = []
    /// In how many documents each word of the query is.
    private(set) var frequencies: [Int] = []
    /// The least score of each tier of what is found first; nil where nothing is in it.
    private(set) var tiers: [Double?] = []

    init() {}

    /// Those of an index, without a query.
    init(_ snapshot: Snapshot) throws {
        documentCount = snapshot.count
        let lengths = try snapshot.lengthStatistics()
        lengthTotals = lengths.totals
        lengthCounts = lengths.counts
    }

    /// Whether scores of tiers were built on one another.
    var hasTiers: Bool { !tiers.isEmpty }

    func averageLength(of string: Int) -> Double {
        string < lengthTotals.count ? lengthTotals[string] / max(lengthCounts[string], 1) : 0
    }

    mutating func note(frequency: Int) { frequencies.append(frequency) }

    mutating func note(tier scores: [Double]) { tiers.append(scores.least) }

    /// Adds those of another index.
    mutating func add(_ other: SharedStatistics) {
        documentCount += other.documentCount
        Self.add(other.lengthTotals, to: &lengthTotals)
        Self.add(other.lengthCounts, to: &lengthCounts)
        Self.add(other.frequencies, to: &frequencies)
        for (place, theirs) in other.tiers.enumerated() {
            guard place < tiers.count else {
                tiers.append(theirs)
                continue
            }
            guard let theirs else { continue }
            guard let ours = tiers[place] else {
                tiers[place] = theirs
                continue
            }
            tiers[place] = min(ours, theirs)
        }
    }

    private static func add<Number: AdditiveArithmetic>(_ others: [Number], to all: inout [Number])
    {
        for (place, other) in others.enumerated() {
            if place < all.count { all[place] += other } else { all.append(other) }
        }
    }
}

/// What an evaluation knows of all indexes, and finds out about its own.
struct StatisticsExchange: Sendable {
    /// Of all indexes: the words of the query only once they were looked for in all.
    let known: SharedStatistics
    /// Of this one.
    private(set) var found: SharedStatistics

    init(known: SharedStatistics, own: SharedStatistics) {
        self.known = known
        found = own
    }

    /// In how many documents of all indexes the next word of the query is, which is in `own` of
    /// this one.
    mutating func frequency(_ own: Int) -> Int {
        let place = found.frequencies.count
        found.note(frequency: own)
        return place < known.frequencies.count ? known.frequencies[place] : own
    }

    /// The least score of the next tier over all indexes; nil when nothing is in it.
    mutating func least(_ scores: [Double]) -> Double? {
        let place = found.tiers.count
        found.note(tier: scores)
        return place < known.tiers.count ? known.tiers[place] : found.tiers[place]
    }
}
