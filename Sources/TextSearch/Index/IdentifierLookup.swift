/// Finds the living document of an identifier.
struct IdentifierLookup: ~Copyable {
    private let store: IndexStore
    private var cursor: StoreCursor?
    private var key = Buffer<UInt8>()

    init(store: IndexStore) { self.store = store }

    /// What the writer knows of documents. Taken once for many look-ups.
    struct Known {
        /// The newest first, and their first documents.
        fileprivate let segments: SegmentRow
        fileprivate let firstDocuments: [UInt32]
        fileprivate let flushed: [FlushedSegment]
        fileprivate let dead: Tombstones

        init(_ state: borrowing IndexWriter.State) {
            let parts = state.unflushed
            segments = SegmentRow(parts.reversed().map(\.segment))
            firstDocuments = parts.reversed().map(\.firstDocument)
            flushed = state.flushed
            dead = state.dead
        }
    }

    /// The documents that the identifiers of a segment have, as the writer sees it: pending documents count, and those they replace do not.
    ///
    /// One memory segment after the other is asked for all, so that each one's table is near while it is.
    mutating func documents(
        of segment: borrowing MemorySegment, in known: borrowing Known
    ) throws -> [UInt32] {
        let count = segment.documentCount
        var hashes = Buffer<UInt64>(capacity: count)
        var left = Buffer<UInt32>(capacity: count)
        for document in 0..<count {
            hashes.append(
                segment.documents.withIdentifier(of: document) { IdentifierProbe($0).hash })
            left.append(UInt32(document))
        }
        var found: [UInt32] = []
        for place in 0..<known.segments.count {
            known.segments.with(place) { other in
                var kept = 0
                for number in 0..<left.count {
                    let document = Int(left[number])
                    let match = segment.documents.withIdentifier(of: document) {
                        other.identifierTable.document(
                            for: IdentifierProbe($0, hash: hashes[document]),
                            in: other.documents)
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

    /// The document of an identifier as the writer sees it, in the same way.
    mutating func document(
        for identifier: UnsafeBufferPointer<UInt8>, in state: borrowing IndexWriter.State
    ) throws -> UInt32? {
        let probe = IdentifierProbe(identifier)
        let found =
            Self.find(probe, inNewestOf: state.pending) { _ in true }
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

    /// As a snapshot sees it.
    mutating func document(
        for identifier: UnsafeBufferPointer<UInt8>, in snapshot: Snapshot
    ) throws -> UInt32? {
        let probe = IdentifierProbe(identifier)
        for part in snapshot.memory.reversed() {
            if let found = Self.find(probe, in: part), !snapshot.dead.contains(found) {
                return found
            }
        }
        return try stored(identifier, where: snapshot.isLive)
    }

    private static func find(
        _ identifier: IdentifierProbe, inNewestOf parts: [SegmentWriter.Part],
        where isWanted: (SegmentWriter.Part) -> Bool
    ) -> UInt32? {
        for part in parts.reversed() where isWanted(part) {
            if let found = find(identifier, in: part) { return found }
        }
        return nil
    }

    private static func find(
        _ identifier: IdentifierProbe, in part: SegmentWriter.Part
    ) -> UInt32? {
        part.segment.identifierTable.document(for: identifier, in: part.segment.documents)
            .map { $0 + part.firstDocument }
    }

    /// The stored document of the identifier that `isLive` accepts; there is one at most.
    private mutating func stored(
        _ identifier: UnsafeBufferPointer<UInt8>, where isLive: (UInt32) -> Bool
    ) throws -> UInt32? {
        let cursor = try self.cursor ?? store.makeCursor()
        self.cursor = cursor
        Key.identifier(identifier, into: &key)
        let length = key.count
        try cursor.seek(to: key)
        var found: UInt32?
        while try found == nil && cursor.isOn(prefix: key) {
            let document = try cursor.withEntry { key, _ in
                guard key.count == length + 4 else { throw MalformedData() }
                return try Key.lastNumber(key)
            }
            if isLive(document) { found = document }
            try cursor.next()
        }
        try cursor.check()
        return found
    }
}
