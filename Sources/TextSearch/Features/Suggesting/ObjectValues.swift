/// For how much an object counts: 1 and its weight, if that is a number above 0.
struct ObjectValues {
    /// Those where some object counts for more than 1, by document.
    private var parts: [(documents: Range<UInt32>, weights: [Double])] = []

    /// Complexity: linear in the documents.
    init(_ snapshot: Snapshot) throws {
        var lookup = WeightLookup(snapshot)
        try lookup.forEachSegment { documents, weights in
            guard weights.contains(where: { $0 > 0 && $0.isFinite }) else { return }
            parts.append((documents, weights))
        }
    }

    /// Complexity: logarithmic in the segments.
    func value(of document: UInt32) -> Double {
        guard !parts.isEmpty else { return 1 }
        let place = parts.firstPlace { $0.documents.upperBound > document }
        guard place < parts.count, parts[place].documents.contains(document) else { return 1 }
        let offset = Int(document - parts[place].documents.lowerBound)
        guard offset < parts[place].weights.count else { return 1 }
        return Self.value(ofWeight: parts[place].weights[offset])
    }

    static func value(ofWeight weight: Double) -> Double {
        weight.isFinite ? 1 + max(weight, 0) : 1
    }
}
