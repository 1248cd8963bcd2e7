public import Foundation

/// A name and some bytes that an application stores in the index, in the same batch as the changes
/// they stand for.
///
/// An application that follows a database stores its position here. After a crash the state says
/// exactly what is in the index, since either both are stored or neither is.
public struct ClientState: Sendable, Hashable {
    /// The maximum length of a name, in bytes of UTF-8.
    public static let largestName = 255
    /// The maximum length of a value, in bytes. An identifier of 4,096 bytes and what goes with it
    /// fit.
    public static let largestValue = 8_192

    /// The name of the state, 1 to 255 bytes in UTF-8. Names that differ in any byte are different.
    public var name: String
    /// The value, at most 8,192 bytes.
    public var value: Data
    /// The value that must be stored before: nil accepts anything, an inner nil requires that
    /// nothing is stored. If another value is found, nothing is written and the call throws
    /// `.mismatchedClientState`.
    public var expected: Data??

    /// Creates a state to be stored.
    ///
    /// - Parameters:
    ///   - name: the name of the state.
    ///   - value: the bytes.
    ///   - expected: the value that must be stored before; the default accepts anything.
    public init(_ name: String, _ value: Data, expecting expected: Data?? = nil) {
        self.name = name
        self.value = value
        self.expected = expected
    }

    /// Throws `.invalidArgument` or `.limitExceeded` where the state cannot be stored.
    func check() throws {
        try Self.check(name: name)
        guard value.count <= Self.largestValue else {
            throw TextIndexError(
                .limitExceeded,
                "A client state has \(Self.largestValue) bytes at most; this one has \(value.count)."
            )
        }
    }

    static func check(name: String) throws {
        guard 1...largestName ~= name.utf8.count else {
            throw TextIndexError(
                .invalidArgument,
                "The name of a client state has 1 to \(largestName) bytes; this one has \(name.utf8.count)."
            )
        }
    }
}

/// How client states are stored (`m` table, "client " and the name): the value, sealed.
enum ClientStates {
    /// Values by the UTF-8 of their names: names are told apart by their bytes, as keys are.
    typealias Values = [[UInt8]: [UInt8]]

    static let prefix = Key.meta("client ")

    static func key(_ name: [UInt8]) -> [UInt8] { prefix + name }

    /// All that are stored.
    ///
    /// Complexity: a seek, and linear in their number.
    static func stored(in store: IndexStore) throws -> Values {
        var values: Values = [:]
        try store.makeCursor(fillCache: false).forEach(in: .meta, from: prefix) { key, value in
            guard key.starts(with: prefix) else { return false }
            values[Array(key.dropFirst(prefix.count))] = Array(try Seal.content(key, value))
            return true
        }
        return values
    }
}

extension StoreBatch {
    func putClientState(_ name: [UInt8], _ value: [UInt8]) {
        let key = ClientStates.key(name)
        let seal = key.withUnsafeBytes { key in value.withUnsafeBytes { Seal.of(key, $0) } }
        put(key, value + withUnsafeBytes(of: seal.bigEndian) { Array($0) })
    }

    func deleteClientState(_ name: [UInt8]) {
        ClientStates.key(name).withUnsafeBytes { delete($0) }
    }
}
