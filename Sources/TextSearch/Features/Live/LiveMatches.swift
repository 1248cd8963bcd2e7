/// Which documents a query matches, kept up to date by a look at those alone that came or went.
///
/// Documents never change, and new ones have higher numbers than all before. So what a commit did
/// follows from two states of the index: the query is evaluated over the segments that hold new
/// documents, and those that are not alive any more leave.
struct LiveMatches {
    /// What a state of the index is to a query, beside the state that was looked at last.
    enum Change {
        /// The same objects.
        case none
        /// Objects came or went; none of them matches, or did.
        case others
        /// Objects that match came or went, or it is not known.
        case matches
    }

    /// Ascending; nil where they are not known: nothing was looked at yet, or the query cannot be
    /// evaluated for some documents alone.
    private var documents: [UInt32]?
    /// All documents that were looked at have lower numbers.
    private var bound: UInt32 = 0
    /// How many of them were alive.
    private var livingCount = 0
    private var exchangeCount = 0

    /// Goes on to another state. `evaluate` gives what the query matches in some of its segments,
    /// or nil where it cannot be known.
    mutating func update(
        to snapshot: Snapshot, _ clock: SearchClock, evaluate: (Snapshot) throws -> [UInt32]?
    ) throws -> Change {
        // What is kept, and what is made of it; that outlives the clock, by as much as its result
        // does.
        let share = MemoryShare(clock)

        guard let documents, snapshot.exchangeCount == exchangeCount else {
            let found = try evaluate(snapshot)
            note(snapshot, found)
            return .matches
        }
        let livingBefore = snapshot.livingCount(below: bound)
        let new = snapshot.segments(from: bound)
        if new == nil, livingBefore == livingCount { return .none }
        try share.grow(to: 2 * documents.count * 4)
        let kept =
            livingBefore == livingCount
            ? documents : snapshot.living(among: documents, clock)
        let found = try new.map { try evaluate($0) } ?? []
        guard let kept, let found else {
            note(snapshot, nil)
            return .matches
        }
        let hasLost = kept.count < documents.count
        let added = found.drop { $0 < bound }
        note(snapshot, kept + added)
        return hasLost || !added.isEmpty ? .matches : .others
    }

    /// Has the next state looked at as if it were the first.
    mutating func forget() { documents = nil }

    private mutating func note(_ snapshot: Snapshot, _ found: [UInt32]?) {
        documents = found
        // A state without documents says nothing of the numbers that were given.
        bound = snapshot.exchangeCount == exchangeCount ? max(bound, snapshot.end) : snapshot.end
        exchangeCount = snapshot.exchangeCount
        livingCount = snapshot.count
    }
}

extension Snapshot {
    private var ranges: [Range<UInt32>] {
        flushed.map(\.manifest.documents) + memory.map(\.documents)
    }

    /// The number after that of its last document.
    fileprivate var end: UInt32 { ranges.map(\.upperBound).max() ?? 0 }

    /// How many documents with lower numbers are alive.
    fileprivate func livingCount(below bound: UInt32) -> Int {
        ranges.reduce(0) {
            let range = $1.clamped(to: 0..<bound)
            return $0 + range.count - dead.count(in: range)
        }
    }

    /// Those of ascending documents that are alive; nil where the time is over before that is
    /// known.
    fileprivate func living(among documents: [UInt32], _ clock: SearchClock) -> [UInt32]? {
        var living: [UInt32] = []
        living.reserveCapacity(documents.count)
        var place = 0
        for range in ranges {
            while place < documents.count, documents[place] < range.upperBound {
                let document = documents[place]
                if place & 0x3fff == 0x3fff, clock.isOver(afterWork: 1_024) { return nil }
                if document >= range.lowerBound, !dead.contains(document) {
                    living.append(document)
                }
                place += 1
            }
        }
        return living
    }

    /// The segments that hold documents from a number on, as a state of their own; nil when there
    /// are none.
    fileprivate func segments(from bound: UInt32) -> Snapshot? {
        let flushed = flushed.filter { $0.manifest.documents.upperBound > bound }
        let memory = memory.filter { $0.documents.upperBound > bound }
        if flushed.isEmpty, memory.isEmpty { return nil }
        return Snapshot(
            flushed: flushed, memory: memory, dead: dead, caches: caches, analyzer: analyzer,
            analyzerNumber: analyzerNumber, exchangeCount: exchangeCount, generation: generation,
            epoch: epoch)
    }
}
