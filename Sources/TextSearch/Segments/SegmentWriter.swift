/// Writes one flushed segment out of memory segments.
///
/// Everything goes under keys of a segment number that no manifest names yet; naming it is the caller's
/// commit.
struct SegmentWriter {
    /// A memory segment in its place in the index.
    struct Part: Sendable {
        var segment: MemorySegment
        var firstDocument: UInt32
        /// Whether records and identifiers are in the store already, by the journaled commit.
        var isJournaled: Bool

        var documents: Range<UInt32> {
            firstDocument..<(firstDocument + UInt32(segment.documentCount))
        }
    }

    /// Batches of this size keep LevelDB's buffers busy and memory small.
    static let batchSize = 1 << 20

    /// Bytes that a segment takes in memory for each in the store, about.
    private static let memoryPerByte = 4

    let store: IndexStore
    let number: UInt32
    let parts: [Part]
    /// Those of the parts whose records and identifiers are to be written too.
    let objects: ObjectWriter
    private let batch = StoreBatch()

    /// `isStored` says of which parts records and identifiers are in the store already.
    init(
        store: IndexStore, number: UInt32, parts: [Part], isStored: (Part) -> Bool = \.isJournaled
    ) {
        self.store = store
        self.number = number
        self.parts = parts
        objects = ObjectWriter(store: store, parts: parts.filter { !isStored($0) })
    }

    /// Writes all tables of the segment.
    ///
    /// - Returns: What the manifest is to say of it.
    func write() throws -> Manifest.Segment {
        let first = parts.first?.firstDocument ?? 0
        let end = parts.last?.documents.upperBound ?? 0
        let size = parts.reduce(0) { $0 + $1.segment.byteCount } / Self.memoryPerByte
        let segments = parts.map(\.segment)
        let (lengths, terms) = try SideWork { [store] in
            OrderedTerms(segments, leastSplitPostings: store.leastSplitPostings)
        }.run {
            try objects.write()
            try store.beginTable(ofAbout: size)
            return try writeColumns(first..<end)
        }
        let segment = try writeRest(first..<end, lengths, terms)
        try store.beginTable(ofAbout: size)
        return segment
    }

    /// Writes all that comes after the columns.
    private func writeRest(
        _ documents: Range<UInt32>, _ lengths: LengthColumn, _ terms: OrderedTerms
    ) throws -> Manifest.Segment {
        let terms = try MemoryTermsWriter(
            store: store, number: number, parts: parts, first: documents.lowerBound,
            lengths: lengths
        ).write(terms, into: batch)
        try StoredStems.write(
            StemList(merging: parts.map(\.segment.stems)), segment: number, into: batch,
            commitIfLarge: commitIfLarge)
        try store.commit(batch, sync: false)
        return Manifest.Segment(
            number: number, firstDocument: documents.lowerBound, documentCount: documents.count,
            termCount: terms.termCount,
            partCount: terms.partCount, digest: batch.digest &+ terms.digestBesides)
    }

    private func commitIfLarge() throws {
        if batch.byteCount >= Self.batchSize { try store.commit(batch, sync: false) }
    }

    private func writeColumns(_ documents: Range<UInt32>) throws -> LengthColumn {
        var columns = ColumnWriter(number: number, batch: batch)
        for part in parts {
            columns.skip(to: Int(part.firstDocument - documents.lowerBound))
            let segment = part.segment
            for document in 0..<segment.documentCount {
                let firstString = Int(segment.documents.firstString[document])
                let end =
                    document + 1 < segment.documentCount
                    ? Int(segment.documents.firstString[document + 1]) : segment.strings.count
                columns.append(
                    weight: segment.documents.weights[document],
                    lengths: (firstString..<end).lazy.map { segment.strings.length[$0] })
            }
            try commitIfLarge()
        }
        columns.finish()
        try writeIdentifiers(from: documents.lowerBound)
        try writeAttributes(documents)
        return columns.column
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
