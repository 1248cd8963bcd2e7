/// The best match of each bucket.
struct BestMatches {
    private(set) var entries: [RankedDocument?] = []

    /// The bytes of memory held, with the scores that are there while matches are added.
    var byteCount: Int { entries.capacity * (MemoryLayout<RankedDocument?>.stride + 8) }

    mutating func grow(by count: Int) {
        entries.append(contentsOf: repeatElement(nil, count: count))
    }

    /// Adds matches of one segment; `first` is the number of its first document.
    mutating func add(
        _ column: AttributeColumn, _ codes: CodeBuckets, _ matches: FacetMatches,
        _ range: Range<Int>, _ first: UInt32
    ) {
        let places = codes.places
        // What most matches do not reach; equal ones are looked at.
        var least = entries.map { $0?.score ?? -.infinity }
        column.forEachCode(of: matches.documents[range], first: first) { place, code in
            let bucket = places[code]
            if bucket == -1 || bucket >= 0 && matches.order[place] < least[Int(bucket)] { return }
            codes.forEach(of: code) { bucket in
                let entry = matches.entry(place)
                if let known = entries[bucket], !FacetTally.precedes(entry, known) { return }
                entries[bucket] = entry
                least[bucket] = entry.score
            }
        }
    }
}

/// The best few matches of each of some buckets.
struct GroupHits {
    private var groups: [TopHits]
    /// What is below is none of the best of a group.
    private var least: [Double]

    init(groupCount: Int, hitCount: Int) {
        groups = [TopHits](repeating: TopHits(hitCount), count: groupCount)
        least = [Double](repeating: -.infinity, count: groupCount)
    }

    /// Adds matches of one segment; `slots` has the group of each bucket, or -1.
    mutating func add(
        _ column: AttributeColumn, _ codes: CodeBuckets, _ slots: [Int32], _ matches: FacetMatches,
        _ range: Range<Int>, _ first: UInt32
    ) {
        // The group of each code that is in one bucket; -2 for those in several.
        let groupOfCode = codes.places.map { $0 < 0 ? $0 < -1 ? -2 : -1 : slots[Int($0)] }
        column.forEachCode(of: matches.documents[range], first: first) { place, code in
            let group = groupOfCode[code]
            if group == -1 || group >= 0 && matches.order[place] < least[Int(group)] { return }
            codes.forEach(of: code) { bucket in
                let group = Int(slots[bucket])
                if group >= 0 { add(matches.entry(place), to: group) }
            }
        }
    }

    private mutating func add(_ entry: RankedDocument, to group: Int) {
        groups[group].add(entry)
        if let worst = groups[group].worst { least[group] = worst.score }
    }

    /// Those of each group, best first.
    func sorted() -> [[RankedDocument]] { groups.map { $0.sorted() } }
}

/// The best few of many.
private struct TopHits {
    private let count: Int
    private var kept: [RankedDocument] = []
    /// The worst that is wanted, once there are enough.
    private(set) var worst: RankedDocument?

    init(_ count: Int) { self.count = count }

    mutating func add(_ entry: RankedDocument) {
        if let worst, !FacetTally.precedes(entry, worst) { return }
        kept.append(entry)
        // Room for more than are wanted, so that they are sorted seldom.
        let (room, isTooLarge) = max(count, 4).multipliedReportingOverflow(by: 2)
        guard !isTooLarge, kept.count >= room else { return }
        kept = sorted()
        if kept.count >= count { worst = kept.last }
    }

    func sorted() -> [RankedDocument] {
        Array(kept.sorted(by: FacetTally.precedes).prefix(count))
    }
}
