/// How many documents are alive, and which: written with every commit, so that a tombstone or a
/// journal entry that went missing, or came back, shows.
///
/// Stored form (`m` table, "living"): the count, a varint; the digest; and the checksum of both.
struct LivingDocuments: Sendable, Equatable {
    static let key = Key.meta("living")

    private(set) var count = 0
    private(set) var digest: UInt64 = 0

    init() {}

    /// Those of a snapshot.
    ///
    /// Complexity: linear in the documents, a few instructions each.
    init(_ snapshot: Snapshot) {
        for segment in snapshot.segments { insert(segment.documents, but: snapshot.dead) }
    }

    private mutating func insert(_ documents: Range<UInt32>, but dead: Tombstones) {
        var first = documents.lowerBound
        while first < documents.upperBound {
            let end = first + min(64, documents.upperBound - first)
            let deadBits = dead.bits(from: first)
            for document in first..<end where deadBits >> UInt64(document &- first) & 1 == 0 {
                insert(document)
            }
            first = end
        }
    }

    mutating func insert(_ document: UInt32) {
        count += 1
        digest &+= EntryDigest.of(document)
    }

    mutating func remove(_ document: UInt32) {
        count -= 1
        digest &-= EntryDigest.of(document)
    }

    func encoded() -> [UInt8] {
        var output = Buffer<UInt8>()
        output.appendVarint(max(count, 0))
        output.appendLittleEndian(digest)
        output.appendLittleEndian(output.withElements { Checksum.of($0) })
        return output.toArray()
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        count = try reader.varint(atMost: Int(UInt32.max))
        digest = try reader.littleEndian64()
        let body = UnsafeRawBufferPointer(rebasing: bytes[..<reader.offset])
        guard try reader.littleEndian64() == Checksum.of(body.bindMemory(to: UInt8.self)),
            reader.isAtEnd
        else { throw MalformedData() }
    }
}
