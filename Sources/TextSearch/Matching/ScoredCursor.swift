/// Walks over the scored documents of one part of a query in one segment, in blocks whose scores have bounds.
///
/// Documents are relative to the segment, and asked for in ascending order.
class ScoredCursor {
    final private(set) var blockCount = 0
    final private(set) var documentCount = 0
    /// The current block.
    final private(set) var block = 0
    final private var decoded = -1
    final private var scored = -1
    /// The documents of the block that is decoded, the place in them, and their scores once somebody asked.
    final fileprivate(set) var documents = Buffer<UInt32>(capacity: 128)
    final fileprivate(set) var scores = Buffer<Double>(capacity: 128)
    final private var place = 0
    /// The scores of some documents of the block.
    final fileprivate(set) var some = Buffer<Double>()

    fileprivate init() {}

    /// Goes to the first block of a segment.
    final fileprivate func begin(blockCount: Int, documentCount: Int) {
        self.blockCount = blockCount
        self.documentCount = documentCount
        block = 0
        decoded = -1
        scored = -1
    }

    /// The first document that a block may hold, and its last one.
    fileprivate func firstDocument(of block: Int) -> Int64 { 0 }
    fileprivate func lastDocument(of block: Int) -> Int64 { -1 }
    /// No score in a block is more.
    fileprivate func bound(of block: Int) -> Double { 0 }
    /// The number of the block whose bound is the `rank`-th.
    fileprivate func block(byBound rank: Int) -> Int { rank }
    /// Makes `documents` those of a block.
    fileprivate func load(_ block: Int) throws {}
    /// Makes `scores` those of `documents`.
    fileprivate func loadScores() {}
    /// Makes `some` those of the documents at some places.
    fileprivate func loadSome(_ places: UnsafeBufferPointer<UInt32>) { takeSome(places) }
    /// The score of one of `documents`.
    fileprivate func score(at place: Int) -> Double { scores[place] }

    // MARK: Moving

    /// Whether there are no more documents.
    final var isAtEnd: Bool { block >= blockCount }

    final private func enter(_ number: Int) {
        block = number
        place = 0
    }

    /// Goes to the first block that does not end before a document, without a look into it.
    final func advance(to document: Int64) {
        while block < blockCount, lastDocument(of: block) < document { enter(block + 1) }
    }

    /// No document before this one is left.
    final var next: Int64 {
        guard !isAtEnd else { return .max }
        guard decoded == block else { return firstDocument(of: block) }
        let place = place
        return documents.withElements { documents in
            place < documents.count ? Int64(documents[place]) : firstDocument(of: block)
        }
    }

    /// No score up to a document is more; 0 where there is nothing.
    final func bound(through end: Int64) -> Double {
        var bound = 0.0
        var number = block
        while number < blockCount, firstDocument(of: number) <= end {
            bound = max(bound, self.bound(of: number))
            number += 1
        }
        return bound
    }

    /// Decodes the current block.
    final fileprivate func decode() throws {
        guard decoded != block else { return }
        decoded = -1
        scored = -1
        try load(block)
        decoded = block
        place = 0
    }

    final private func decodeScored() throws {
        try decode()
        guard scored != block else { return }
        loadScores()
        scored = block
    }

    /// The score of a document; nil where it is not there.
    final func score(of document: UInt32) throws -> Double? {
        advance(to: Int64(document))
        guard !isAtEnd, firstDocument(of: block) <= Int64(document) else { return nil }
        try decode()
        let isHere: Bool
        (place, isHere) = documents.find(document, from: place)
        guard isHere else { return nil }
        return scored == block ? scores[place] : score(at: place)
    }

    // MARK: Many documents

    /// Adds the scores of the documents that are asked for.
    final func add(to asked: inout AskedDocuments, part: Int) throws {
        for number in 0..<asked.count {
            if let score = try score(of: asked.document(number)) {
                asked.add(score, to: number, of: part)
            }
        }
    }

    /// Adds the scores of the documents of a window.
    final func add(to window: inout ScoreWindow, row: Int) throws {
        while !isAtEnd, firstDocument(of: block) <= window.last {
            try decodeScored()
            // Windows before this one passed over what the part was only asked for, or not even that.
            let start = place
            let isWhole: Bool
            (place, isWhole) = documents.withElements { documents in
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
    final func blockBound(through last: Int64) -> Double? {
        guard !isAtEnd, firstDocument(of: block) <= last else { return nil }
        return bound(of: block)
    }

    /// Goes to the next block where the current one has nothing behind `last`; whether that is so.
    final func leaveBlock(endingBy last: Int64) -> Bool {
        guard lastDocument(of: block) <= last else { return false }
        enter(block + 1)
        return true
    }

    /// Lends the documents of the current block that are in a range, with their scores, and goes behind them.
    final func withBlock(
        from first: UInt32, through last: Int64,
        _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<Double>) throws -> Void
    ) throws {
        try decodeScored()
        let before = place
        place = try documents.withElements { documents in
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
    final func enter(byBound rank: Int) -> Double {
        enter(block(byBound: rank))
        return bound(of: block)
    }

    // MARK: Candidates

    /// Begins with the documents of the current block.
    final func begin(_ candidates: inout Candidates) throws {
        try decode()
        documents.withElements { candidates.begin($0) }
    }

    /// Scores those of the current block that are left.
    final func score(_ candidates: inout Candidates, row: Int) {
        candidates.withPlaces { loadScores(at: $0) }
        candidates.setScores(some, from: 0, row: row)
    }

    /// Leaves the candidates that are here, and scores them.
    final func restrict(_ candidates: inout Candidates, row: Int) throws {
        try restrict(&candidates) { candidates, kept in
            candidates.withFound(kept) { loadScores(at: $0) }
            candidates.setScores(some, from: kept.lowerBound, row: row)
        }
    }

    /// Leaves the candidates that are here.
    final func restrict(_ candidates: inout Candidates) throws {
        try restrict(&candidates) { _, _ in }
    }

    /// The same; `body` is called for those that are kept of each block, while that is the current one.
    @inline(__always)
    final private func restrict(
        _ candidates: inout Candidates,
        _ body: (_ candidates: inout Candidates, _ kept: Range<Int>) -> Void
    ) throws {
        var next = 0
        var kept = 0
        while next < candidates.count {
            advance(to: Int64(candidates.document(next)))
            guard !isAtEnd else { break }
            next = candidates.place(notBefore: firstDocument(of: block), from: next)
            let last = lastDocument(of: block)
            guard next < candidates.count, Int64(candidates.document(next)) <= last else {
                continue
            }
            try decode()
            let keptBefore = kept
            place = documents.withElements { documents in
                var place = place
                while next < candidates.count {
                    let document = candidates.document(next)
                    guard Int64(document) <= last else { break }
                    place = documents.firstPlace(of: document, from: place)
                    if place < documents.count, documents[place] == document {
                        candidates.keep(next, as: kept, foundAt: place)
                        kept += 1
                    }
                    next += 1
                }
                return place
            }
            body(&candidates, keptBefore..<kept)
        }
        candidates.removeAll(from: kept)
    }

    /// Makes `some` the scores of some places of the current block.
    final private func loadScores(at places: UnsafeBufferPointer<UInt32>) {
        guard scored == block else { return loadSome(places) }
        takeSome(places)
    }

    final fileprivate func takeSome(_ places: UnsafeBufferPointer<UInt32>) {
        some.removeAll()
        for place in places { some.append(scores[Int(place)]) }
    }

    /// Lends the documents of the current block, with their scores.
    final func withBlock(
        _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<Double>) throws -> Void
    ) throws {
        try decodeScored()
        try documents.withElements { documents in
            try scores.withElements { scores in try body(documents, scores) }
        }
    }

    final func enterNextBlock() { enter(block + 1) }

    /// The largest score in the current block.
    final fileprivate func largestScore() throws -> Double {
        try decodeScored()
        return scores.withElements { $0.max() ?? 0 }
    }

    /// No score in the current block is more.
    final var blockBound: Double { bound(of: block) }
    /// The range that the documents of the current block lie in.
    final var blockRange: ClosedRange<Int64> {
        let first = firstDocument(of: block)
        return first...max(lastDocument(of: block), first)
    }
}

/// The postings of a term, scored as they are come to; used for one segment after the other.
final class TermCursor: ScoredCursor {
    private var postings: StoredPostings?
    private var scoring: TermScoring?
    private var chunk = PostingsChunk()
    /// The bound and the last document of the only block, of which nothing is stored.
    private var onlyBound = 0.0
    private var onlyLast: Int64 = -1
    private let isScored: Bool

    /// Without scores, documents alone are decoded.
    init(scored: Bool) { isScored = scored }

    func begin(_ postings: StoredPostings, _ scoring: TermScoring) throws {
        self.postings = postings
        self.scoring = scoring
        begin(blockCount: postings.blockCount, documentCount: postings.documentCount)
        guard postings.blockCount == 1 else { return }
        onlyLast = .max
        if isScored { onlyBound = try largestScore() } else { try decode() }
        onlyLast = documents.isEmpty ? -1 : Int64(documents[documents.count - 1])
    }

    override fileprivate func firstDocument(of block: Int) -> Int64 {
        postings?.first(of: block) ?? 0
    }

    override fileprivate func lastDocument(of block: Int) -> Int64 {
        guard let postings else { return -1 }
        return blockCount == 1 ? onlyLast : postings.last(of: block)
    }

    override fileprivate func bound(of block: Int) -> Double {
        guard let postings, let scoring else { return 0 }
        return blockCount == 1 ? onlyBound : scoring.bound(postings.bound(of: block))
    }

    override fileprivate func block(byBound rank: Int) -> Int {
        postings.map { Int($0.blocksByBound[rank]) } ?? rank
    }

    override fileprivate func load(_ block: Int) throws {
        guard let postings else { return }
        try IndexStore.translating(.postings) {
            try chunk.decodeBlock(
                block, of: postings, with: isScored ? .frequencies : .documents)
        }
        documents.removeAll()
        chunk.documents.withElements { documents.append(contentsOf: $0) }
    }

    override fileprivate func loadScores() {
        if isScored { scoring?.score(chunk, into: &scores) }
    }
    override fileprivate func loadSome(_ places: UnsafeBufferPointer<UInt32>) {
        if isScored { scoring?.score(at: places, of: chunk, into: &some) }
    }

    override fileprivate func score(at place: Int) -> Double {
        isScored ? scoring?.score(of: place, in: chunk) ?? 0 : 0
    }
}

/// Documents that were scored already.
final class ListCursor: ScoredCursor {
    private let all: ArraySlice<UInt32>
    private let allScores: ArraySlice<Double>
    private let first: UInt32
    private var bounds: [Double] = []
    private var order: [Int] = []
    private static let blockSize = 128

    /// `first` is the first document of the segment.
    init(_ documents: ArraySlice<UInt32>, _ scores: ArraySlice<Double>, first: UInt32) {
        all = documents
        allScores = scores
        self.first = first
        super.init()
        let count = (documents.count + Self.blockSize - 1) / Self.blockSize
        for block in 0..<count {
            // Where something is missing, it adds nothing: less than nothing is no bound.
            bounds.append(max(scores[range(of: block, from: scores.startIndex)].max() ?? 0, 0))
        }
        order = Array(0..<count)
        order.sort { bounds[$0] > bounds[$1] }
        begin(blockCount: count, documentCount: documents.count)
    }

    private func range(of block: Int, from start: Int) -> Range<Int> {
        let lower = block * Self.blockSize
        return (start + lower)..<(start + min(lower + Self.blockSize, all.count))
    }

    override fileprivate func firstDocument(of block: Int) -> Int64 {
        Int64(all[range(of: block, from: all.startIndex).lowerBound] - first)
    }

    override fileprivate func lastDocument(of block: Int) -> Int64 {
        Int64(all[range(of: block, from: all.startIndex).upperBound - 1] - first)
    }

    override fileprivate func bound(of block: Int) -> Double { bounds[block] }
    override fileprivate func block(byBound rank: Int) -> Int { order[rank] }

    override fileprivate func load(_ block: Int) throws {
        documents.removeAll()
        scores.removeAll()
        for place in range(of: block, from: all.startIndex) { documents.append(all[place] - first) }
        for place in range(of: block, from: allScores.startIndex) {
            scores.append(allScores[place])
        }
    }
}
