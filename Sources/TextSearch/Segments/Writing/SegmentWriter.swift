/// Writes one flushed segment out of memory segments.
///
/// Everything goes under keys of a segment number that no manifest names yet; naming it is the
/// caller's commit.
struct SegmentWriter {
    /// Batches of this size keep LevelDB's buffers busy and memory small.
    static let batchSize = 1 << 20

    /// Bytes that a segment takes in memory for each in the store, about.
    private static let memoryPerByte = 4

    let store: IndexStore
    let number: UInt32
    let parts: [PlacedSegment]
    /// How many entries of those that are not journaled `ObjectWriter` has written already, by
    /// their first documents.
    let stored: [UInt32: Int]
    private let batch = StoreBatch()

    init(
        store: IndexStore, number: UInt32, parts: [PlacedSegment], stored: [UInt32: Int] = [:]
    ) {
        self.store = store
        self.number = number
        self.parts = parts
        self.stored = stored
    }

    /// Writes all tables of the segment. Another thread makes entries of its terms meanwhile, and
    /// this one helps when it has done the rest.
    ///
    /// - Returns: What the manifest is to say of it.
    func write() throws -> Manifest.Segment {
        let first = parts.first?.firstDocument ?? 0
        let documents = first..<(parts.last?.documents.upperBound ?? 0)
        let size = parts.byteCount / Self.memoryPerByte
        let turns = TermTurns(
            parts.map(\.segment), leastPostings: store.leastSplitPostings)
        let gate = TableGate()
        let terms = MemoryTermsWriter(
            store: store, number: number, parts: parts, first: first,
            lengths: lengths(documents))
        let written = try SideWork {
            try turns.stoppingOnFailure { try terms.write(turns, behind: gate) }
        }.run {
            // The other thread must not wait for ever for what failed.
            defer { gate.open() }
            return try turns.stoppingOnFailure {
                try writeObjects()
                try store.beginTable(ofAbout: size)
                gate.open()
                try writeColumns(documents)
                try store.commit(batch, sync: false)
                return try terms.write(turns, behind: gate)
            }
        }
        try StoredStems.write(
            StemList(merging: parts.map { ($0.segment, $0.firstDocument - first) }),
            segment: number, into: batch, commitIfLarge: commitIfLarge)
        try store.commit(batch, sync: false)
        try store.beginTable(ofAbout: size)
        return Manifest.Segment(
            number: number, firstDocument: first, documentCount: documents.count,
            termCount: written.own.termCount + written.side.termCount,
            partCount: written.own.partCount + written.side.partCount,
            digest: batch.digest &+ written.own.digest &+ written.side.digest)
    }

    private func writeObjects() throws {
        let writer = ObjectWriter(store: store)
        for part in parts where !part.isJournaled {
            _ = try writer.write(part, from: stored[part.firstDocument] ?? 0)
        }
    }

    private func commitIfLarge() throws {
        if batch.byteCount >= Self.batchSize { try store.commit(batch, sync: false) }
    }

    private func writeColumns(_ documents: Range<UInt32>) throws {
        var columns = ColumnWriter(number: number, batch: batch)
        for part in parts {
            columns.skip(to: Int(part.firstDocument - documents.lowerBound))
            let segment = part.segment
            for document in 0..<segment.documentCount {
                columns.append(
                    weight: segment.documents.weights[document],
                    lengths: segment.strings(of: document).lazy.map { segment.strings.length[$0] })
            }
            try commitIfLarge()
        }
        columns.finish()
        try writeIdentifiers(from: documents.lowerBound)
        try writeAttributes(documents)
    }

    /// The lengths of all strings, as the columns say them.
    private func lengths(_ documents: Range<UInt32>) -> LengthColumn {
        var lengths = LengthColumn()
        for part in parts {
            lengths.skip(to: Int(part.firstDocument - documents.lowerBound))
            lengths.append(part.segment)
        }
        return lengths
    }

    private func writeIdentifiers(from first: UInt32) throws {
        var identifiers = IdentifierWriter(number: number, batch: batch)
        for part in parts {
            identifiers.skip(to: Int(part.firstDocument - first))
            for document in 0..<part.segment.documentCount {
                part.segment.documents.withIdentifier(of: document) { identifiers.append($0) }
            }
            try commitIfLarge()
        }
        identifiers.finish()
    }

    private func writeAttributes(_ documents: Range<UInt32>) throws {
        var attributes = AttributeWriter(
            store: store, number: number, documentCount: documents.count, batch: batch)
        for part in parts where part.segment.documents.hasAttributes {
            let first = Int(part.firstDocument - documents.lowerBound)
            for document in 0..<part.segment.documentCount {
                try part.segment.documents.withAttributes(of: document) {
                    try attributes.add(UnsafeRawBufferPointer($0), of: first + document)
                }
            }
        }
        try attributes.finish()
        try commitIfLarge()
    }
}

extension [PlacedSegment] {
    /// The memory that their segments hold.
    var byteCount: Int { reduce(0) { $0 + $1.segment.byteCount } }
}
