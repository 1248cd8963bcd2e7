extension IdentifierLookup {
    /// What the writer knows of documents. Taken once for many look-ups.
    struct Known {
        /// The newest first, and their first documents; those of bulk loads before those that are
        /// journaled.
        fileprivate let segments: SegmentRow
        fileprivate let firstDocuments: [UInt32]
        /// How many segments are of bulk loads, and what tells that an identifier is in none of
        /// these.
        fileprivate let bulkCount: Int
        fileprivate let bulkHashes: [IdentifierHashes]
        fileprivate let flushed: [FlushedSegment]
        fileprivate let dead: Tombstones

        init(_ state: borrowing IndexWriter.State) {
            let parts = state.unflushed
            segments = SegmentRow(parts.reversed().map(\.segment))
            firstDocuments = parts.reversed().map(\.firstDocument)
            bulkCount = parts.count - state.memory.count
            bulkHashes = [state.bulk.hashes, state.bulk.flushHashes]
            flushed = state.flushed
            dead = state.dead
        }
    }

    /// The documents that the identifiers of a segment have, as the writer sees it: pending
    /// documents count, and those they replace do not.
    ///
    /// One memory segment after the other is asked for all, so that each one's table is near while
    /// it is; those of bulk loads, of which there may be many, only for what their hashes do not
    /// rule out. `hashes` are those of the segment's identifiers.
    mutating func documents(
        of segment: borrowing MemorySegment, _ hashes: borrowing Buffer<UInt64>,
        in known: borrowing Known
    ) throws -> [UInt32] {
        var found: [UInt32] = []
        // Those that are looked for in bulk loads, and those that are not; found ones leave both.
        var left = Buffer<UInt32>(capacity: hashes.count)
        var others = Buffer<UInt32>(capacity: hashes.count)
        for document in 0..<hashes.count {
            let mayBe = known.bulkHashes.contains { $0.mayContain(hashes[document]) }
            if mayBe { left.append(UInt32(document)) } else { others.append(UInt32(document)) }
        }
        for place in 0..<known.bulkCount {
            Self.find(&left, of: segment, hashes, at: place, in: known, &found)
        }
        others.withElements { left.append(contentsOf: $0) }
        for place in known.bulkCount..<known.segments.count {
            Self.find(&left, of: segment, hashes, at: place, in: known, &found)
        }
        guard !known.flushed.isEmpty else { return found }
        for number in 0..<left.count {
            let old = try segment.documents.withIdentifier(of: Int(left[number])) {
                identifier in
                Result { try stored(identifier, in: known.flushed, known.dead) }
            }.get()
            if let old { found.append(old) }
        }
        return found
    }

    /// Moves those of `left` that a memory segment has to what was found.
    private static func find(
        _ left: inout Buffer<UInt32>, of segment: borrowing MemorySegment,
        _ hashes: borrowing Buffer<UInt64>, at place: Int, in known: borrowing Known,
        _ found: inout [UInt32]
    ) {
        known.segments.with(place) { other in
            var kept = 0
            for number in 0..<left.count {
                let document = Int(left[number])
                let match = segment.documents.withIdentifier(of: document) {
                    other.identifierTable.document(
                        for: IdentifierProbe($0, hash: hashes[document]), in: other.documents)
                }
                left[kept] = left[number]
                guard let match else {
                    kept += 1
                    continue
                }
                let old = known.firstDocuments[place] + match
                if !known.dead.contains(old) { found.append(old) }
            }
            left.removeLast(left.count - kept)
        }
    }

    /// The document of an identifier as the writer sees it, in the same way.
    mutating func document(
        for identifier: UnsafeBufferPointer<UInt8>, in state: borrowing IndexWriter.State
    ) throws -> UInt32? {
        let probe = IdentifierProbe(identifier)
        let found =
            Self.find(probe, inNewestOf: state.bulk.pending) { _ in true }
            ?? Self.find(probe, inNewestOf: state.flush?.parts ?? []) { !$0.isJournaled }
            ?? Self.find(probe, inNewestOf: state.memory) { _ in true }
        if let found { return state.dead.contains(found) ? nil : found }
        return try stored(identifier, in: state.flushed, state.dead)
    }

    private mutating func stored(
        _ identifier: UnsafeBufferPointer<UInt8>, in flushed: [FlushedSegment],
        _ dead: borrowing Tombstones
    ) throws -> UInt32? {
        guard !flushed.isEmpty else { return nil }
        return try stored(identifier) { document in
            flushed.contains { $0.manifest.documents.contains(document) }
                && !dead.contains(document)
        }
    }

    private static func find(
        _ identifier: IdentifierProbe, inNewestOf parts: [PlacedSegment],
        where isWanted: (PlacedSegment) -> Bool
    ) -> UInt32? {
        for part in parts.reversed() where isWanted(part) {
            if let found = find(identifier, in: part) { return found }
        }
        return nil
    }
}
