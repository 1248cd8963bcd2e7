/// Adds up what parts of a query match, a part after the other: what they hold goes as soon as
/// there is as much of it as of the sum.
struct MatchUnion {
    private let work: MatchWork
    /// Whether it is counted how many parts match a document.
    private let countsParts: Bool
    private var sum = QueryMatches()
    /// In how many parts each document of `sum` is.
    private var counts: [UInt32] = []
    private var pending: [QueryMatches] = []
    private var pendingCount = 0
    private(set) var partCount = 0

    /// So much waits at the least.
    private static let leastCount = 1 << 14

    init(_ work: MatchWork, countsParts: Bool = false) {
        self.work = work
        self.countsParts = countsParts
    }

    /// Adds a part; scores add up in the order of the parts.
    mutating func add(_ part: QueryMatches) throws {
        partCount += 1
        pending.append(part)
        pendingCount += part.documents.count + part.hits.count
        if pendingCount >= max(sum.documents.count + sum.hits.count, Self.leastCount) {
            try merge()
        }
    }

    /// What is in `count` of the parts at least. Nothing can be added after that.
    mutating func matches(atLeast count: Int = 1) throws -> QueryMatches {
        try merge()
        var result = sum
        sum = QueryMatches()
        if count > 1 {
            var kept = QueryMatches()
            for place in result.documents.indices where counts[place] >= count {
                if kept.documents.count & 1_023 == 0, try work.isOver(after: 1_024) { break }
                kept.documents.append(result.documents[place])
                kept.scores.append(result.scores[place])
            }
            kept.hits = try result.hits(in: kept.documents, work)
            result = kept
        }
        guard try result.sortHits(work) else { return QueryMatches() }
        try result.hold(by: work.clock)
        return result
    }

    // MARK: Merging

    private mutating func merge() throws {
        guard !pending.isEmpty else { return }
        let parts = sum.documents.isEmpty && sum.hits.isEmpty ? pending : [sum] + pending
        let hasSum = parts.count > pending.count
        pending = []
        pendingCount = 0
        if parts.count == 1 {
            sum = parts[0]
            if countsParts { counts = [UInt32](repeating: 1, count: sum.documents.count) }
            return
        }
        var (result, resultCounts) = (QueryMatches(), [UInt32]())
        if let dense = DenseUnion(parts, work.clock) {
            (result, resultCounts) = try dense.add(
                parts, countsOfFirst: hasSum && countsParts ? counts : nil, countsParts, work)
        } else {
            (result, resultCounts) = try mergeSparse(parts, hasSum)
        }
        for part in parts {
            if part.hits.isEmpty { continue }
            if try work.isOver(after: part.hits.count / 16) { break }
            result.hits += part.hits
            try result.hold(by: work.clock)
        }
        try result.hold(by: work.clock)
        (sum, counts) = (result, resultCounts)
    }

    /// Complexity: n log p for n documents in p parts.
    private func mergeSparse(
        _ parts: [QueryMatches], _ hasSum: Bool
    ) throws -> (QueryMatches, [UInt32]) {
        var (result, resultCounts) = (QueryMatches(), [UInt32]())
        var heads = PartHeads(parts)
        while let document = heads.document {
            if result.documents.count & 1_023 == 0 {
                try result.hold(by: work.clock)
                if try work.isOver(after: 1_024 * 4) { break }
            }
            var score = 0.0
            var count: UInt32 = 0
            while heads.document == document {
                let (part, place) = heads.next()
                score += parts[part].scores[place]
                count += part == 0 && hasSum && countsParts ? counts[place] : 1
            }
            result.documents.append(document)
            result.scores.append(score)
            if countsParts { resultCounts.append(count) }
        }
        return (result, resultCounts)
    }
}

/// The next document of each of several parts, as a heap.
private struct PartHeads {
    private let parts: [QueryMatches]
    private var places: [Int]
    /// A document, and in the lower half the number of its part.
    private var heap: [UInt64]

    init(_ parts: [QueryMatches]) {
        self.parts = parts
        places = [Int](repeating: 0, count: parts.count)
        // In ascending order they are a heap.
        heap = parts.indices.filter { !parts[$0].documents.isEmpty }.map {
            UInt64(parts[$0].documents[0]) << 32 | UInt64($0)
        }.sorted()
    }

    /// The least document that is left.
    var document: UInt32? { heap.first.map { UInt32(truncatingIfNeeded: $0 >> 32) } }

    /// Takes it from the first part that has it; where it is there. There must be one.
    mutating func next() -> (part: Int, place: Int) {
        let part = Int(heap[0] & 0xffff_ffff)
        let place = places[part]
        places[part] = place + 1
        if place + 1 < parts[part].documents.count {
            heap[0] = UInt64(parts[part].documents[place + 1]) << 32 | UInt64(part)
        } else if let last = heap.popLast(), !heap.isEmpty {
            heap[0] = last
        }
        sink()
        return (part, place)
    }

    private mutating func sink() {
        var place = 0
        while 2 * place + 1 < heap.count {
            var child = 2 * place + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[place] else { return }
            heap.swapAt(child, place)
            place = child
        }
    }
}
