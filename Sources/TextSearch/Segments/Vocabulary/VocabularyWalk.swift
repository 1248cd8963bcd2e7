/// Goes through the distinct terms of a snapshot, in order.
struct VocabularyWalk {
    private var flushed: [FlushedTerms.Walk]
    private var memory: [(segment: MemorySegment, term: Int)]
    /// The next term of each source, those of flushed segments first.
    private var heads: [[UInt8]?] = []

    /// Begins with the first term that does not come before `start`.
    ///
    /// Complexity: logarithmic in the terms, once the vocabularies are read.
    init(_ snapshot: Snapshot, from start: [UInt8]) throws {
        flushed = try snapshot.flushed.map { segment in
            let parts = try segment.vocabulary()
            return start.withUnsafeBufferPointer { FlushedTerms.Walk(parts, from: $0) }
        }
        memory = snapshot.memory.map { part in
            (part.segment, start.withUnsafeBufferPointer { part.segment.place(of: $0).term })
        }
        heads = (0..<(flushed.count + memory.count)).map(head)
    }

    private func head(_ source: Int) -> [UInt8]? {
        guard source >= flushed.count else {
            return flushed[source].isAtEnd ? nil : flushed[source].withTerm { Array($0) }
        }
        let (segment, term) = memory[source - flushed.count]
        guard term < segment.termCount else { return nil }
        return segment.withTerm(term) { Array($0) }
    }

    /// The next term; dead documents may be the only ones that have it.
    mutating func next() -> [UInt8]? {
        let least = heads.compactMap { $0 }.min { $0.lexicographicallyPrecedes($1) }
        guard let least else { return nil }
        for source in heads.indices where heads[source] == least {
            if source < flushed.count {
                flushed[source].advance()
            } else {
                memory[source - flushed.count].term += 1
            }
            heads[source] = head(source)
        }
        return least
    }
}
