/// Writes the sorted terms of a segment, in parts.
struct VocabularyWriter: ~Copyable {
    private let store: IndexStore
    private let number: UInt32
    private let batch: StoreBatch
    private var key = Buffer<UInt8>()
    private var page = Buffer<UInt8>(capacity: VocabularyPart.targetSize + 512)
    private var part: UInt32 = 0
    private var termCount = 0

    init(store: IndexStore, number: UInt32, batch: StoreBatch) {
        self.store = store
        self.number = number
        self.batch = batch
        page.append(0)
    }

    mutating func append(_ term: UnsafeBufferPointer<UInt8>) throws {
        page.append(contentsOf: term)
        page.append(0)
        termCount += 1
        if page.count >= VocabularyPart.targetSize { try writePart() }
    }

    /// Writes what is left; how many terms there were.
    mutating func finish() throws -> Int {
        try keepUp()
        return termCount
    }

    /// Puts the terms so far into the batch: what is committed with them can be found by them, should a crash come before the segment is
    /// named.
    mutating func keepUp() throws {
        if page.count > 1 { try writePart() }
    }

    private mutating func writePart() throws {
        Key.part(.vocabulary, segment: number, part: part, into: &key)
        batch.put(key, page)
        if batch.byteCount >= SegmentWriter.batchSize { try store.commit(batch, sync: false) }
        part += 1
        page.removeAll()
        page.append(0)
    }
}

/// Writes the columns of a segment, page by page; documents come in order.
struct ColumnWriter: ~Copyable {
    private let number: UInt32
    private let batch: StoreBatch
    private var key = Buffer<UInt8>()
    private var weights: [Double] = []
    private var lengths = Buffer<UInt8>()
    private var missing = [UInt8](repeating: 0, count: Column.pageSize / 8)
    private var hasMissing = false
    private var page: UInt32 = 0
    private var count = 0
    /// All lengths that were written.
    private(set) var column = LengthColumn()

    init(number: UInt32, batch: StoreBatch) {
        self.number = number
        self.batch = batch
    }

    /// Marks the documents up to the relative number `document` as missing.
    mutating func skip(to document: Int) {
        while Int(page) * Column.pageSize + count < document { appendMissing() }
    }

    mutating func appendMissing() {
        missing[count >> 3] |= 1 << UInt8(count & 7)
        hasMissing = true
        append(weight: 0, lengths: EmptyCollection())
    }

    mutating func append(weight: Double, lengths strings: some Collection<UInt32>) {
        weights.append(weight)
        lengths.appendVarint(strings.count)
        for length in strings { lengths.appendVarint(UInt64(length)) }
        column.append(strings)
        count += 1
        if count == Column.pageSize { writePage() }
    }

    mutating func finish() {
        if count > 0 { writePage() }
    }

    private mutating func writePage() {
        if hasMissing {
            Key.column(segment: number, column: Column.missing, page: page, into: &key)
            missing.withUnsafeBytes { batch.put(key, $0) }
            missing = [UInt8](repeating: 0, count: Column.pageSize / 8)
            hasMissing = false
        }
        var bytes = Buffer<UInt8>()
        Column.encodeWeights(weights, into: &bytes)
        Key.column(segment: number, column: Column.weights, page: page, into: &key)
        batch.put(key, bytes)
        Key.column(segment: number, column: Column.lengths, page: page, into: &key)
        batch.put(key, lengths)
        weights.removeAll(keepingCapacity: true)
        lengths.removeAll()
        page += 1
        count = 0
    }
}

/// Writes the chunk and the positions of one term after the other.
struct PostingsWriter: ~Copyable {
    private let number: UInt32
    private let batch: StoreBatch
    private let impacts: Impacts
    private var key = Buffer<UInt8>()
    private var chunk = Buffer<UInt8>()

    /// `lengths` are those of the segment's documents.
    init(number: UInt32, batch: StoreBatch, lengths: LengthColumn) {
        self.number = number
        self.batch = batch
        impacts = Impacts(lengths)
    }

    mutating func write(_ term: UnsafeBufferPointer<UInt8>, _ encoder: inout PostingsEncoder) {
        chunk.removeAll()
        encoder.encode(into: &chunk, impacts)
        Key.term(.postings, term, segment: number, into: &key)
        batch.put(key, chunk)
        guard !encoder.hasInlinePositions else { return }
        var start = 0
        for (page, end) in encoder.pageEnds.enumerated() {
            Key.positions(term, segment: number, page: page, into: &key)
            encoder.positions.withBytes { bytes in
                batch.put(key, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            start = end
        }
    }
}
