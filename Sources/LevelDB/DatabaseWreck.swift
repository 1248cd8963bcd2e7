internal import CLevelDB

/// The files of a database that does not open, or that cannot be read to its end. They are locked
/// as long as this object lives, and nothing in them is changed.
///
/// Blocks of tables and writes in logs are read one by one, so that damage to one costs no other.
/// The sequence number tells the newest readable version of each key. It is *certain* if nothing
/// unreadable could hold a later one.
///
/// **Thread safety**: use it on one thread only.
public final class DatabaseWreck {
    private let path: String
    private let handle: OpaquePointer

    /// The names of the files that cannot be read, wholly or in part; empty if all can.
    public let damagedFiles: [String]

    /// Locks the files and looks at all of them.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - format: As ``DatabaseOptions/format``.
    /// - Throws: `.locked` when it is open; `.notSupported` when it has another format; `.io`,
    ///   `.notFound` or `.untrusted` when the directory cannot be read.
    /// - Complexity: Linear in the size of its files. Takes memory for its logs, and about 30 bytes
    ///   for each block.
    public init(at path: String, format: UInt32) throws(LevelDBError) {
        try Database.validate(path)
        var opened: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_wreck_open(path, format, &opened, &message)
        guard code == CLDB_OK, let opened else { throw LevelDBError(code, message, path: path) }
        self.path = path
        handle = opened
        damagedFiles = (0..<cldb_wreck_damaged_count(opened)).map {
            String(cString: cldb_wreck_damaged_at(opened, $0))
        }
    }

    deinit { cldb_wreck_free(handle) }

    /// Returns whether a key that ``forEachKey(_:)`` does not report may have been there.
    public func mayLack(_ key: [UInt8]) -> Bool {
        defer { withExtendedLifetime(self) {} }
        return key.withUnsafeBytes { cldb_wreck_may_lack(handle, $0.baseAddress, $0.count) }
    }

    /// Calls `body` with the newest version of each key that can be read, in the order of the keys.
    ///
    /// - Parameter body: Takes a key, its value (nil if the key was deleted), and whether that is
    ///   certain. The bytes are valid during the call.
    /// - Throws: `.io`, or what `body` throws.
    /// - Complexity: Linear in the size of the files.
    public func forEachKey(
        _ body: (
            _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ isCertain: Bool
        ) throws -> Void
    ) throws {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        var failure: (any Error)?
        let code = withoutActuallyEscaping(body) { body in
            let consumer = KeyConsumer(body)
            defer { failure = consumer.failure }
            // The consumer outlives the call, which does not keep the pointer.
            return cldb_wreck_read(
                handle,
                { context, key, keyLength, value, valueLength, isCertain in
                    guard let context else { return false }
                    return Unmanaged<KeyConsumer>.fromOpaque(context).takeUnretainedValue().take(
                        UnsafeRawBufferPointer(start: key, count: keyLength),
                        value.map { UnsafeRawBufferPointer(start: $0, count: valueLength) },
                        isCertain)
                }, Unmanaged.passUnretained(consumer).toOpaque(), &message)
        }
        if let failure { throw failure }
        try LevelDBError.check(code, message, path: path)
    }
}

/// A closure that C can hand back, and its error.
private final class KeyConsumer {
    typealias Body = (UnsafeRawBufferPointer, UnsafeRawBufferPointer?, Bool) throws -> Void

    private let body: Body
    private(set) var failure: (any Error)?

    init(_ body: @escaping Body) { self.body = body }

    /// Whether to go on.
    func take(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ isCertain: Bool
    ) -> Bool {
        do {
            try body(key, value, isCertain)
            return true
        } catch {
            failure = error
            return false
        }
    }
}
