/// The objects that a query matches, with scores and hits.
struct QueryMatches {
    /// Ascending.
    var documents: [UInt32] = []
    var scores: [Double] = []
    /// Where the words stand, by document, then in text order.
    var hits: [Hit] = []
    /// Counts its memory, if somebody does.
    private var share: MemoryShare?

    init() {}

    /// Documents that a query finds without scoring them.
    init(unscored documents: [UInt32]) {
        self.documents = documents
        scores = [Double](repeating: 0, count: documents.count)
    }

    /// What was found in an order of its own.
    init(_ entries: [TopHeap.Entry]) {
        for entry in entries.sorted(by: { $0.document < $1.document }) {
            documents.append(entry.document)
            scores.append(entry.score)
        }
    }

    private var byteCount: Int {
        documents.capacity * 4 + scores.capacity * 8
            + hits.capacity * MemoryLayout<Hit>.stride
    }

    /// Has the memory that it holds by now counted.
    mutating func hold(by clock: SearchClock) throws {
        let bytes = byteCount
        guard bytes != share?.bytes ?? 0 else { return }
        share = nil
        share = try MemoryShare(clock, bytes)
    }

    /// Those of `others` that match; both ascend.
    func documents(in others: [UInt32]) -> [UInt32] {
        var place = 0
        return others.filter { document in
            while place < documents.count, documents[place] < document { place += 1 }
            return place < documents.count && documents[place] == document
        }
    }

    /// Those that are in both; scores add up.
    func intersection(_ other: QueryMatches, _ work: MatchWork) throws -> QueryMatches {
        var result = QueryMatches()
        var (i, j) = (0, 0)
        while i < documents.count, j < other.documents.count {
            if (i &+ j) & 1_023 == 0 {
                try result.hold(by: work.clock)
                if try work.isOver(after: 1_024) { break }
            }
            if documents[i] == other.documents[j] {
                result.documents.append(documents[i])
                result.scores.append(scores[i] + other.scores[j])
                i += 1
                // Both go on, and what is counted is one of them at a time.
                if (i &+ j) & 1_023 == 0, try work.isOver(after: 1_024) { break }
                j += 1
            } else if documents[i] < other.documents[j] {
                i += 1
            } else {
                j += 1
            }
        }
        guard !hits.isEmpty || !other.hits.isEmpty else { return result }
        result.hits = try hits(in: result.documents, work)
        result.hits += try other.hits(in: result.documents, work)
        try result.hold(by: work.clock)
        return try result.sortHits(work) ? result : QueryMatches()
    }

    /// Those that are in `count` of `parts` at least; scores add up, in the order of the parts.
    static func union(
        _ parts: [QueryMatches], atLeast count: Int = 1, _ work: MatchWork
    ) throws -> QueryMatches {
        var union = MatchUnion(work, countsParts: count > 1)
        for part in parts { try union.add(part) }
        return try union.matches(atLeast: count)
    }

    /// Those that are not in `other`.
    func subtracting(_ other: QueryMatches, _ work: MatchWork) throws -> QueryMatches {
        if other.documents.isEmpty || documents.isEmpty { return self }
        // Most often none of few is here.
        if other.documents.count < documents.count / 16,
            !other.documents.contains(where: documents.holds)
        {
            return self
        }
        var result = QueryMatches()
        var next = 0
        for (place, document) in documents.enumerated() {
            if place & 1_023 == 0 {
                try result.hold(by: work.clock)
                if try work.isOver(after: 1_024) { break }
            }
            next = other.documents.firstPlace(of: document, from: next)
            if next < other.documents.count, other.documents[next] == document { continue }
            result.documents.append(document)
            result.scores.append(scores[place])
        }
        result.hits = try hits(in: result.documents, work)
        return result
    }

    /// Those that match, with the scores of those that `other` has besides.
    func adding(_ other: QueryMatches) -> QueryMatches {
        var result = self
        var next = 0
        for (document, score) in zip(other.documents, other.scores) {
            while next < result.documents.count, result.documents[next] < document { next += 1 }
            guard next < result.documents.count else { break }
            if result.documents[next] == document { result.scores[next] += score }
        }
        return result
    }

    /// Those in some ascending documents, without hits.
    func only(_ others: [UInt32]) -> QueryMatches {
        var result = QueryMatches()
        var next = 0
        for document in others {
            next = documents.firstPlace(of: document, from: next)
            guard next < documents.count else { break }
            if documents[next] != document { continue }
            result.documents.append(document)
            result.scores.append(scores[next])
        }
        return result
    }

    func mapScores(_ transform: (Double) -> Double) -> QueryMatches {
        var result = self
        result.scores = scores.map(transform)
        return result
    }

    /// Puts hits in order; false where the time was over.
    mutating func sortHits(_ work: MatchWork) throws -> Bool {
        try hits.withUnsafeMutableBufferPointer {
            try work.sort($0) {
                ($0.document, $0.string, $0.position, $0.span)
                    < ($1.document, $1.string, $1.position, $1.span)
            }
        }
    }

    /// The hits in some ascending documents.
    func hits(in documents: [UInt32], _ work: MatchWork) throws -> [Hit] {
        var kept: [Hit] = []
        var next = 0
        let share = MemoryShare(work.clock)
        for (place, hit) in hits.enumerated() {
            if place & 1_023 == 0 {
                try share.grow(to: kept.capacity * MemoryLayout<Hit>.stride)
                if try work.isOver(after: 1_024) { break }
            }
            // Hits that are yet to be sorted may go back.
            if next > 0, documents[next - 1] >= hit.document { next = 0 }
            next = documents.firstPlace(of: hit.document, from: next)
            if next < documents.count, documents[next] == hit.document { kept.append(hit) }
        }
        return kept
    }
}

extension [UInt32] {
    /// The place of the first that is not less, from a place on; they ascend.
    ///
    /// Complexity: logarithmic in how far that is.
    fileprivate func firstPlace(of number: UInt32, from start: Int) -> Int {
        withUnsafeBufferPointer { $0.firstPlace(of: number, from: start) }
    }
}
