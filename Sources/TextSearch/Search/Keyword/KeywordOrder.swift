/// The documents that a keyword matches, in the order of its results: by weight, then by the
/// earliest match, then by more matches, then by their numbers.
///
/// Where hits may be of one piece of text, only the record tells how many matches there are. So
/// documents that differ by nothing else are a tie until it is settled.
struct KeywordOrder {
    struct Entry {
        var weight = 0.0
        var place = MatchPlace()
        var document: UInt32
        var mayShareText = false

        fileprivate func precedes(_ other: Entry) -> Bool {
            if weight != other.weight { return weight > other.weight }
            if place != other.place { return place < other.place }
            return document < other.document
        }

        fileprivate func isTied(with other: Entry) -> Bool {
            (weight, place.string, place.position, place.offset)
                == (other.weight, other.place.string, other.place.position, other.place.offset)
        }
    }

    private var entries: [Entry] = []
    /// Whether the worst come first.
    let isReversed: Bool
    /// Counts the memory of `entries`.
    private let share: MemoryShare

    /// The documents of sorted hits, or all for an empty keyword; none where the time is over
    /// before they are in order.
    init(
        of query: KeywordQuery, _ hits: borrowing KeywordHits, _ matched: borrowing MatchedTerms,
        _ snapshot: Snapshot, isReversed: Bool, _ clock: SearchClock
    ) throws {
        self.isReversed = isReversed
        share = MemoryShare(clock)
        if query.isEmpty {
            entries.reserveCapacity(snapshot.count)
            try hold()
            snapshot.forEachDocument {
                entries.append(Entry(document: $0))
                return entries.count & 1_023 != 0 || !clock.isOver(afterWork: 1_024)
            }
        }
        try hits.forEachDocument(matched) { document, place, mayShareText in
            entries.append(Entry(place: place, document: document, mayShareText: mayShareText))
            if entries.count & 1_023 == 0 { try hold() }
        }
        try hold()
        var weights = WeightLookup(snapshot)
        for place in entries.indices {
            entries[place].weight = try weights.weight(of: entries[place].document)
        }
        // NaN weights are refused, so this is an order.
        let areSorted = try entries.withUnsafeMutableBufferPointer {
            try MatchWork(clock: clock).sort($0) {
                isReversed ? $1.precedes($0) : $0.precedes($1)
            }
        }
        if !areSorted { entries = [] }
    }

    private func hold() throws {
        try share.grow(to: entries.capacity * MemoryLayout<Entry>.stride)
    }

    var count: Int { entries.count }

    subscript(rank: Int) -> Entry { entries[rank] }

    // MARK: Ties

    /// The ranks that are tied with a rank, and do not come before it.
    func tie(from rank: Int) -> Range<Int> {
        var end = rank + 1
        while end < entries.count, entries[end].isTied(with: entries[rank]) { end += 1 }
        return rank..<end
    }

    /// Moves those of a tie whose matches have to be counted to its first ranks, and returns these.
    mutating func gatherUncounted(in tie: Range<Int>) -> Range<Int> {
        tie.lowerBound..<entries[tie].partition { !$0.mayShareText }
    }

    /// Takes how many matches the document of a rank has.
    mutating func setMatchCount(_ count: Int, at rank: Int) { entries[rank].place.count = count }

    /// Sorts a tie whose matches are counted.
    mutating func settle(_ tie: Range<Int>) {
        let isReversed = isReversed
        entries[tie].sort { isReversed ? $1.precedes($0) : $0.precedes($1) }
    }
}
