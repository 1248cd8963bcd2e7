/// That a repair could not prove that nothing is missing (`m` table, "uncertain"): it is there
/// until a verification against the source.
///
/// Stored form: a varint, one more than the number of objects that were lost without their
/// identifiers; 0 where that is not known.
struct Uncertainty: Equatable {
    static let key = Key.meta("uncertain")

    /// How many objects were lost of which nothing is known; nil where that cannot be told.
    var unidentifiedCount: Int?

    /// Nil when nothing is uncertain.
    static func stored(in store: IndexStore) throws -> Uncertainty? {
        guard let stored = try store.value(key) else { return nil }
        return try IndexStore.translating(.meta) {
            try stored.withUnsafeBytes { try Uncertainty($0) }
        }
    }

    init(unidentifiedCount: Int?) { self.unidentifiedCount = unidentifiedCount }

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        let number = try reader.varint(atMost: Int(UInt32.max) + 1)
        guard reader.isAtEnd else { throw MalformedData() }
        unidentifiedCount = number == 0 ? nil : number - 1
    }

    func encoded() -> [UInt8] {
        var output = Buffer<UInt8>()
        output.appendVarint(unidentifiedCount.map { min($0, Int(UInt32.max)) + 1 } ?? 0)
        return output.toArray()
    }
}
