/// Rewrites neighbouring flushed segments as one, without the documents that are dead.
///
/// Document numbers stay as they are, or are given anew (`MergedDocuments`).
struct SegmentMerger {
    let store: IndexStore
    let number: UInt32
    let segments: [FlushedSegment]
    let documents: MergedDocuments
    /// What lists are made of.
    let infixes: StopWordInfixes
    private let batch = StoreBatch()
    /// Bytes in the store for each term, about.
    private static let bytesPerTerm = 64

    init(
        store: IndexStore, number: UInt32, segments: [FlushedSegment],
        documents: MergedDocuments, _ infixes: StopWordInfixes
    ) {
        self.store = store
        self.number = number
        self.segments = segments
        self.documents = documents
        self.infixes = infixes
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
            store: store, number: number, batch: batch, lengths: lengths, infixes)
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
        var champions = ChampionWriter(
            infixes, lengths, leastDocuments: store.leastChampionDocuments)
        try champions.write([terms.stopWords], segment: number, into: batch) {
            if isCancelled() { throw CancellationError() }
        }
        var written = Manifest.Segment(
            number: number, firstDocument: documents.firstDocument, documentCount: documents.count,
            termCount: terms.termCount, partCount: terms.partCount)
        let merged = FlushedSegment(written, missingCount: 0, store: store)
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
                let page = try store.identifierPage(number, of: segment.manifest)
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

/// The terms of flushed segments in one order.
enum FlushedTerms {
    /// One of several vocabularies that hold a term.
    struct Holder: BitwiseCopyable {
        /// Its place among them.
        var segment: Int
        var place: TermPlace
    }

    /// Calls `body` with each distinct term and the segments that hold it, in term order.
    static func forEach(
        in segments: [FlushedSegment],
        _ body: (UnsafeBufferPointer<UInt8>, [Holder]) throws -> Void
    ) throws {
        try forEach(in: try segments.map { try $0.vocabulary() }, body)
    }

    /// Calls `body` with each distinct term and the vocabularies that hold it, in term order.
    static func forEach(
        in vocabularies: [[VocabularyPart]],
        _ body: (UnsafeBufferPointer<UInt8>, [Holder]) throws -> Void
    ) throws {
        var walks = vocabularies.map { Walk($0) }
        var holders: [Holder] = []
        while true {
            holders.removeAll(keepingCapacity: true)
            for index in walks.indices where !walks[index].isAtEnd {
                if let best = holders.first {
                    let order = walks[index].withTerm { a in
                        walks[best.segment].withTerm { TermOrder.compare(a, $0) }
                    }
                    if order > 0 { continue }
                    if order < 0 { holders.removeAll(keepingCapacity: true) }
                }
                holders.append(Holder(segment: index, place: walks[index].place))
            }
            guard let first = holders.first else { return }
            try walks[first.segment].withTerm { try body($0, holders) }
            for holder in holders { walks[holder.segment].advance() }
        }
    }

    struct Walk {
        private let parts: [VocabularyPart]
        private var part = 0
        private var term = 0

        init(_ parts: [VocabularyPart]) {
            self.parts = parts
            leaveEmptyParts()
        }

        /// Begins with the first term that does not come before `bytes`.
        ///
        /// Complexity: logarithmic in the number of terms.
        init(_ parts: [VocabularyPart], from bytes: UnsafeBufferPointer<UInt8>) {
            self.parts = parts
            var high = parts.count
            while part + 1 < high {
                let middle = (part + high) / 2
                if parts[middle].begins(notBehind: bytes) { part = middle } else { high = middle }
            }
            if part < parts.count { term = parts[part].place(of: bytes) }
            leaveEmptyParts()
        }

        var isAtEnd: Bool { part == parts.count }

        /// Where the term stands.
        var place: TermPlace { TermPlace(part: UInt32(part), term: UInt32(term)) }

        func withTerm<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
            let range = parts[part].range(of: term)
            return try parts[part].bytes.withUnsafeBufferPointer {
                try body(UnsafeBufferPointer(rebasing: $0[range]))
            }
        }

        mutating func advance() {
            term += 1
            leaveEmptyParts()
        }

        private mutating func leaveEmptyParts() {
            while part < parts.count, term >= parts[part].termCount {
                part += 1
                term = 0
            }
        }
    }
}
