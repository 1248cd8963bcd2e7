/// Puts documents in the order of sort keys by columns, segment by segment: only where several segments have some are values made.
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

    /// The places of the first `count` of some matches, in order; of those that were come to, where the time is over.
    ///
    /// Complexity: linear in the matches; n log n in those that are asked for, and in how often another one is among the first.
    func first(_ count: Int, of matches: QueryMatches) throws -> [Int] {
        var lists: [SortedSegment] = []
        var start = 0
        let share = MemoryShare(clock)
        defer { withExtendedLifetime(share) {} }
        for place in 0..<(snapshot.flushed.count + snapshot.memory.count) {
            let documents = snapshot.documents(ofPlace: place)
            let end = matches.documents[start...].firstPlace { $0 >= documents.upperBound }
            defer { start = end }
            guard start < end, count > 0 else { continue }
            do {
                var list = SortedSegment(
                    columns: try keys.map {
                        try column($0, place, matches.documents[start..<end], documents)
                    }, first: documents.lowerBound, clock: clock)
                try list.find(count, of: matches, start..<end)
                try share.grow(to: share.bytes + list.places.capacity * 8)
                lists.append(list)
            } catch is SearchEnded {
                // The values of the others are not known.
                break
            }
        }
        if lists.count < 2 { return lists.first?.places ?? [] }
        return try merged(lists, count, matches, share)
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
        _ lists: [SortedSegment], _ count: Int, _ matches: QueryMatches, _ share: MemoryShare
    ) throws -> [Int] {
        // The last one is the next.
        var heads: [Head] = []
        for list in lists.indices { insert(Head(list: list), lists, matches, &heads) }
        let count = min(count, lists.reduce(0) { $0 + $1.places.count })
        try share.grow(to: share.bytes + count * 8)
        var places: [Int] = []
        places.reserveCapacity(count)
        while places.count < count, var head = heads.popLast() {
            if places.count & 0x7f == 0x7f, clock.isOver(afterCombining: 1_024) { break }
            places.append(head.place)
            head.number += 1
            insert(head, lists, matches, &heads)
        }
        return places
    }

    private func insert(
        _ head: Head, _ lists: [SortedSegment], _ matches: QueryMatches, _ heads: inout [Head]
    ) {
        let list = lists[head.list]
        guard head.number < list.places.count else { return }
        var head = head
        head.place = list.places[head.number]
        head.values = list.values(of: head.place, in: matches)
        var (low, high) = (0, heads.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(head, heads[middle]) { low = middle + 1 } else { high = middle }
        }
        heads.insert(head, at: low)
    }

    private func precedes(_ a: Head, _ b: Head) -> Bool {
        for (number, key) in keys.enumerated() {
            let order = key.order(a.values[number], b.values[number])
            if order != 0 { return order < 0 }
        }
        return a.place < b.place
    }

    // MARK: Columns

    private func column(
        _ key: SortKey, _ place: Int, _ matches: ArraySlice<UInt32>, _ documents: Range<UInt32>
    ) throws -> SortColumn {
        let isFlushed = place < snapshot.flushed.count
        let memory = isFlushed ? nil : snapshot.memory[place - snapshot.flushed.count].segment
        switch key.kind {
        case .relevance: return SortColumn(key, .scores)
        case .weight:
            if let memory { return SortColumn(key, .memory(memory)) }
            return SortColumn(key, .weights(try snapshot.flushed[place].weights()))
        case .attribute(let name):
            let source =
                try memory?.attribute(name, clock)
                ?? snapshot.flushed[place].attribute(name, clock)
            switch source {
            case .nowhere: return SortColumn(key, .nothing)
            case .column(let column): return SortColumn(key, .attribute(column))
            case .records:
                return SortColumn(
                    key, .attribute(try .recorded(name, of: matches, in: documents, store, clock)))
            }
        }
    }
}

/// The first matches of one segment, in the order of sort keys.
private struct SortedSegment {
    let columns: [SortColumn]
    /// The number of the first document.
    let first: UInt32
    let clock: SearchClock
    private(set) var places: [Int] = []

    init(columns: [SortColumn], first: UInt32, clock: SearchClock) {
        self.columns = columns
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

    mutating func find(_ count: Int, of matches: QueryMatches, _ range: Range<Int>) throws {
        guard let column = columns.first else {
            places = Array(range.prefix(count))
            return
        }
        var best: [Entry] = []
        let (double, overflow) = max(count, 32).multipliedReportingOverflow(by: 2)
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
            column.forEachOrdinal(of: matches, start..<end, first: first) { place, ordinal in
                if ordinal > greatest || isOnly && ordinal == greatest && best.count >= count {
                    return
                }
                best.append(Entry(ordinal: ordinal, place: place))
                guard best.count >= room else { return }
                best.sort { precedes($0, $1, matches) }
                if clock.isOver(afterCombining: 4 * best.count) { cut = SearchEnded() }
                best.removeSubrange(count...)
                greatest = best.last?.ordinal ?? 0
            }
            if cut != nil { break }
            start = end
        }
        let isSorted = try best.withUnsafeMutableBufferPointer {
            try MatchWork(clock: clock).sort($0) { precedes($0, $1, matches) }
        }
        guard isSorted else { return }
        places = best.prefix(count).map(\.place)
    }

    @inline(__always)
    private func precedes(_ a: Entry, _ b: Entry, _ matches: QueryMatches) -> Bool {
        if a.ordinal != b.ordinal { return a.ordinal < b.ordinal }
        for column in columns.dropFirst() {
            let one = column.ordinal(a.place, of: matches, first: first)
            let other = column.ordinal(b.place, of: matches, first: first)
            if one != other { return one < other }
        }
        return a.place < b.place
    }

    /// What is compared between segments.
    func values(of place: Int, in matches: QueryMatches) -> [SortValue] {
        let document = Int(matches.documents[place] - first)
        return columns.map { $0.value(of: document, score: matches.scores[place]) }
    }
}

/// What a sort key compares of one document.
enum SortValue {
    case number(Double)
    case attribute(AttributeValue?)
}

extension SortKey {
    fileprivate func order(_ a: SortValue, _ b: SortValue) -> Int {
        switch (a, b) {
        case (.number(let a), .number(let b)): order(a, b)
        case (.attribute(let a), .attribute(let b)): order(a, b)
        default: 0
        }
    }
}

/// What a sort key compares of the documents of one segment, as numbers of which the least comes first.
private struct SortColumn {
    enum Kind {
        /// All are equal.
        case nothing
        case scores
        case weights([Double])
        case memory(MemorySegment)
        case attribute(AttributeColumn)
    }

    private let kind: Kind
    private let isAscending: Bool

    init(_ key: SortKey, _ kind: Kind) {
        self.kind = kind
        isAscending = key.direction == .ascending
    }

    /// Calls `body` with each place of a range of matches and what is compared of it.
    @inline(__always)
    func forEachOrdinal(
        of matches: QueryMatches, _ range: Range<Int>, first: UInt32,
        _ body: (_ place: Int, _ ordinal: UInt64) -> Void
    ) {
        switch kind {
        case .nothing: for place in range { body(place, .max) }
        case .scores: for place in range { body(place, ordinal(matches.scores[place])) }
        case .weights(let weights):
            for place in range {
                body(place, ordinal(weights[Int(matches.documents[place] - first)]))
            }
        case .memory(let segment):
            for place in range {
                let document = Int(matches.documents[place] - first)
                body(place, ordinal(segment.documents.weights[document]))
            }
        case .attribute(let column) where column.isPlain:
            let count = UInt64(column.valueCount)
            column.forEachCode(of: matches.documents[range], first: first) { place, code in
                let code = UInt64(truncatingIfNeeded: code)
                body(place, code == 0 ? .max : isAscending ? code : count &- code)
            }
        case .attribute(let column):
            column.forEachCode(of: matches.documents[range], first: first) { place, code in
                body(place, ordinal(code, column))
            }
        }
    }

    /// What is compared of a match.
    func ordinal(_ place: Int, of matches: QueryMatches, first: UInt32) -> UInt64 {
        let document = Int(matches.documents[place] - first)
        switch kind {
        case .nothing: return .max
        case .scores: return ordinal(matches.scores[place])
        case .weights(let weights): return ordinal(weights[document])
        case .memory(let segment): return ordinal(segment.documents.weights[document])
        case .attribute(let column): return ordinal(column.code(of: document), column)
        }
    }

    private func ordinal(_ code: Int, _ column: AttributeColumn) -> UInt64 {
        let found = column.extreme(of: code, greatest: !isAscending)
        return found.map { UInt64(isAscending ? $0 : column.valueCount - $0) } ?? .max
    }

    @inline(__always)
    private func ordinal(_ number: Double) -> UInt64 {
        // One zero; the bits of positive numbers are in their order.
        let bits = (number + 0).bitPattern
        let ordinal = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        return isAscending ? ordinal : ~ordinal
    }

    /// What is compared between segments.
    func value(of document: Int, score: Double) -> SortValue {
        switch kind {
        case .nothing: return .attribute(nil)
        case .scores: return .number(score)
        case .weights(let weights): return .number(weights[document])
        case .memory(let segment): return .number(segment.documents.weights[document])
        case .attribute(let column):
            let code = column.extreme(of: column.code(of: document), greatest: !isAscending)
            return .attribute(code.flatMap { column.value(of: $0) })
        }
    }
}
