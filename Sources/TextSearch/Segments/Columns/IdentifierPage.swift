/// The identifiers of neighbouring documents of a segment: a page of their column.
///
/// Stored form (`c` table), for each of up to 256 documents: how many bytes its identifier shares
/// with that of the document before, how many follow, and these. Documents that are missing have
/// none.
///
/// **Thread safety**: immutable.
final class IdentifierPage: Sendable {
    /// Documents a page. Smaller than those of other columns: what a page of results needs is
    /// spread over the index.
    static let size = 256

    static func pageCount(of segment: Manifest.Segment) -> Int {
        (segment.documentCount + size - 1) / size
    }

    private let bytes: Buffer<UInt8>
    /// Where the identifier of each document ends in `bytes`.
    private let ends: Buffer<UInt32>

    init(_ stored: UnsafeRawBufferPointer, count: Int) throws(MalformedData) {
        var bytes = Buffer<UInt8>(capacity: stored.count * 2)
        var ends = Buffer<UInt32>(capacity: count)
        var reader = ByteReader(stored)
        var previous = 0
        for _ in 0..<count {
            let start = bytes.count
            try bytes.appendRest(&reader, after: previous)
            ends.append(UInt32(truncatingIfNeeded: bytes.count))
            previous = start
        }
        guard reader.isAtEnd else { throw MalformedData() }
        bytes.trim()
        self.bytes = bytes
        self.ends = ends
    }

    var count: Int { ends.count }

    /// Lends the identifier of the document at a place; empty where it is missing.
    @inline(__always)
    func withIdentifier<R>(
        at place: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        let start = place == 0 ? 0 : Int(ends[place - 1])
        let end = Int(ends[place])
        return try bytes.withElements { try body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Of memory.
    var byteCount: Int { bytes.byteCount + ends.byteCount }
}

/// Writes the identifiers of a segment, page by page; documents come in order.
struct IdentifierWriter: ~Copyable {
    private let number: UInt32
    private let batch: StoreBatch
    private var key = Buffer<UInt8>()
    private var stored = Buffer<UInt8>()
    private var previous = Buffer<UInt8>()
    private var page: UInt32 = 0
    private var count = 0

    init(number: UInt32, batch: StoreBatch) {
        self.number = number
        self.batch = batch
    }

    /// Nothing for a document that is missing.
    mutating func append(_ identifier: UnsafeBufferPointer<UInt8>) {
        var shared = 0
        while shared < min(identifier.count, previous.count), identifier[shared] == previous[shared]
        {
            shared += 1
        }
        stored.appendVarint(shared)
        stored.appendVarint(identifier.count - shared)
        stored.append(contentsOf: UnsafeBufferPointer(rebasing: identifier[shared...]))
        previous.removeAll()
        previous.append(contentsOf: identifier)
        count += 1
        if count == IdentifierPage.size { writePage() }
    }

    /// Marks the documents up to the relative number `document` as missing.
    mutating func skip(to document: Int) {
        while Int(page) * IdentifierPage.size + count < document { appendMissing() }
    }

    mutating func appendMissing() { append(UnsafeBufferPointer(start: nil, count: 0)) }

    mutating func finish() {
        if count > 0 { writePage() }
    }

    private mutating func writePage() {
        Key.column(segment: number, column: Column.identifiers, page: page, into: &key)
        batch.put(key, stored)
        stored.removeAll()
        previous.removeAll()
        page += 1
        count = 0
    }
}

extension FlushedSegment {
    /// A page of the identifiers, kept for a while.
    ///
    /// Complexity: as a look-up in a hash table where it was asked for of late.
    ///
    /// - Throws: ``TextIndexError``: `.corrupted` where it is not there, `.io`.
    func identifierPage(_ page: Int) throws -> IdentifierPage {
        let name = PatternCaches.IdentifierPageKey(segment: number, page: UInt32(page))
        let recent = caches.patterns.identifiers
        if let known = recent.value(for: name) { return known }
        let found = try store.identifierPage(page, of: manifest)
        recent.insert(found, for: name, byteCount: found.byteCount)
        return found
    }
}

extension IndexStore {
    /// A page of the identifiers of a segment.
    ///
    /// - Throws: ``TextIndexError``: `.corrupted` where it is not there, `.io`.
    func identifierPage(_ page: Int, of segment: Manifest.Segment) throws -> IdentifierPage {
        var key = Buffer<UInt8>(capacity: 16)
        Key.column(
            segment: segment.number, column: Column.identifiers, page: UInt32(page), into: &key)
        let count = min(IdentifierPage.size, segment.documentCount - page * IdentifierPage.size)
        guard
            let found = try withValue(key, .columns, { try IdentifierPage($0, count: count) })
        else { throw TextIndexError.corrupted("identifiers of segment \(segment.number)") }
        return found
    }
}
