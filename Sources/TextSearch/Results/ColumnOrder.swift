/// Puts documents in the order of sort keys by columns, segment by segment: only the first of each segment have their values made.
struct ColumnOrder {
    private let keys: [SortKey]
    private let snapshot: Snapshot
    private let store: IndexStore

    init(_ keys: [SortKey], _ snapshot: Snapshot, _ store: IndexStore) {
        self.keys = keys
        self.snapshot = snapshot
        self.store = store
    }

    /// The places of the first `count` of some matches, in order.
    ///
    /// Complexity: linear in the matches; n log n in those that are asked for, and in how often another one is among the first.
    func first(_ count: Int, of matches: QueryMatches) throws -> [Int] {
        var first: [Place] = []
        var segments = 0
        var start = 0
        for place in 0..<(snapshot.flushed.count + snapshot.memory.count) {
            let documents = snapshot.documents(ofPlace: place)
            let end =
                start + matches.documents[start...].firstPlace { $0 >= documents.upperBound }
                - start
            defer { start = end }
            guard start < end, count > 0 else { continue }
            let segment = Segment(
                columns: try keys.map {
                    try column($0, place, matches.documents[start..<end], documents)
                }, first: documents.lowerBound)
            segments += 1
            first += segment.first(count, of: matches, start..<end).map {
                Place(place: $0, segment: segment)
            }
        }
        if segments > 1 { sort(&first, matches) }
        return first.prefix(count).map(\.place)
    }

    /// One of the first of a segment.
    private struct Place {
        let place: Int
        let segment: Segment
        var values: [SortValue] = []
    }

    /// Values compare between segments, codes do not.
    private func sort(_ places: inout [Place], _ matches: QueryMatches) {
        for number in places.indices {
            let place = places[number].place
            let document = Int(matches.documents[place] - places[number].segment.first)
            places[number].values = places[number].segment.columns.map {
                $0.value(of: document, score: matches.scores[place])
            }
        }
        places.sort { a, b in
            for (number, key) in keys.enumerated() {
                let order = key.order(a.values[number], b.values[number])
                if order != 0 { return order < 0 }
            }
            return a.place < b.place
        }
    }

    // MARK: Columns

    private func column(
        _ key: SortKey, _ place: Int, _ matches: ArraySlice<UInt32>, _ documents: Range<UInt32>
    ) throws -> SortColumn {
        switch key.kind {
        case .relevance: return SortColumn(key, .scores)
        case .weight:
            return SortColumn(
                key,
                .weights(
                    place < snapshot.flushed.count
                        ? try snapshot.flushed[place].weights()
                        : snapshot.memory[place - snapshot.flushed.count].segment.documents.weights
                            .withElements { Array($0) }))
        case .attribute(let name):
            // The order of what was found is told, however long the search may take.
            let clock = SearchClock(.unlimited, longest: nil)
            let source =
                place < snapshot.flushed.count
                ? try snapshot.flushed[place].attribute(name, clock)
                : try snapshot.memory[place - snapshot.flushed.count].segment.attribute(name)
            switch source {
            case .nowhere: return SortColumn(key, .nothing)
            case .column(let column): return SortColumn(key, .attribute(column))
            case .records:
                return SortColumn(
                    key, .attribute(try .recorded(name, of: matches, in: documents, store, clock)))
            }
        }
    }

    // MARK: One segment

    private struct Segment {
        let columns: [SortColumn]
        /// The number of the first document.
        let first: UInt32

        /// What the first key compares of a match, and its place among all.
        private struct Entry {
            var ordinal: UInt64
            var place: Int
        }

        func first(_ count: Int, of matches: QueryMatches, _ range: Range<Int>) -> [Int] {
            guard let column = columns.first else { return Array(range.prefix(count)) }
            var best: [Entry] = []
            let (double, overflow) = max(count, 32).multipliedReportingOverflow(by: 2)
            let room = overflow ? Int.max : double
            var greatest = UInt64.max
            // Of equal ones the first is before the others, where no other key tells them apart.
            let isOnly = columns.count == 1
            column.forEachOrdinal(of: matches, range, first: first) { place, ordinal in
                if ordinal > greatest || isOnly && ordinal == greatest && best.count >= count {
                    return
                }
                best.append(Entry(ordinal: ordinal, place: place))
                guard best.count >= room else { return }
                sort(&best, matches)
                best.removeSubrange(count...)
                greatest = best.last?.ordinal ?? 0
            }
            sort(&best, matches)
            return best.prefix(count).map(\.place)
        }

        private func sort(_ entries: inout [Entry], _ matches: QueryMatches) {
            let others = columns.dropFirst()
            entries.sort { a, b in
                if a.ordinal != b.ordinal { return a.ordinal < b.ordinal }
                for column in others {
                    let (one, other) = (
                        column.ordinal(a.place, of: matches, first: first),
                        column.ordinal(b.place, of: matches, first: first)
                    )
                    if one != other { return one < other }
                }
                return a.place < b.place
            }
        }
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
        case attribute(AttributeColumn)
    }

    private let kind: Kind
    private let isAscending: Bool
    private var notNumbers: [Int] = []

    init(_ key: SortKey, _ kind: Kind) {
        self.kind = kind
        isAscending = key.direction == .ascending
        if case .attribute(let column) = kind { notNumbers = CodeSet.notNumbers(column) }
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
        case .attribute(let column): return ordinal(column.code(of: document), column)
        }
    }

    @inline(__always)
    private func ordinal(_ code: Int, _ column: AttributeColumn) -> UInt64 {
        if code > 0, code <= column.valueCount, column.areDistinct, !notNumbers.contains(code) {
            return UInt64(isAscending ? code : column.valueCount - code)
        }
        let found = column.extreme(of: code, greatest: !isAscending, notNumbers: notNumbers)
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
        case .attribute(let column):
            let code = column.extreme(
                of: column.code(of: document), greatest: !isAscending, notNumbers: notNumbers)
            return .attribute(code.flatMap { column.value(of: $0) })
        }
    }
}
