/// The living documents of each segment of a snapshot that a filter lets pass.
struct FilterSets {
    /// Flushed segments come first.
    let bits: [FilterBits]
    let count: Int
    private let firstDocuments: [UInt32]
    /// Counts the memory of those that are not kept for other searches.
    private let share: MemoryShare

    init(_ bits: [FilterBits], _ snapshot: Snapshot, _ share: MemoryShare) {
        self.share = share
        self.bits = bits
        count = bits.reduce(0) { $0 + $1.count }
        firstDocuments = bits.indices.map { snapshot.segments[$0].documents.lowerBound }
    }

    /// The documents, ascending.
    var documents: [UInt32] {
        var documents: [UInt32] = []
        documents.reserveCapacity(count)
        for (bits, first) in zip(bits, firstDocuments) where bits.count > 0 {
            bits.forEach {
                documents.append(first &+ $0)
                return true
            }
        }
        return documents
    }

    /// The same without scores; where memory is short or the time is over, the first ones.
    func matches(_ clock: SearchClock) throws -> QueryMatches {
        let room = try MemoryShare(clock, count * 12)
        defer { withExtendedLifetime(room) {} }
        var documents: [UInt32] = []
        documents.reserveCapacity(count)
        for (bits, first) in zip(bits, firstDocuments) where bits.count > 0 {
            bits.forEach {
                if documents.count & 0xfff == 0xfff, clock.isOver(afterCombining: 1_024) {
                    return false
                }
                documents.append(first &+ $0)
                return true
            }
        }
        try room.set(to: 0)
        var matches = QueryMatches(unscored: documents)
        try matches.hold(by: clock)
        return matches
    }

    /// The first of them, ascending.
    func prefix(_ limit: Int) -> [UInt32] {
        var documents: [UInt32] = []
        for (bits, first) in zip(bits, firstDocuments) where documents.count < limit {
            bits.forEach {
                documents.append(first &+ $0)
                return documents.count < limit
            }
        }
        return documents
    }

    /// Those of ascending documents that are among them.
    func documents(among others: [UInt32]) -> [UInt32] {
        others.filter { document in
            let place = firstDocuments.lastIndex { $0 <= document }
            return place.map { bits[$0].contains(document - firstDocuments[$0]) } ?? false
        }
    }
}
