/// Writes the vocabulary of a segment and the postings of its terms, which come in order.
struct TermWriter: ~Copyable {
    private let store: IndexStore
    private let number: UInt32
    private var batch: StoreBatch
    /// Full batches that wait for the gate.
    private var held: [StoreBatch] = []
    private var heldByteCount = 0
    private var heldDigest: UInt64 = 0
    private let impacts: Impacts
    private var key = Buffer<UInt8>()
    private var chunk = Buffer<UInt8>()
    /// Of the part at hand: the terms, the lengths of their chunks, and the chunks.
    private var terms = Buffer<UInt8>(capacity: VocabularyPart.targetSize + 512)
    private var lengths = Buffer<UInt8>()
    private var chunks = Buffer<UInt8>()
    /// The number of the next part.
    private var nextPart = 0
    private(set) var partCount = 0
    private(set) var termCount = 0
    /// Nothing is written before it is open.
    private let gate: TableGate?

    /// `lengths` are those of the segment's documents. Where parts end depends on the terms, and on
    /// where `begin(part:)` is called.
    init(
        store: IndexStore, number: UInt32, batch: StoreBatch, lengths: LengthColumn,
        gate: TableGate? = nil
    ) {
        self.store = store
        self.number = number
        self.batch = batch
        self.gate = gate
        impacts = Impacts(lengths)
        terms.append(0)
    }

    /// Goes on with terms that begin a part, of which the number is given.
    mutating func begin(part: Int) {
        if terms.count > 1 { writePart() }
        nextPart = part
    }

    mutating func append(
        _ term: UnsafeBufferPointer<UInt8>, _ encoder: inout PostingsEncoder
    ) throws {
        chunk.removeAll()
        encoder.encode(into: &chunk, impacts)
        guard chunk.count <= store.largestPostings else { throw Self.tooMany }
        terms.append(contentsOf: term)
        terms.append(0)
        termCount += 1
        if encoder.hasInlinePositions, chunk.count <= store.inlinePostingsLimit {
            lengths.appendVarint(chunk.count)
            chunk.withElements { chunks.append(contentsOf: $0) }
        } else {
            lengths.append(0)
            try putEntries(term, encoder)
        }
        if Self.isFull(terms.count) { writePart() }
        if batch.byteCount >= SegmentWriter.batchSize { try commit() }
    }

    /// Commits what is put together by now, or puts it aside while the gate is closed.
    private mutating func commit() throws {
        guard let gate, !gate.lets(pass: heldByteCount + batch.byteCount) else {
            return try commitAll()
        }
        held.append(batch)
        heldByteCount += batch.byteCount
        batch = StoreBatch()
    }

    private mutating func commitAll() throws {
        for each in held {
            heldDigest &+= each.digest
            try store.commit(each, sync: false)
        }
        held = []
        heldByteCount = 0
        try store.commit(batch, sync: false)
    }

    private static var tooMany: TextIndexError {
        TextIndexError(.limitExceeded, "A word stands at too many places for one segment.")
    }

    private static func isFull(_ byteCount: Int) -> Bool {
        byteCount >= VocabularyPart.targetSize
    }

    /// How many parts terms take.
    static func partCount(of merge: TermMerge) -> Int {
        var count = 0
        var byteCount = 1
        merge.forEachTerm { term, _ in
            byteCount += term.count + 1
            guard isFull(byteCount) else { return }
            count += 1
            byteCount = 1
        }
        return byteCount > 1 ? count + 1 : count
    }

    /// The digest of all that was written.
    var digest: UInt64 { heldDigest &+ batch.digest }

    /// Writes what is left.
    mutating func finish() throws {
        if terms.count > 1 { writePart() }
        gate?.wait()
        try commitAll()
    }

    private mutating func writePart() {
        Key.part(.vocabulary, segment: number, part: UInt32(nextPart), into: &key)
        chunk.removeAll()
        chunk.appendBigEndian(UInt32(terms.count))
        terms.withElements { chunk.append(contentsOf: $0) }
        lengths.withElements { chunk.append(contentsOf: $0) }
        chunks.withElements { chunk.append(contentsOf: $0) }
        batch.put(key, chunk)
        nextPart += 1
        partCount += 1
        terms.removeAll()
        terms.append(0)
        lengths.removeAll()
        chunks.removeAll()
    }

    private mutating func putEntries(
        _ term: UnsafeBufferPointer<UInt8>, _ encoder: borrowing PostingsEncoder
    ) throws {
        Key.term(.postings, term, segment: number, into: &key)
        batch.put(key, chunk)
        guard !encoder.hasInlinePositions else { return }
        var start = 0
        for (page, end) in encoder.pageEnds.enumerated() {
            guard end - start <= store.largestPostings else { throw Self.tooMany }
            // All pages of a word can be more than one batch takes.
            if batch.byteCount >= SegmentWriter.batchSize { try commit() }
            Key.positions(term, segment: number, page: page, into: &key)
            encoder.positions.withBytes { bytes in
                batch.put(key, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            start = end
        }
    }
}
