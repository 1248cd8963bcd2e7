/// Rewrites neighbouring flushed segments as one, without the documents that are dead.
///
/// Document numbers stay as they are, or are given anew (`MergedDocuments`).
struct SegmentMerger {
    let store: IndexStore
    let caches: SearchCaches
    let number: UInt32
    let segments: [FlushedSegment]
    let documents: MergedDocuments
    private let batch = StoreBatch()
    /// Bytes in the store for each term, about.
    private static let bytesPerTerm = 64

    init(
        store: IndexStore, _ caches: SearchCaches, number: UInt32, segments: [FlushedSegment],
        documents: MergedDocuments
    ) {
        self.store = store
        self.caches = caches
        self.number = number
        self.segments = segments
        self.documents = documents
    }

    /// Writes all tables of the new segment; naming it is the caller's commit.
    ///
    /// `isCancelled` is asked now and then; when it says so the work ends with `CancellationError`.
    func write(isCancelled: () -> Bool) throws -> Manifest.Segment {
        let termCount = segments.reduce(0) { $0 + $1.manifest.termCount }
        try store.beginTable(ofAbout: termCount * Self.bytesPerTerm)
        let segment = try writeTables(isCancelled)
        try store.beginTable(ofAbout: termCount * Self.bytesPerTerm)
        return segment
    }

    private func writeTables(_ isCancelled: () -> Bool) throws -> Manifest.Segment {
        let lengths = try writeColumns(isCancelled)
        var terms = TermWriter(
            store: store, number: number, batch: batch, lengths: lengths)
        var encoder = PostingsEncoder()
        var reader = TermPostingsReader()
        var entries = segments.map { SegmentPostings($0) }
        var isAsked = 0
        try FlushedTerms.forEach(in: segments) { term, holders in
            isAsked += 1
            if isAsked % 1_024 == 0 {
                if isCancelled() { throw CancellationError() }
                // Cursors keep the files that LevelDB replaces meanwhile from being deleted.
                if isAsked % (64 << 10) == 0 { entries = segments.map { SegmentPostings($0) } }
            }
            encoder.begin()
            for holder in holders {
                let manifest = segments[holder.segment].manifest
                try reader.read(term, entries[holder.segment], at: holder.place)
                let from = manifest.firstDocument
                try reader.append(
                    to: &encoder, segmentCount: manifest.documentCount
                ) { documents.place(of: $0 &+ from) }
            }
            guard encoder.documentCount > 0 else { return }
            try terms.append(term, &encoder)
        }
        try terms.finish()
        var written = Manifest.Segment(
            number: number, firstDocument: documents.firstDocument, documentCount: documents.count,
            termCount: terms.termCount, partCount: terms.partCount)
        let merged = FlushedSegment(written, missingCount: 0, store: store, caches)
        // A list of documents is compared with the postings of its term.
        try store.commit(batch, sync: false)
        let stems = StemMerger(segments: segments, merged: merged, documents: documents)
        try stems.write(into: batch) { try commitIfLarge(isCancelled) }
        try store.commit(batch, sync: false)
        written.digest = batch.digest
        return written
    }

    private func commitIfLarge(_ isCancelled: () -> Bool) throws {
        guard batch.byteCount >= SegmentWriter.batchSize else { return }
        try store.commit(batch, sync: false)
        if isCancelled() { throw CancellationError() }
    }

    private func writeIdentifiers(_ isCancelled: () -> Bool) throws {
        var identifiers = IdentifierWriter(number: number, batch: batch)
        for segment in segments {
            let first = segment.manifest.firstDocument
            for number in 0..<IdentifierPage.pageCount(of: segment.manifest) {
                let page = try segment.identifierPage(number)
                for place in 0..<page.count {
                    let document = first + UInt32(number * IdentifierPage.size + place)
                    guard let own = documents.place(of: document) else { continue }
                    identifiers.skip(to: Int(own))
                    page.withIdentifier(at: place) { identifiers.append($0) }
                }
            }
            try commitIfLarge(isCancelled)
        }
        identifiers.skip(to: documents.count)
        identifiers.finish()
    }

    private func writeAttributes(_ isCancelled: () -> Bool) throws {
        var attributes = AttributeWriter(
            store: store, number: number, documentCount: documents.count, batch: batch)
        for segment in segments {
            try attributes.add(segment) { documents.place(of: $0) }
        }
        try attributes.finish()
        try commitIfLarge(isCancelled)
    }

    private func writeColumns(_ isCancelled: () -> Bool) throws -> LengthColumn {
        var columns = ColumnWriter(number: number, batch: batch)
        var column = LengthColumn()
        for segment in segments {
            let weights = try segment.weights()
            let lengths = try segment.lengths()
            for document in 0..<segment.manifest.documentCount {
                let number = segment.manifest.firstDocument + UInt32(document)
                guard let own = documents.place(of: number) else { continue }
                columns.skip(to: Int(own))
                column.skip(to: Int(own))
                columns.append(weight: weights[document], lengths: lengths.of(document))
                column.append(document, of: lengths)
            }
            try commitIfLarge(isCancelled)
        }
        columns.skip(to: documents.count)
        column.skip(to: documents.count)
        columns.finish()
        try writeIdentifiers(isCancelled)
        try writeAttributes(isCancelled)
        return column
    }
}
