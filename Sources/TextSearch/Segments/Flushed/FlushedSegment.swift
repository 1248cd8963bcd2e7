import Synchronization

/// A run of documents whose postings lie in the store, under keys that nothing ever changes.
///
/// **Lifetime**: its keys stay until no snapshot can see it (see `Epoch`).
///
/// **Thread safety**: what is read lazily is guarded; everything else is immutable.
final class FlushedSegment: Sendable {
    let manifest: Manifest.Segment
    let store: IndexStore
    /// Those of the index.
    let caches: SearchCaches
    private let columns = Mutex(Columns())
    let attributes = Mutex(AttributeColumns())
    let spareSlots = SpareSlots()
    /// For the best documents of patterns.
    let slotWeights = LazySlotWeights()

    private let lazyNearTerms = Lazy<NearTerms>()
    private let lazyInfixTerms = Lazy<InfixTerms>()
    private let lazyJoinedParts = Lazy<JoinedParts>()
    private let lazyJoinedTerms = Lazy<JoinedTerms>()

    private struct Columns {
        var weights: [Double]?
        var lengths: LengthColumn?
        var vocabulary: [VocabularyPart]?
        var samples: VocabularySamples?
        /// How many parts were read one by one, and what they take.
        var singleReads = 0
        var singleReadBytes = 0
        /// Of the room for vocabularies that are kept because of that.
        var reservedBytes = 0
        /// The first terms of parts that were looked for, by number.
        var firstTerms: [Int: [UInt8]] = [:]
    }

    /// Documents of the range that were never there or were dead when the segment was written.
    let missingCount: Int

    init(
        _ manifest: Manifest.Segment, missingCount: Int, store: IndexStore, _ caches: SearchCaches
    ) {
        self.manifest = manifest
        self.missingCount = missingCount
        self.store = store
        self.caches = caches
    }

    var number: UInt32 { manifest.number }

    /// The weight of every document, by relative number. Read once, then kept.
    func weights() throws -> [Double] {
        try columns.withLock { columns in
            if let weights = columns.weights { return weights }
            var weights: [Double] = []
            weights.reserveCapacity(manifest.documentCount)
            try forEachPage(of: Column.weights) { page, count in
                try Column.decodeWeights(page, count: count, into: &weights)
            }
            columns.weights = weights
            return weights
        }
    }

    /// The lengths of every document's strings, by relative number. Read once, then kept.
    func lengths() throws -> LengthColumn {
        try columns.withLock { columns in
            if let lengths = columns.lengths { return lengths }
            var lengths = LengthColumn()
            try forEachPage(of: Column.lengths) { page, count in
                try lengths.decodePage(page, count: count, total: manifest.documentCount)
            }
            columns.lengths = lengths
            return lengths
        }
    }

    /// The documents of the range that are not there, ascending.
    static func missingDocuments(
        of manifest: Manifest.Segment, in store: IndexStore
    ) throws -> [UInt32] {
        var missing: [UInt32] = []
        var key = Buffer<UInt8>()
        let pageCount = (manifest.documentCount + Column.pageSize - 1) / Column.pageSize
        for page in 0..<pageCount {
            Key.column(
                segment: manifest.number, column: Column.missing, page: UInt32(page), into: &key)
            _ = try store.withValue(key, .columns) { bytes in
                for (index, byte) in bytes.enumerated() where byte != 0 {
                    for bit in 0..<8 where byte & 1 << UInt8(bit) != 0 {
                        let relative = page * Column.pageSize + index * 8 + bit
                        guard relative < manifest.documentCount else { throw MalformedData() }
                        missing.append(manifest.firstDocument + UInt32(relative))
                    }
                }
            }
        }
        return missing
    }

    /// The terms, in parts. Read once, then kept.
    func vocabulary() throws -> [VocabularyPart] {
        try columns.withLock { columns in
            if let parts = columns.vocabulary { return parts }
            var parts: [VocabularyPart] = []
            var terms = 0
            let cursor = try store.makeCursor(fillCache: false)
            var prefix = Buffer<UInt8>()
            Key.segment(.vocabulary, number, into: &prefix)
            try cursor.seek(to: prefix)
            // Not one step behind the last: there may lie all that is left of deleted segments.
            while parts.count < manifest.partCount, try cursor.isOn(prefix: prefix) {
                let part = try cursor.withEntry(.vocabulary) { key, value in
                    guard try Key.lastNumber(key) == UInt32(parts.count) else {
                        throw MalformedData()
                    }
                    return try VocabularyPart(value)
                }
                terms += part.termCount
                parts.append(part)
                if parts.count < manifest.partCount { try cursor.next() }
            }
            try cursor.check()
            guard terms == manifest.termCount, parts.count == manifest.partCount else {
                throw TextIndexError.corrupted("vocabulary")
            }
            columns.firstTerms = [:]
            columns.vocabulary = parts
            columns.samples = VocabularySamples(parts)
            return parts
        }
    }

    /// What finds terms near a word. Made once, then kept.
    func nearTerms() throws -> NearTerms {
        let parts = try vocabulary()
        return lazyNearTerms.get { NearTerms(parts) }
    }

    /// The parts of its joined words. Made once, then kept.
    func joinedParts() throws -> JoinedParts {
        let parts = try vocabulary()
        return lazyJoinedParts.get {
            JoinedParts { body in
                for part in parts {
                    part.withTerms { terms in
                        for number in 0..<part.termCount { body(terms[number]) }
                    }
                }
            }
        }
    }

    /// Its terms that have signs. Made once, then kept.
    func joinedTerms() throws -> JoinedTerms {
        let parts = try vocabulary()
        return lazyJoinedTerms.get { JoinedTerms(parts) }
    }

    /// What finds terms by what they hold. Made once, then kept.
    func infixTerms() throws -> InfixTerms {
        let parts = try vocabulary()
        return lazyInfixTerms.get { InfixTerms(parts) }
    }

    /// Notes that a part was read alone. Once as many were as there are, all are read and kept, if
    /// there is room.
    ///
    /// So parts that are read alone are, where all are kept in the end, no more than twice what had
    /// to be read.
    func noteRead(of part: VocabularyPart) {
        let size: Int? = columns.withLock { columns in
            columns.singleReads += 1
            columns.singleReadBytes += part.byteCount
            guard columns.vocabulary == nil, columns.singleReads % max(manifest.partCount, 1) == 0
            else {
                return nil
            }
            return columns.singleReadBytes / columns.singleReads * manifest.partCount
        }
        guard let size, caches.reserveVocabulary(size) else { return }
        // What is damaged is an error for whoever asks for it.
        let isKept = (try? vocabulary()) != nil
        let isFirst = columns.withLock { columns in
            guard isKept, columns.reservedBytes == 0 else { return false }
            columns.reservedBytes = size
            return true
        }
        if !isFirst { caches.reserveVocabulary(-size) }
    }

    deinit { caches.reserveVocabulary(-columns.withLock { $0.reservedBytes }) }

    /// The vocabulary and its samples, if it was read.
    var loadedVocabulary: (parts: [VocabularyPart], samples: VocabularySamples)? {
        columns.withLock { columns in
            guard let parts = columns.vocabulary, let samples = columns.samples else { return nil }
            return (parts, samples)
        }
    }

    var hasVocabulary: Bool { columns.withLock { $0.vocabulary != nil } }

    /// A part of the vocabulary, if that was read.
    func loadedPart(_ number: Int) -> VocabularyPart? {
        columns.withLock { columns in
            guard let parts = columns.vocabulary, number < parts.count else { return nil }
            return parts[number]
        }
    }

    /// The first term of a part of the vocabulary. Read once, then kept.
    func firstTerm(ofPart number: Int) throws -> [UInt8] {
        if let known = columns.withLock({ $0.firstTerms[number] }) { return known }
        let first = try withPart(number) { try VocabularyPart.firstTerm(of: $0) }
        columns.withLock { $0.firstTerms[number] = first }
        return first
    }

    private var pageCount: Int {
        (manifest.documentCount + Column.pageSize - 1) / Column.pageSize
    }

    private func forEachPage(
        of column: UInt8, _ body: (UnsafeRawBufferPointer, Int) throws -> Void
    ) throws {
        var key = Buffer<UInt8>()
        for page in 0..<pageCount {
            Key.column(segment: number, column: column, page: UInt32(page), into: &key)
            let count = min(Column.pageSize, manifest.documentCount - page * Column.pageSize)
            guard try store.withValue(key, .columns, { try body($0, count) }) != nil else {
                throw TextIndexError.corrupted("columns of segment \(number)")
            }
        }
    }
}
