/// What the tables of engagements hold under one name, sealed as records are.
protocol EngagementEntry: Sendable {
    static var table: Table { get }
    /// An entry that is not stored.
    init()
    /// Reads the stored form.
    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData)
    var isEmpty: Bool { get }
    func encode(into output: inout Buffer<UInt8>)
}

extension EngagementEntry {
    /// The key of what is called by the bytes of a query or an identifier.
    static func key(_ name: [UInt8]) -> [UInt8] { [table.rawValue] + name }

    /// Reads an entry as it is stored, with its seal.
    init(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) {
        guard key.count > 1 else { throw MalformedData() }
        try self.init(try Seal.content(key, value))
        guard !isEmpty else { throw MalformedData() }
    }

    /// The stored entry of a name, and its digest.
    static func stored(
        _ name: [UInt8], in store: IndexStore
    ) throws -> (entry: Self, digest: UInt64)? {
        let key = key(name)
        var buffer = Buffer<UInt8>(capacity: key.count)
        buffer.append(bytes: key)
        return try store.withValue(buffer, table) { value in
            try key.withUnsafeBytes { key in
                (try Self(key, value), EntryDigest.of(key, value))
            }
        }
    }

    /// Reads a number, and so many names in the order of their bytes, each with what `read` makes
    /// of the bytes after it.
    static func values<Value>(
        _ bytes: UnsafeRawBufferPointer,
        _ read: (inout ByteReader) throws(MalformedData) -> Value
    ) throws(MalformedData) -> [[UInt8]: Value] {
        var reader = ByteReader(bytes)
        var values: [[UInt8]: Value] = [:]
        var last: [UInt8] = []
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            let name = Array(try reader.prefixed())
            guard last.lexicographicallyPrecedes(name) else { throw MalformedData() }
            values[name] = try read(&reader)
            last = name
        }
        guard reader.isAtEnd else { throw MalformedData() }
        return values
    }

    /// The stored form, with its seal.
    func sealed(under key: [UInt8]) -> [UInt8] {
        var output = Buffer<UInt8>()
        encode(into: &output)
        let seal = key.withUnsafeBytes { key in output.withBytes { Seal.of(key, $0) } }
        output.appendBigEndian(seal)
        return output.toArray()
    }
}

/// How strong an object's engagement with a query is, and when it was so.
struct StoredEngagement: Sendable, Equatable {
    var strength: Double
    /// Seconds since the reference date.
    var time: Double
}

/// The objects that were chosen for a query.
///
/// Stored form (`e` table): their number, and for each in the order of their bytes its identifier
/// with the length first, the strength and the time, eight bytes each; the seal.
struct QueryEngagements: EngagementEntry, Equatable {
    static let table = Table.engagements

    var objects: [[UInt8]: StoredEngagement] = [:]

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        objects = try Self.values(bytes) { reader throws(MalformedData) in
            let strength = Double(bitPattern: try reader.littleEndian64())
            let time = Double(bitPattern: try reader.littleEndian64())
            guard strength > 0, strength.isFinite, time.isFinite else { throw MalformedData() }
            return StoredEngagement(strength: strength, time: time)
        }
    }

    var isEmpty: Bool { objects.isEmpty }

    func encode(into output: inout Buffer<UInt8>) {
        output.appendVarint(objects.count)
        for (identifier, engagement) in sorted {
            output.appendPrefixed(identifier)
            output.appendLittleEndian(engagement.strength.bitPattern)
            output.appendLittleEndian(engagement.time.bitPattern)
        }
    }

    /// In the order of their identifiers.
    var sorted: [(identifier: [UInt8], engagement: StoredEngagement)] {
        objects.map { ($0.key, $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }
}

/// The queries that an object was chosen for.
///
/// Stored form (`g` table): their number, and for each in the order of their bytes the query with
/// the length first, and the time, eight bytes; the seal.
struct EngagedObject: EngagementEntry, Equatable {
    static let table = Table.engagedObjects

    /// When each was chosen for last, in seconds since the reference date.
    var queries: [[UInt8]: Double] = [:]

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        queries = try Self.values(bytes) { reader throws(MalformedData) in
            let time = Double(bitPattern: try reader.littleEndian64())
            guard time.isFinite else { throw MalformedData() }
            return time
        }
    }

    var isEmpty: Bool { queries.isEmpty }

    func encode(into output: inout Buffer<UInt8>) {
        output.appendVarint(queries.count)
        for query in queries.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            output.appendPrefixed(query)
            output.appendLittleEndian((queries[query] ?? 0).bitPattern)
        }
    }
}
