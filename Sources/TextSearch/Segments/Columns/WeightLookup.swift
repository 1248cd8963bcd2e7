/// The weights of documents of a snapshot, from columns and memory segments.
struct WeightLookup {
    private let segments: [SegmentReader]
    /// Those of the segments that were asked for.
    private var weights: [SegmentWeights?]
    /// The segment of the document before.
    private var current = 0
    private var documents: Range<UInt32> = 0..<0

    init(_ snapshot: Snapshot) {
        segments = snapshot.segments
        weights = Array(repeating: nil, count: segments.count)
    }

    /// The weight of a document; fastest for one of the same segment as the one before.
    mutating func weight(of document: UInt32) throws -> Double {
        if !documents.contains(document) {
            guard let place = segments.firstIndex(where: { $0.documents.contains(document) })
            else { throw TextIndexError.corrupted("the documents") }
            current = place
            documents = segments[place].documents
        }
        return try weights(of: current)[Int(document - documents.lowerBound)]
    }

    private mutating func weights(of place: Int) throws -> SegmentWeights {
        if let known = weights[place] { return known }
        let read = try segments[place].weights()
        weights[place] = read
        return read
    }

    /// Calls `body` with the documents of each segment, dead ones too, and their weights.
    mutating func forEachSegment(_ body: (Range<UInt32>, [Double]) -> Void) throws {
        for place in segments.indices {
            body(segments[place].documents, try weights(of: place).toArray())
        }
    }
}
