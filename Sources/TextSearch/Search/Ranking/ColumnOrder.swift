/// Puts documents in the order of sort keys by columns, segment by segment: only where several
/// segments have some are values made.
struct ColumnOrder {
    private let keys: [SortKey]
    private let snapshot: Snapshot
    private let store: IndexStore
    private let clock: SearchClock

    init(_ keys: [SortKey], _ snapshot: Snapshot, _ store: IndexStore, _ clock: SearchClock) {
        self.keys = keys
        self.snapshot = snapshot
        self.store = store
        self.clock = clock
    }

    /// The places of the first `count` of some matches, in order; of those that were come to, where
    /// the time is over.
    ///
    /// Complexity: linear in the matches; n log n in those that are asked for, and in how often
    /// another one is among the first.
    func first(_ count: Int, of matches: QueryMatches) throws -> [Int] {
        var start = 0
        return try first(count) { documents in
            let end = matches.documents[start...].firstPlace { $0 >= documents.upperBound }
            defer { start = end }
            return start < end ? .matches(matches, start..<end) : nil
        }.map(\.place)
    }

    /// The same of what filters let pass; documents.
    func first(_ count: Int, of sets: FilterSets) throws -> [UInt32] {
        var place = 0
        return try first(count) { _ in
            defer { place += 1 }
            return sets.bits[place].count > 0 ? .bits(sets.bits[place]) : nil
        }.map { $0.first &+ UInt32($0.place) }
    }

    /// A place of what is sorted of a segment, and the segment's first document.
    private typealias Found = (first: UInt32, place: Int)

    /// `part` gives what is sorted of each segment.
    private func first(
        _ count: Int, _ part: (Range<UInt32>) -> SortedPart?
    ) throws -> [Found] {
        var lists: [SortedSegment] = []
        let share = MemoryShare(clock)
        defer { withExtendedLifetime(share) {} }
        for segment in snapshot.segments where count > 0 {
            let documents = segment.documents
            guard let part = part(documents) else { continue }
            do {
                var list = SortedSegment(
                    columns: try keys.map { try column($0, segment, part) }, part: part,
                    first: documents.lowerBound, clock: clock)
                try list.find(count)
                try share.grow(to: share.bytes + list.places.capacity * 8)
                lists.append(list)
            } catch is SearchEnded {
                // The values of the others are not known.
                break
            }
        }
        guard let list = lists.first else { return [] }
        if lists.count == 1 { return list.places.map { (list.first, $0) } }
        return try merged(lists, count, share)
    }

    // MARK: Several segments

    /// The next of a segment, and what is compared of it.
    private struct Head {
        let list: Int
        var number = 0
        var place = 0
        var values: [SortValue] = []
    }

    /// Values compare between segments, codes do not.
    private func merged(
        _ lists: [SortedSegment], _ count: Int, _ share: MemoryShare
    ) throws -> [Found] {
        // The last one is the next.
        var heads: [Head] = []
        for list in lists.indices { insert(Head(list: list), lists, &heads) }
        let count = min(count, lists.reduce(0) { $0 + $1.places.count })
        try share.grow(to: share.bytes + count * 16)
        var places: [Found] = []
        places.reserveCapacity(count)
        while places.count < count, var head = heads.popLast() {
            if places.count & 0x7f == 0x7f, clock.isOver(afterCombining: 1_024) { break }
            places.append((lists[head.list].first, head.place))
            head.number += 1
            insert(head, lists, &heads)
        }
        return places
    }

    private func insert(
        _ head: Head, _ lists: [SortedSegment], _ heads: inout [Head]
    ) {
        let list = lists[head.list]
        guard head.number < list.places.count else { return }
        var head = head
        head.place = list.places[head.number]
        head.values = list.values(of: head.place)
        heads.insert(head, at: heads.firstPlace { !precedes(head, $0) })
    }

    private func precedes(_ a: Head, _ b: Head) -> Bool {
        for (number, key) in keys.enumerated() {
            let order = key.order(a.values[number], b.values[number])
            if order != 0 { return order < 0 }
        }
        return (a.list, a.place) < (b.list, b.place)
    }

    // MARK: Columns

    private func column(
        _ key: SortKey, _ segment: SegmentReader, _ part: SortedPart
    ) throws -> SortColumn {
        switch key.kind {
        case .relevance: return SortColumn(key, .scores)
        case .weight: return SortColumn(key, .weights(try segment.weights()))
        case .attribute(let name):
            switch try segment.attribute(name, clock) {
            case .nowhere: return SortColumn(key, .nothing)
            case .column(let column): return SortColumn(key, .attribute(column), areKept: true)
            case .records:
                let documents = segment.documents
                let own = part.documents(first: documents.lowerBound)
                return SortColumn(
                    key, .attribute(try .recorded(name, of: own, in: documents, store, clock)))
            }
        }
    }
}

/// The first matches of one segment, in the order of sort keys.
private struct SortedSegment {
    let columns: [SortColumn]
    private let part: SortedPart
    /// The number of the first document.
    let first: UInt32
    let clock: SearchClock
    private(set) var places: [Int] = []

    init(columns: [SortColumn], part: SortedPart, first: UInt32, clock: SearchClock) {
        self.columns = columns
        self.part = part
        self.first = first
        self.clock = clock
    }

    /// What the first key compares of a match, and its place among all.
    private struct Entry: BitwiseCopyable {
        var ordinal: UInt64
        var place: Int
    }

    /// So many matches are looked at before the time is.
    private static let stretch = 4_096

    /// Of so few each match that is among the first is put in its place; of more, twice as many are
    /// sorted from time to time.
    private static let few = 32

    mutating func find(_ count: Int) throws {
        guard let column = columns.first else {
            places = part.places(count)
            return
        }
        if columns.count == 1, case .bits(let bits) = part,
            !clock.isOver(afterWork: bits.words.count),
            let found = column.first(count, of: bits)
        {
            places = found
            return
        }
        if count <= Self.few { return findFew(count, by: column) }
        let range = part.range
        var best: [Entry] = []
        let (double, overflow) = count.multipliedReportingOverflow(by: 2)
        let room = overflow ? Int.max : double
        var greatest = UInt64.max
        // Of equal ones the first is before the others, where no other key tells them apart.
        let isOnly = columns.count == 1
        let share = MemoryShare(clock)
        defer { withExtendedLifetime(share) {} }
        var start = range.lowerBound
        while start < range.upperBound {
            try share.grow(to: best.capacity * MemoryLayout<Entry>.stride)
            let end = min(start + Self.stretch, range.upperBound)
            if clock.isOver(afterCombining: (end - start) / 4) { break }
            var cut: SearchEnded?
            column.forEachOrdinal(of: part, start..<end, first: first) { place, ordinal in
                if ordinal > greatest || isOnly && ordinal == greatest && best.count >= count {
                    return
                }
                best.append(Entry(ordinal: ordinal, place: place))
                guard best.count >= room else { return }
                best.sort { precedes($0, $1) }
                if clock.isOver(afterCombining: 4 * best.count) { cut = SearchEnded() }
                best.removeSubrange(count...)
                greatest = best.last?.ordinal ?? 0
            }
            if cut != nil { break }
            start = end
        }
        let isSorted = try best.withUnsafeMutableBufferPointer {
            try MatchWork(clock: clock).sort($0) { precedes($0, $1) }
        }
        guard isSorted else { return }
        places = best.prefix(count).map(\.place)
    }

    private mutating func findFew(_ count: Int, by column: SortColumn) {
        let range = part.range
        // In order.
        var best: [Entry] = []
        best.reserveCapacity(count)
        var greatest = UInt64.max
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Self.stretch, range.upperBound)
            if clock.isOver(afterCombining: (end - start) / 4) { break }
            column.forEachOrdinal(of: part, start..<end, first: first) { place, ordinal in
                if ordinal > greatest { return }
                let entry = Entry(ordinal: ordinal, place: place)
                if best.count == count {
                    guard precedes(entry, best[count - 1]) else { return }
                    best.removeLast()
                }
                var slot = best.count
                while slot > 0, precedes(entry, best[slot - 1]) { slot -= 1 }
                best.insert(entry, at: slot)
                if best.count == count { greatest = best[count - 1].ordinal }
            }
            start = end
        }
        places = best.map(\.place)
    }

    @inline(__always)
    private func precedes(_ a: Entry, _ b: Entry) -> Bool {
        if a.ordinal != b.ordinal { return a.ordinal < b.ordinal }
        for column in columns.dropFirst() {
            let one = column.ordinal(a.place, of: part, first: first)
            let other = column.ordinal(b.place, of: part, first: first)
            if one != other { return one < other }
        }
        return a.place < b.place
    }

    /// What is compared between segments.
    func values(of place: Int) -> [SortValue] {
        let document = part.document(place, first: first)
        return columns.map { $0.value(of: document, score: part.score(place)) }
    }
}
