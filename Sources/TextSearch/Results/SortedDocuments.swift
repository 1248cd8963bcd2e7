/// Documents in the order of sort keys, kept in runs that are in order: where the time is over, those that came until then are.
struct SortedDocuments {
    private let keys: [SortKey]
    private let clock: SearchClock
    private let share: MemoryShare
    private var entries: [RankedDocument] = []
    private var values: [[SortValue]] = []
    private var byteCount = 0
    /// A run takes less than some milliseconds to sort.
    private static let runLength = 4_096

    init(_ keys: [SortKey], _ clock: SearchClock) {
        self.keys = keys
        self.clock = clock
        share = MemoryShare(clock)
    }

    /// Takes a document and what it is compared by.
    ///
    /// - Throws: ``TextIndexError`` `.limitExceeded` where they take too much memory.
    mutating func append(_ document: UInt32, score: Double, _ values: [SortValue]) throws {
        entries.append(
            RankedDocument(
                document: document, score: score, relevance: score, keys: self.values.count))
        self.values.append(values)
        byteCount +=
            MemoryLayout<RankedDocument>.stride * 2 + 32
            + values.reduce(0) { $0 + MemoryLayout<SortValue>.stride + $1.byteCount }
        if entries.count & 0xff == 0 { try share.grow(to: byteCount) }
    }

    /// All of them in order; where the time is over, the first ones of those that were taken.
    consuming func ordered() -> [RankedDocument] {
        var runs: [[RankedDocument]] = []
        for start in stride(from: 0, to: entries.count, by: Self.runLength) {
            // What comes after it is left out.
            if start > 0, clock.isOver(afterWork: Self.runLength) { break }
            let run = entries[start..<min(start + Self.runLength, entries.count)]
            runs.append(run.sorted { precedes($0, $1) })
        }
        while runs.count > 1 {
            var merged: [[RankedDocument]] = []
            for place in stride(from: 0, to: runs.count, by: 2) {
                guard place + 1 < runs.count else {
                    merged.append(runs[place])
                    continue
                }
                merged.append(self.merged(runs[place], runs[place + 1]))
            }
            runs = merged
        }
        return runs.first ?? []
    }

    /// Two runs in one; where the time is over, the first ones of it.
    private func merged(_ a: [RankedDocument], _ b: [RankedDocument]) -> [RankedDocument] {
        var result: [RankedDocument] = []
        result.reserveCapacity(a.count + b.count)
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            if result.count & 0x3ff == 0x3ff, clock.isOver(afterWork: 1_024) { break }
            if j == b.count || i < a.count && !precedes(b[j], a[i]) {
                result.append(a[i])
                i += 1
            } else {
                result.append(b[j])
                j += 1
            }
        }
        return result
    }

    private func precedes(_ a: RankedDocument, _ b: RankedDocument) -> Bool {
        for (number, key) in keys.enumerated() {
            let order = key.order(values[a.keys][number], values[b.keys][number])
            if order != 0 { return order < 0 }
        }
        return a.document < b.document
    }
}

/// What a sort key compares of one document.
enum SortValue {
    case number(Double)
    case attribute(AttributeValue?)

    /// What it holds of memory beside itself.
    fileprivate var byteCount: Int {
        if case .attribute(.string(let text)?) = self { text.utf8.count } else { 0 }
    }
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
