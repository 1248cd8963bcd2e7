import Synchronization

/// One committed state of the index: what a search sees from its beginning to its end.
///
/// All of it is immutable, so that searches and the writer never wait for each other.
final class Snapshot: Sendable {
    /// All of them, in the order of their documents: those that are flushed come first.
    let segments: [SegmentReader]
    /// In the order of their documents.
    let flushed: [FlushedSegment]
    /// Committed documents that are not flushed yet, after those that are.
    let memory: [PlacedSegment]
    let dead: Tombstones
    /// What its terms were made by, and what queries over it are to be analysed by.
    let analyzer: Analyzer
    /// Which analyzer that is: grows when a rebuild puts another in its place.
    let analyzerNumber: Int
    /// Grows when documents with other numbers take the place of all, as after a rebuild; otherwise
    /// new documents have higher numbers than all before them.
    let exchangeCount: Int
    /// What was committed of engagements; the same as long as nobody recorded or forgot any.
    let engagements: EngagementTotals
    /// Grows with every commit.
    let generation: UInt64
    /// Unique in the process; names the state in caches of what was found out about it.
    let number = Snapshot.lastNumber.add(1, ordering: .relaxed).newValue
    let epoch: Epoch
    /// What searches read of its segments; nil of a snapshot that is made for one search.
    let caches: SearchCaches?
    private static let lastNumber = Atomic<UInt64>(0)
    private let lengths = Mutex<LengthStatistics?>(nil)
    private let norms = Mutex<(similarity: BM25, segments: [SegmentNorms])?>(nil)
    /// Those by the lengths of several indexes, of which this is one.
    private let sharedNorms = Mutex<SharedNorms?>(nil)
    private let contentMark = Mutex<UInt64?>(nil)
    private let livingCount = Mutex<Int?>(nil)
    private let withDead = Mutex<[Bool]?>(nil)
    /// In how many living documents of flushed segments terms stand, where some are dead: it takes
    /// all their postings to know.
    let livingFrequencies = RecentCache<[UInt8], Int>(byteCount: 256 << 10)

    init(
        flushed: [FlushedSegment], memory: [PlacedSegment], dead: Tombstones,
        caches: SearchCaches? = nil, analyzer: Analyzer, analyzerNumber: Int,
        exchangeCount: Int = 0,
        engagements: EngagementTotals = .init(), generation: UInt64, epoch: Epoch
    ) {
        segments = flushed.map(SegmentReader.flushed) + memory.map(SegmentReader.memory)
        self.flushed = flushed
        self.memory = memory
        self.dead = dead
        self.caches = caches
        self.analyzer = analyzer
        self.analyzerNumber = analyzerNumber
        self.exchangeCount = exchangeCount
        self.engagements = engagements
        self.generation = generation
        self.epoch = epoch
    }

    /// The number of living objects. Computed once, then kept.
    ///
    /// Only the dead of its segments count: some that are marked may be in none, as what a rebuild
    /// replaced before it was visible.
    var count: Int {
        livingCount.withLock { count in
            if let count { return count }
            let computed = segments.reduce(0) { $0 + living(in: $1.documents) }
            count = computed
            return computed
        }
    }

    private func living(in documents: Range<UInt32>) -> Int {
        documents.count - dead.count(in: documents)
    }

    /// Of each flushed segment whether it has postings of dead documents. Computed once, then kept.
    ///
    /// What a merge left out, or was never there, is dead too, but has none.
    func segmentsWithDead() -> [Bool] {
        withDead.withLock { known in
            if let known { return known }
            let computed = flushed.map {
                dead.count(in: $0.manifest.documents) > $0.missingCount
            }
            known = computed
            return computed
        }
    }

    /// Whether a flushed segment has postings of dead documents.
    func hasDead(in segment: FlushedSegment) -> Bool {
        zip(flushed, segmentsWithDead()).first { $0.0 === segment }?.1 ?? true
    }

    /// Its segments, and of each whether it has postings of dead documents.
    func segmentsAndWhetherDead() -> [(segment: SegmentReader, hasDead: Bool)] {
        let flushed = segmentsWithDead()
        return segments.enumerated().map { place, segment in
            (segment, place < flushed.count ? flushed[place] : dead.intersects(segment.documents))
        }
    }

    /// The lengths of its strings. Computed once, then kept.
    func lengthStatistics() throws -> LengthStatistics {
        try lengths.withLock { lengths in
            if let lengths { return lengths }
            let computed = try LengthStatistics(self)
            lengths = computed
            return computed
        }
    }

    /// How occurrences count in each of its segments, those in memory last; those of the similarity
    /// that was asked for last are kept.
    func norms(_ similarity: BM25) throws -> [SegmentNorms] {
        if let known = norms.withLock({ $0 }), known.similarity == similarity {
            return known.segments
        }
        let averages = try lengthStatistics().averages
        let computed =
            try flushed.map { SegmentNorms(try $0.lengths(), similarity, averages: averages) }
            + memory.map { _ in SegmentNorms(LengthColumn(), similarity, averages: averages) }
        norms.withLock { $0 = (similarity, computed) }
        return computed
    }

    /// The same, by averages of several indexes; those that were asked for last are kept.
    func norms(_ similarity: BM25, averages: [Double]) throws -> [SegmentNorms] {
        if let known = sharedNorms.withLock({ $0 }), known.similarity == similarity,
            known.averages == averages
        {
            return known.segments
        }
        let computed =
            try flushed.map { SegmentNorms(try $0.lengths(), similarity, averages: averages) }
            + memory.map { _ in SegmentNorms(LengthColumn(), similarity, averages: averages) }
        sharedNorms.withLock {
            $0 = SharedNorms(similarity: similarity, averages: averages, segments: computed)
        }
        return computed
    }

    private struct SharedNorms {
        var similarity: BM25
        var averages: [Double]
        var segments: [SegmentNorms]
    }

    /// A number of its content: another one for any other, but for accidents. Computed once, then
    /// kept.
    ///
    /// Complexity: linear in the documents, a few instructions each.
    var mark: UInt64 {
        contentMark.withLock { mark in
            if let mark { return mark }
            let living = LivingDocuments(self)
            var computed = EntryDigest.mixed(living.digest &+ UInt64(living.count))
            for segment in flushed {
                computed = EntryDigest.mixed(computed ^ segment.manifest.digest)
            }
            mark = computed
            return computed
        }
    }

    /// Whether some segment holds the document, dead or alive.
    func covers(_ document: UInt32) -> Bool {
        segments.contains { $0.documents.contains(document) }
    }

    func isLive(_ document: UInt32) -> Bool { covers(document) && !dead.contains(document) }

    /// Calls `body` with every living document, in the order in which they were indexed.
    func forEachDocument(_ body: (UInt32) throws -> Bool) rethrows {
        for segment in segments {
            for document in segment.documents where !dead.contains(document) {
                guard try body(document) else { return }
            }
        }
    }
}
