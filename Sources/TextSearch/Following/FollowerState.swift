import Foundation

/// Where an index stands in the history of a database: the client state of a follower.
///
/// Phases: reading → sweeping, where objects may be there that the database has not → following.
/// What changes while it reads is in the history after `position`, which was taken before.
///
/// Stored form: format byte 1; phase byte; store identifier, length first; version; ordinal; token,
/// length first; while reading, a byte that says whether an identifier follows, and that.
struct FollowerState: Sendable, Hashable {
    enum Phase: Sendable, Hashable {
        /// All objects up to an identifier are in the index.
        case reading(after: Data?, sweeps: Bool)
        /// All objects are in the index, and others may be.
        case sweeping
        /// The index is the database at the position.
        case following

        /// What the status of a follower calls it.
        var asStatus: FollowerStatus.Phase {
            switch self {
            case .reading: .reading
            case .sweeping: .sweeping
            case .following: .following
            }
        }
    }

    static let format: UInt8 = 1

    /// The name of the client state of a follower.
    static func name(ofFollower name: String) -> String { "follower \(name)" }

    var storeIdentifier: String
    /// Of the follower's options.
    var version: Int
    var phase: Phase
    var position: SourcePosition

    init(storeIdentifier: String, version: Int, phase: Phase, position: SourcePosition) {
        self.storeIdentifier = storeIdentifier
        self.version = version
        self.phase = phase
        self.position = position
    }

    /// Stored; never renumber.
    private var phaseNumber: UInt8 {
        switch phase {
        case .reading(_, sweeps: false): 0
        case .reading(_, sweeps: true): 1
        case .sweeping: 2
        case .following: 3
        }
    }

    func encoded() -> Data {
        var output = Buffer<UInt8>()
        output.append(Self.format)
        output.append(phaseNumber)
        output.appendPrefixed(Array(storeIdentifier.utf8))
        output.appendVarint(UInt64(bitPattern: Int64(version)))
        output.appendVarint(position.ordinal)
        output.appendPrefixed(Array(position.token))
        if case .reading(let identifier, _) = phase {
            output.append(identifier == nil ? 0 : 1)
            if let identifier { output.append(bytes: Array(identifier)) }
        }
        return Data(output.toArray())
    }

    init(_ data: Data) throws(MalformedData) {
        self = try data.withUnsafeBytes { bytes in
            Result { () throws(MalformedData) in try Self(bytes) }
        }.get()
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.format else { throw MalformedData() }
        let number = try reader.byte()
        storeIdentifier = String(decoding: try reader.prefixed(), as: UTF8.self)
        version = Int(truncatingIfNeeded: try reader.varint())
        let ordinal: UInt64 = try reader.varint()
        position = SourcePosition(ordinal: ordinal, token: Data(try reader.prefixed()))
        switch number {
        case 0, 1:
            let identifier =
                try reader.byte() == 0 ? nil : Data(try reader.slice(reader.remaining))
            phase = .reading(after: identifier, sweeps: number == 1)
        case 2: phase = .sweeping
        case 3: phase = .following
        default: throw MalformedData()
        }
        guard reader.isAtEnd else { throw MalformedData() }
    }

    /// Throws where a source gave what cannot be stored.
    func check() throws {
        guard 1...1_024 ~= storeIdentifier.utf8.count,
            position.token.count <= SourcePosition.largestToken
        else {
            throw TextIndexError(
                .limitExceeded,
                """
                The identifier of the source has \(storeIdentifier.utf8.count) bytes and the token of its position \
                \(position.token.count); each has 1,024 at most, and the identifier one at least.
                """)
        }
    }
}

extension TextIndexError {
    /// The follower's state is of another database.
    static var otherStore: TextIndexError {
        TextIndexError(
            .historyLost, "The index was made of another database than it follows now.")
    }
}
