/// Goes through the distinct terms of a snapshot, in order.
struct VocabularyWalk {
    private var sources: [SegmentTerms]
    /// The next term of each source.
    private var heads: [[UInt8]?]

    /// Begins with the first term that does not come before `start`.
    ///
    /// Complexity: logarithmic in the terms, once the vocabularies are read.
    init(_ snapshot: Snapshot, from start: [UInt8]) throws {
        sources = try snapshot.segments.map { try SegmentTerms(of: $0, from: start) }
        heads = sources.map(\.term)
    }

    /// The next term; dead documents may be the only ones that have it.
    mutating func next() -> [UInt8]? {
        let least = heads.compactMap { $0 }.min { $0.lexicographicallyPrecedes($1) }
        guard let least else { return nil }
        for source in heads.indices where heads[source] == least {
            sources[source].advance()
            heads[source] = sources[source].term
        }
        return least
    }
}
