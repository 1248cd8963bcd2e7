/// The weights of documents of a snapshot, from columns and memory segments.
struct WeightLookup {
    private let snapshot: Snapshot
    /// Those of the flushed segments that were asked for.
    private var weights: [[Double]?]
    /// The segment of the document before: of those in memory, counted on behind those that are
    /// flushed.
    private var current = 0

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        weights = Array(repeating: nil, count: snapshot.flushed.count)
    }

    /// The weight of a document; fastest for one of the same segment as the one before.
    mutating func weight(of document: UInt32) throws -> Double {
        if !documents(of: current).contains(document) {
            let count = snapshot.flushed.count + snapshot.memory.count
            guard let place = (0..<count).first(where: { documents(of: $0).contains(document) })
            else { throw TextIndexError.corrupted("the documents") }
            current = place
        }
        let relative = Int(document - documents(of: current).lowerBound)
        guard current < snapshot.flushed.count else {
            return snapshot.memory[current - snapshot.flushed.count].segment.documents
                .weights[relative]
        }
        return try flushedWeights(of: current)[relative]
    }

    private mutating func flushedWeights(of place: Int) throws -> [Double] {
        if let known = weights[place] { return known }
        let read = try snapshot.flushed[place].weights()
        weights[place] = read
        return read
    }

    /// Calls `body` with the documents of each segment, dead ones too, and their weights.
    mutating func forEachSegment(_ body: (Range<UInt32>, [Double]) -> Void) throws {
        for place in snapshot.flushed.indices {
            body(documents(of: place), try flushedWeights(of: place))
        }
        for part in snapshot.memory {
            body(part.documents, part.segment.documents.weights.withElements { Array($0) })
        }
    }

    @inline(__always)
    private func documents(of place: Int) -> Range<UInt32> {
        if place < snapshot.flushed.count { return snapshot.flushed[place].manifest.documents }
        let place = place - snapshot.flushed.count
        return place < snapshot.memory.count ? snapshot.memory[place].documents : 0..<0
    }
}
