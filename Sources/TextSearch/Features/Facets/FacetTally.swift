/// Counts the matches of a query by the buckets of one facet, segment by segment.
final class FacetTally {
    /// The matches in one segment, with the buckets of their codes.
    private struct Part {
        var matches: Range<Int>
        var first: UInt32
        var column: AttributeColumn
        var codes: CodeBuckets
    }

    let facet: Facet
    private var buckets: FacetBuckets
    private var counts: [Int] = []
    /// The best match of each bucket, where the order of the buckets wants it.
    private var best = BestMatches()
    private var parts: [Part] = []
    private(set) var objectCount = 0
    private(set) var missingCount = 0
    private(set) var isComplete = true
    /// The time is looked at after so many documents.
    private static let stride = 1 << 14
    private let share: MemoryShare

    /// `kind` is what is counted by, where the facet leaves that to what there is.
    init(_ facet: Facet, _ kind: Facet.Kind, _ clock: SearchClock) {
        self.facet = facet
        share = MemoryShare(clock)
        buckets = FacetBuckets(kind)
        if buckets.areGiven { grow() }
    }

    var keys: [FacetKey] { buckets.keys }
    /// Whether the buckets are there before anything lies in them.
    var areGiven: Bool { buckets.areGiven }
    func count(of bucket: Int) -> Int { counts[bucket] }

    /// Notes that documents were left out.
    func noteEnd() { isComplete = false }

    /// Counts matches of one segment, of which none has the attribute.
    func addMissing(_ count: Int) { missingCount += count }

    /// Counts matches of one segment; `first` is the number of its first document.
    func add(
        _ column: AttributeColumn, _ matches: FacetMatches, _ range: Range<Int>, first: UInt32,
        _ clock: SearchClock
    ) throws {
        // What is counted by codes, and their buckets.
        let codeShare = try MemoryShare(clock, column.codeCount * 8)
        defer { withExtendedLifetime(codeShare) {} }
        var found = [Int32](repeating: 0, count: column.codeCount)
        var end = range.lowerBound
        while end < range.upperBound {
            if clock.check() {
                isComplete = false
                break
            }
            let next = min(end + Self.stride, range.upperBound)
            if clock.isOver(afterWork: (next - end) / 16) {
                isComplete = false
                break
            }
            Self.count(column, matches.documents[end..<next], first, into: &found)
            end = next
        }
        var codes = CodeBuckets(column)
        missingCount += Int(found[0])
        for code in 1..<found.count where found[code] > 0 {
            if code & 0xff == 0, clock.isOver(afterWork: 256) {
                isComplete = false
                break
            }
            if column.isEmpty(code) {
                missingCount += Int(found[code])
                continue
            }
            codes.find(code, column, &buckets)
            if buckets.keys.count > counts.count { grow() }
            if code & 0xff == 0 { try hold() }
            objectCount += Int(found[code])
            codes.forEach(of: code) { counts[$0] += Int(found[code]) }
        }
        let part = Part(
            matches: range.lowerBound..<end, first: first, column: column, codes: codes)
        if facet.order == .bestHit {
            best.add(part.column, codes, matches, part.matches, first)
            if clock.isOver(afterWork: part.matches.count / 16) { isComplete = false }
        }
        if facet.topHits > 0 { parts.append(part) }
        try hold()
    }

    private func hold() throws {
        let parts = parts.reduce(0) { $0 + $1.codes.byteCount }
        try share.grow(
            to: buckets.byteCount + counts.capacity * 8 + best.byteCount + parts)
    }

    @inline(never)
    private static func count(
        _ column: AttributeColumn, _ documents: ArraySlice<UInt32>, _ first: UInt32,
        into found: inout [Int32]
    ) {
        found.withUnsafeMutableBufferPointer { found in
            column.forEachCode(of: documents, first: first) { _, code in found[code] &+= 1 }
        }
    }

    private func grow() {
        let added = buckets.keys.count - counts.count
        counts.append(contentsOf: repeatElement(0, count: added))
        if facet.order == .bestHit { best.grow(by: added) }
    }

    /// The order of results: by score, by relevance, then in the order of indexing.
    static func precedes(_ a: RankedDocument, _ b: RankedDocument) -> Bool {
        if a.score != b.score { return a.score > b.score }
        return a.relevance != b.relevance ? a.relevance > b.relevance : a.document < b.document
    }

    // MARK: The answer

    /// The numbers of the buckets to give, in order; where the time is over, the first ones of
    /// those that were looked at.
    func chosen(_ clock: SearchClock) -> [Int] {
        let limit = max(facet.limit, 0)
        guard limit > 0 else { return [] }
        var kept: [Int] = []
        // Few of many: most need only be compared with the last of those that are kept for sure.
        var last: Int?
        let room = max(limit, 2_048)
        for bucket in counts.indices where buckets.areGiven || counts[bucket] > 0 {
            if bucket & 0x3ff == 0x3ff, clock.isOver(afterWork: 1_024) {
                isComplete = false
                break
            }
            if let last, !precedes(bucket, last) { continue }
            kept.append(bucket)
            guard kept.count - limit >= room else { continue }
            kept = Array(kept.sorted(by: precedes).prefix(limit))
            last = kept.last
        }
        return Array(kept.sorted(by: precedes).prefix(limit))
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        switch facet.order {
        case .count:
            if counts[a] != counts[b] { return counts[a] > counts[b] }
        case .bestHit:
            switch (best.entries[a], best.entries[b]) {
            case (let first?, let second?):
                if Self.precedes(first, second) { return true }
                if Self.precedes(second, first) { return false }
            case (nil, nil): break
            case (let first, _): return first != nil
            }
        case .key: break
        }
        if buckets.areGiven { return a < b }
        return FacetKey.precedes(buckets.keys[a], buckets.keys[b])
    }

    /// How many buckets there are.
    var bucketCount: Int {
        buckets.areGiven ? counts.count : counts.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
    }

    /// The best matches of some buckets, as many of each as the facet asks for, best first.
    func topHits(of chosen: [Int], _ matches: FacetMatches) -> [[RankedDocument]] {
        guard facet.topHits > 0 else { return chosen.map { _ in [] } }
        var slots = [Int32](repeating: -1, count: counts.count)
        for (slot, bucket) in chosen.enumerated() { slots[bucket] = Int32(slot) }
        var groups = GroupHits(groupCount: chosen.count, hitCount: facet.topHits)
        for part in parts {
            groups.add(part.column, part.codes, slots, matches, part.matches, part.first)
        }
        return groups.sorted()
    }
}
