/// Walks over the scored documents of one part of a query in one segment, in blocks whose scores
/// have bounds.
///
/// Documents are relative to the segment, and asked for in ascending order.
struct ScoredCursor: ~Copyable {
    /// What it walks over: a term's postings, scored as they are come to, or what was scored
    /// already.
    private var postings: StoredPostings?
    private var scoring: TermScoring?
    private var list: ScoredList?
    private(set) var blockCount = 0
    private(set) var documentCount = 0
    /// The current block.
    private(set) var block = 0
    private var decoded = -1
    /// Whether the decoded block has the frequencies that scores are of.
    private var hasFrequencies = false
    private var scored = -1
    /// The block that is decoded, the place in its documents, and their scores once somebody asked.
    private var chunk = PostingsChunk()
    private var place = 0
    private var scores = Buffer<Double>(capacity: 128)
    /// The scores of some documents of the block.
    private var some = Buffer<Double>()
    /// Room for the places in the block of those that are wanted.
    private var wanted = Buffer<UInt32>()
    /// Room for scoring.
    private var weighted = Buffer<Double>()
    /// The bound and the last document of a term's only block, of which nothing is stored.
    private var onlyBound = 0.0
    private var onlyLast: Int64?

    init() {}

    /// Goes to the first of a term's postings in a segment. Without scoring, documents alone are
    /// decoded, and every score is 0.
    mutating func begin(_ postings: StoredPostings, _ scoring: TermScoring?) throws {
        self.postings = postings
        self.scoring = scoring
        list = nil
        begin(blockCount: postings.blockCount, documentCount: postings.documentCount)
        guard postings.blockCount == 1 else { return }
        onlyLast = .max
        if scoring == nil { try decode() } else { try decodeScored() }
        onlyBound = scoring == nil ? 0 : scores.withElements { $0.max() ?? 0 }
        onlyLast = chunk.documents.isEmpty ? -1 : Int64(chunk.documents[chunk.documentCount - 1])
    }

    /// Goes to the first of documents that were scored already.
    mutating func begin(_ list: ScoredList) {
        self.list = list
        postings = nil
        scoring = nil
        begin(blockCount: list.blockCount, documentCount: list.count)
    }

    private mutating func begin(blockCount: Int, documentCount: Int) {
        self.blockCount = blockCount
        self.documentCount = documentCount
        block = 0
        decoded = -1
        scored = -1
        onlyLast = nil
    }

    // MARK: Blocks

    /// The first document that a block may hold.
    private func firstDocument(of block: Int) -> Int64 {
        if let postings { return postings.first(of: block) }
        return list?.first(of: block) ?? 0
    }

    /// The last document of a block.
    private func lastDocument(of block: Int) -> Int64 {
        if let onlyLast { return onlyLast }
        if let postings { return postings.last(of: block) }
        return list?.last(of: block) ?? -1
    }

    /// No score in a block is more.
    private func bound(of block: Int) -> Double {
        if onlyLast != nil { return onlyBound }
        if let postings { return scoring?.bound(postings.bound(of: block)) ?? 0 }
        return list?.bound(of: block) ?? 0
    }

    /// The number of the block whose bound is the `rank`-th.
    private func block(byBound rank: Int) -> Int {
        if let postings { return Int(postings.blocksByBound[rank]) }
        return list?.block(byBound: rank) ?? rank
    }

    /// Decodes the documents of the current block.
    private mutating func decode() throws(TextIndexError) {
        guard decoded != block else { return }
        decoded = -1
        hasFrequencies = false
        scored = -1
        if let postings {
            do {
                try chunk.decodeBlock(block, of: postings, with: .documents)
            } catch {
                throw .malformed(.postings)
            }
        } else {
            list?.load(block, into: &chunk)
        }
        decoded = block
        place = 0
    }

    /// Decodes the frequencies of the current block, whose documents are decoded. A block without a
    /// wanted document needs none.
    private mutating func decodeFrequencies() throws(TextIndexError) {
        guard !hasFrequencies, scoring != nil, let postings else { return }
        do {
            try chunk.addFrequencies(of: postings)
        } catch {
            decoded = -1
            throw .malformed(.postings)
        }
        hasFrequencies = true
    }

    private mutating func decodeScored() throws(TextIndexError) {
        try decode()
        guard scored != block else { return }
        try decodeFrequencies()
        if scoring != nil {
            scoring?.score(chunk, into: &scores, &weighted)
        } else if let list {
            list.loadScores(of: block, into: &scores)
        } else {
            scores = Buffer(repeating: 0, count: chunk.documentCount)
        }
        scored = block
    }

    /// Makes `some` the scores of some places of the current block, which is decoded with its
    /// frequencies.
    private mutating func loadScores(at places: UnsafeBufferPointer<UInt32>) {
        if scored != block, scoring != nil {
            scoring?.score(at: places, of: chunk, into: &some, &weighted)
            return
        }
        some.removeAll()
        for place in places {
            let place = Int(place)
            some.append(
                scored == block ? scores[place] : list?.score(of: block, at: place) ?? 0)
        }
    }

    // MARK: Moving

    /// Whether there are no more documents.
    var isAtEnd: Bool { block >= blockCount }

    private mutating func enter(_ number: Int) {
        block = number
        place = 0
    }

    /// Goes to the first block that does not end before a document, without a look into it.
    mutating func advance(to document: Int64) {
        while block < blockCount, lastDocument(of: block) < document { enter(block + 1) }
    }

    /// No document before this one is left.
    var next: Int64 {
        guard !isAtEnd else { return .max }
        guard decoded == block else { return firstDocument(of: block) }
        let place = place
        return chunk.documents.withElements { documents in
            place < documents.count ? Int64(documents[place]) : firstDocument(of: block)
        }
    }

    /// No score up to a document is more; 0 where there is nothing.
    func bound(through end: Int64) -> Double {
        var bound = 0.0
        var number = block
        // Often many blocks, of which only the largest impact is scored.
        if let postings, onlyLast == nil {
            while number < blockCount, postings.first(of: number) <= end {
                bound = max(bound, postings.bound(of: number))
                number += 1
            }
            return number > block ? scoring?.bound(bound) ?? 0 : 0
        }
        while number < blockCount, firstDocument(of: number) <= end {
            bound = max(bound, self.bound(of: number))
            number += 1
        }
        return bound
    }

    // MARK: Many documents

    /// Adds the scores of the documents that are asked for, but of those that do not reach
    /// `threshold` with them and `rest`; and notes them in a row.
    mutating func add(
        to asked: inout AskedDocuments, _ window: inout ScoreWindow, row: Int, threshold: Double,
        rest: Double
    ) throws {
        var next = 0
        while next < asked.count {
            advance(to: Int64(asked[next]))
            guard !isAtEnd else { return }
            next = asked.number(notBefore: firstDocument(of: block), from: next)
            let last = lastDocument(of: block)
            // What is no part of it has nothing added.
            let most = max(bound(of: block), 0) + rest
            guard asked.hasAny(from: next, through: last, reaching: threshold, with: most) else {
                next = asked.number(notBefore: last + 1, from: next)
                continue
            }
            try decode()
            next = chunk.documents.withElements {
                asked.find(in: $0, from: next, through: last, at: &place)
            }
            guard asked.hasPlaces else { continue }
            try decodeFrequencies()
            asked.withPlaces { loadScores(at: $0) }
            asked.add(some, to: &window, row: row)
        }
    }

    /// Adds the scores of the documents of a window.
    mutating func add(to window: inout ScoreWindow, row: Int?) throws {
        while !isAtEnd, firstDocument(of: block) <= window.last {
            try decodeScored()
            // Windows before this one passed over what the part was only asked for, or not even
            // that.
            let start = place
            let isWhole: Bool
            (place, isWhole) = chunk.documents.withElements { documents in
                let first = documents.firstPlace(of: window.first, from: start)
                let end = scores.withElements { scores in
                    window.add(documents, scores, from: first, row: row)
                }
                return (end, end == documents.count)
            }
            guard isWhole else { return }
            enter(block + 1)
        }
    }

    /// The bound of the current block where that may hold documents up to `last`.
    func blockBound(through last: Int64) -> Double? {
        guard !isAtEnd, firstDocument(of: block) <= last else { return nil }
        return bound(of: block)
    }

    /// Goes to the next block where the current one has nothing behind `last`; whether that is so.
    mutating func leaveBlock(endingBy last: Int64) -> Bool {
        guard lastDocument(of: block) <= last else { return false }
        enter(block + 1)
        return true
    }

    /// Lends the documents of the current block that are in a range, with their scores, and goes
    /// behind them.
    mutating func withBlock(
        from first: UInt32, through last: Int64,
        _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<Double>) throws -> Void
    ) throws {
        try decodeScored()
        let before = place
        place = try chunk.documents.withElements { documents in
            let start = documents.firstPlace(of: first, from: before)
            let isWhole = documents.last.map { Int64($0) <= last } ?? true
            let end =
                isWhole
                ? documents.count
                : documents.firstPlace(of: UInt32(clamping: last + 1), from: start)
            try scores.withElements { scores in
                try body(
                    UnsafeBufferPointer(rebasing: documents[start..<end]),
                    UnsafeBufferPointer(rebasing: scores[start..<end]))
            }
            return end
        }
    }

    /// Goes to the block with the `rank`-th bound, which is given.
    mutating func enter(byBound rank: Int) -> Double {
        enter(block(byBound: rank))
        return bound(of: block)
    }

    // MARK: Candidates

    /// Begins with the documents of the current block.
    mutating func begin(_ candidates: inout Candidates) throws {
        try decode()
        chunk.documents.withElements { candidates.begin($0) }
    }

    /// Scores those of the current block that are left.
    mutating func score(_ candidates: inout Candidates, row: Int) throws {
        guard !candidates.isEmpty else { return }
        try decodeFrequencies()
        candidates.withPlaces { loadScores(at: $0) }
        candidates.setScores(some, from: 0, row: row)
    }

    /// Leaves the candidates that are here, and scores them.
    mutating func restrict(_ candidates: inout Candidates, row: Int) throws {
        try restrict(&candidates) { cursor, candidates, kept in
            candidates.withFound(kept) { cursor.loadScores(at: $0) }
            candidates.setScores(cursor.some, from: kept.lowerBound, row: row)
        }
    }

    /// Leaves the candidates that are here.
    mutating func restrict(_ candidates: inout Candidates) throws {
        try restrict(&candidates) { _, _, _ in }
    }

    @inline(__always)
    private mutating func restrict(
        _ candidates: inout Candidates,
        _ body: (
            _ cursor: inout Self, _ candidates: inout Candidates, _ kept: Range<Int>
        ) -> Void
    ) throws {
        var kept = 0
        try find(&candidates) {
            $0.keep($1, as: kept &+ $2, foundAt: $3)
        } endBlock: { cursor, candidates, count in
            body(&cursor, &candidates, kept..<kept &+ count)
            kept &+= count
        }
        candidates.removeAll(from: kept)
    }

    /// Scores the candidates that are here, and leaves all of them; it is not required that they
    /// are.
    mutating func give(_ candidates: inout Candidates, row: Int) throws {
        candidates.clear(row: row)
        try find(&candidates) {
            $0.note($1, as: $2, foundAt: $3)
        } endBlock: { cursor, candidates, count in
            candidates.withFound(0..<count) { cursor.loadScores(at: $0) }
            candidates.setNoted(cursor.some, row: row)
        }
    }

    /// Looks for candidates block by block. `note` takes each that may be in the current block, as
    /// which number, and where it would be there; the next one has the same number if it is not.
    /// `endBlock` takes how many are in the block, while that is the current one.
    @inline(__always)
    private mutating func find(
        _ candidates: inout Candidates,
        note: (
            _ candidates: inout Candidates, _ candidate: Int, _ number: Int, _ place: Int
        ) -> Void,
        endBlock: (_ cursor: inout Self, _ candidates: inout Candidates, _ count: Int) -> Void
    ) throws {
        var next = 0
        while next < candidates.count {
            advance(to: Int64(candidates.document(next)))
            guard !isAtEnd else { return }
            next = candidates.place(notBefore: firstDocument(of: block), from: next)
            let last = lastDocument(of: block)
            guard next < candidates.count, Int64(candidates.document(next)) <= last else {
                continue
            }
            try decode()
            var count = 0
            place = chunk.documents.withElements { documents in
                var place = place
                while next < candidates.count {
                    let document = candidates.document(next)
                    guard Int64(document) <= last else { break }
                    place = documents.firstPlace(of: document, from: place)
                    if place < documents.count {
                        // Noted in any case, and counted if it is the one: a branch would often be
                        // foreseen wrongly.
                        note(&candidates, next, count, place)
                        count &+= documents[place].isEqual(to: document)
                    }
                    next += 1
                }
                return place
            }
            guard count > 0 else { continue }
            try decodeFrequencies()
            endBlock(&self, &candidates, count)
        }
    }

    /// Lends the documents of the current block, with their scores.
    mutating func withBlock(
        _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<Double>) throws -> Void
    ) throws {
        try decodeScored()
        try chunk.documents.withElements { documents in
            try scores.withElements { scores in try body(documents, scores) }
        }
    }

    /// Calls `body` with those documents of the current block that are wanted, and their scores;
    /// how many they are.
    @inline(__always)
    mutating func forEachScore(
        where isWanted: (UInt32) -> Bool, body: (_ document: UInt32, _ score: Double) -> Void
    ) throws -> Int {
        try decode()
        var places = Buffer<UInt32>()
        swap(&places, &wanted)
        defer { swap(&places, &wanted) }
        places.removeAll()
        let room = places.tail(room: chunk.documentCount)
        var count = 0
        chunk.documents.withElements { documents in
            for place in 0..<documents.count {
                room[count] = UInt32(truncatingIfNeeded: place)
                count &+= isWanted(documents[place]) ? 1 : 0
            }
        }
        places.commit(count)
        guard count > 0 else { return 0 }
        // To score all is faster than many one by one.
        if count > chunk.documentCount / 2 { try decodeScored() } else { try decodeFrequencies() }
        places.withElements { loadScores(at: $0) }
        for number in 0..<count { body(chunk.documents[Int(places[number])], some[number]) }
        return count
    }

    /// Lends the documents of the current block.
    mutating func withDocuments<R>(
        _ body: (UnsafeBufferPointer<UInt32>) throws -> R
    ) throws -> R {
        try decode()
        return try chunk.documents.withElements { try body($0) }
    }

    mutating func enterNextBlock() { enter(block + 1) }

    /// No score in the current block is more.
    var blockBound: Double { bound(of: block) }
    /// The range that the documents of the current block lie in.
    var blockRange: ClosedRange<Int64> {
        let first = firstDocument(of: block)
        return first...max(lastDocument(of: block), first)
    }
}
