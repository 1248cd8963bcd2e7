/// What the tables of engagements add up to: written with every commit that changes them, so that a
/// verification finds an entry that went missing, or came back.
///
/// Stored form (`m` table, "engagements"): the number of entries of both tables, a varint; their
/// digest; the checksum of both. Not there while there are none.
struct EngagementTotals: Sendable, Equatable {
    static let key = Key.meta("engagements")

    private(set) var entryCount = 0
    private(set) var digest: UInt64 = 0

    init() {}

    var isEmpty: Bool { entryCount == 0 }

    mutating func insert(_ entry: UInt64) {
        entryCount += 1
        digest &+= entry
    }

    mutating func remove(_ entry: UInt64) {
        entryCount -= 1
        digest &-= entry
    }

    /// As stored, or none.
    init(storedIn store: IndexStore) throws {
        guard let stored = try store.value(Self.key) else { return }
        self = try IndexStore.translating(.meta) {
            try stored.withUnsafeBytes { try EngagementTotals($0) }
        }
    }

    /// Writes them into a batch.
    func put(into batch: StoreBatch) {
        guard !isEmpty else { return Self.key.withUnsafeBytes { batch.delete($0) } }
        var output = Buffer<UInt8>()
        output.appendVarint(max(entryCount, 0))
        output.appendLittleEndian(digest)
        output.appendLittleEndian(output.withElements { Checksum.of($0) })
        batch.put(Self.key, output.toArray())
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        entryCount = try reader.varint(atMost: Int.max)
        digest = try reader.littleEndian64()
        let body = UnsafeRawBufferPointer(rebasing: bytes[..<reader.offset])
        guard entryCount > 0,
            try reader.littleEndian64() == Checksum.of(body.bindMemory(to: UInt8.self)),
            reader.isAtEnd
        else { throw MalformedData() }
    }
}
