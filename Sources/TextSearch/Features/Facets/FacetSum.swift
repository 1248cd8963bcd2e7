/// Adds up what several indexes count of one facet.
struct FacetSum<Object> {
    private let facet: Facet
    /// Whether the buckets are there before anything lies in them.
    private let areGiven: Bool
    private var counts: [Int] = []
    /// In the order in which they came; that of ranges is the facet's own.
    private var keys: [FacetKey] = []
    private var places: [FacetKey: Int] = [:]
    private var objectCount = 0
    private var missingCount = 0
    private var isComplete = true

    /// `kind` is what is counted by, where the facet leaves that to what there is.
    init(_ facet: Facet, _ kind: Facet.Kind? = nil) {
        self.facet = facet
        areGiven = if case .ranges = kind ?? facet.kind { true } else { false }
    }

    /// Adds what one index counts, with all of its buckets.
    mutating func add(_ part: FacetCounts<Object>) {
        for (number, bucket) in part.buckets.enumerated() {
            add(bucket.count, of: bucket.key, number)
        }
        objectCount = objectCount.addingClamped(part.objectCount)
        missingCount = missingCount.addingClamped(part.missingCount)
        if !part.isComplete { isComplete = false }
    }

    /// Adds what was counted of one index.
    mutating func add(_ tally: FacetTally, _ clock: SearchClock) {
        for (number, key) in tally.keys.enumerated() {
            let count = tally.count(of: number)
            if count > 0 || areGiven { add(count, of: key, number) }
        }
        objectCount = objectCount.addingClamped(tally.objectCount)
        missingCount = missingCount.addingClamped(tally.missingCount)
        if !tally.isComplete || !clock.isComplete { isComplete = false }
    }

    private mutating func add(_ count: Int, of key: FacetKey, _ number: Int) {
        // The same range may be given twice.
        let known = areGiven ? (number < keys.count ? number : nil) : places[key]
        let place = known ?? keys.count
        if known == nil {
            keys.append(key)
            counts.append(0)
            if !areGiven { places[key] = place }
        }
        counts[place] = counts[place].addingClamped(count)
    }

    /// All buckets, in the order in which they came.
    var whole: FacetCounts<Object> { counts(of: keys.indices) }

    /// The buckets in the order of the facet, up to its limit.
    func made() -> FacetCounts<Object> {
        let limit = max(facet.limit, 0)
        guard limit > 0 else { return counts(of: []) }
        // Few of many: what comes behind so many others need not be put in order.
        let room = max(limit.addingClamped(limit), 2_048)
        var kept: [Int] = []
        for place in keys.indices {
            kept.append(place)
            if kept.count >= room { kept = Array(kept.sorted(by: precedes).prefix(limit)) }
        }
        return counts(of: kept.sorted(by: precedes).prefix(limit))
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        if facet.order == .count, counts[a] != counts[b] { return counts[a] > counts[b] }
        return areGiven ? a < b : FacetKey.precedes(keys[a], keys[b])
    }

    private func counts(of chosen: some Sequence<Int>) -> FacetCounts<Object> {
        FacetCounts(
            facet: facet,
            buckets: chosen.map { FacetBucket(key: keys[$0], count: counts[$0], hits: []) },
            bucketCount: keys.count, objectCount: objectCount, missingCount: missingCount,
            isComplete: isComplete)
    }
}

extension FacetCounts {
    /// All that was counted of one index, in no order.
    init(_ tally: FacetTally, _ clock: SearchClock) {
        let (keys, isGiven) = (tally.keys, tally.areGiven)
        let buckets = keys.indices.filter { isGiven || tally.count(of: $0) > 0 }
        self.init(
            facet: tally.facet,
            buckets: buckets.map {
                FacetBucket(key: keys[$0], count: tally.count(of: $0), hits: [])
            },
            bucketCount: buckets.count, objectCount: tally.objectCount,
            missingCount: tally.missingCount, isComplete: tally.isComplete && clock.isComplete)
    }

    /// Adds up what several indexes counted of one facet, each with all of its buckets, as
    /// ``TextIndex`` counts by ``QueryStatistics``.
    ///
    /// Complexity: linear in the buckets, and O(*n* log *n*) in those that are returned.
    ///
    /// - Parameter all: the counts, at least one.
    /// - Returns: The sums in the order of the facet, up to its limit.
    /// - Throws: ``TextIndexError`` `.invalidArgument` without any, for those of several facets, or
    ///   for counts that lack buckets.
    public static func sum(of all: some Sequence<FacetCounts>) throws -> FacetCounts {
        try added(all).made()
    }

    /// The same with all buckets, to be added to others.
    package static func wholeSum(of all: some Sequence<FacetCounts>) throws -> FacetCounts {
        try added(all).whole
    }

    /// The same counts as lower bounds, as of some of the indexes.
    package var atLeast: FacetCounts {
        FacetCounts(
            facet: facet, buckets: buckets, bucketCount: bucketCount, objectCount: objectCount,
            missingCount: missingCount, isComplete: false)
    }

    private static func added(_ all: some Sequence<FacetCounts>) throws -> FacetSum<Object> {
        var sum: FacetSum<Object>?
        var facet: Facet?
        for part in all {
            guard facet == nil || facet == part.facet else {
                throw TextIndexError(.invalidArgument, "The counts are of different facets.")
            }
            guard part.buckets.count == part.bucketCount else {
                throw TextIndexError(
                    .invalidArgument, "The counts lack buckets, so their sums would be wrong.")
            }
            if sum == nil { sum = FacetSum(part.facet) }
            facet = part.facet
            sum?.add(part)
        }
        guard let sum else {
            throw TextIndexError(.invalidArgument, "There are no counts to add up.")
        }
        return sum
    }
}
