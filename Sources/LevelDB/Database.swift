internal import CLevelDB
import Dispatch
import Synchronization

/// What a database uses of the machine.
///
/// What protects the data cannot be set: checksums are always verified, checks are always paranoid.
public struct DatabaseOptions: Sendable {
    /// Bytes of writes kept in memory and in the log before they become a table; two such buffers may be in use.
    public var writeBufferSize = 4 << 20
    /// Bytes of blocks kept in memory.
    public var blockCacheSize = 8 << 20
    /// Bytes of a block before compression.
    public var blockSize = 4096
    /// Bytes of a table.
    public var maxFileSize = 2 << 20
    /// How many files may be open at once.
    public var maxOpenFiles = 200
    /// Bits of Bloom filter a key; 0 for no filter. Must stay the same for the life of a database.
    public var bloomBitsPerKey = 10
    /// Whether blocks are compressed with Snappy.
    public var compression = true

    /// The defaults.
    public init() {}
}

/// A LevelDB database: sorted keys with values, both bytes.
///
/// There are no LevelDB snapshots: in version 1.23 they can bring deleted keys back. Consistency has to come from
/// keys that are written once.
///
/// **Thread safety**: may be used from any thread.
///
/// **Lifetime**: `close()` waits for calls under way and invalidates iterators; whatever comes later throws
/// ``LevelDBError/Code/closed``.
///
/// **Failures**: after a failed write the handle is *poisoned*: every later write fails until the database is opened again.
public final class Database: Sendable {
    /// When to make a database.
    public enum OpenMode: Sendable {
        /// Only in an absent or empty directory.
        case create
        /// Never.
        case open
        /// When the directory is absent or empty; otherwise open what is there.
        case openOrCreate
    }

    /// The database's directory.
    public let path: String
    private let state: Mutex<State>
    private let calls = DispatchGroup()

    private struct State: ~Copyable, @unchecked Sendable {
        // The handle is used under `calls`, and its functions are thread-safe.
        var handle: OpaquePointer?
        var iterators: [ObjectIdentifier: WeakIterator] = [:]
    }

    private struct WeakIterator {
        weak var core: IteratorCore?
    }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: its directory; made with mode 0700.
    ///   - mode: whether it may be made.
    ///   - options: what it uses of the machine.
    /// - Throws: ``LevelDBError``: `.locked`, `.corruption`, `.exists`, `.invalidArgument`, `.io`, `.diskFull`.
    public init(
        at path: String, mode: OpenMode, options: DatabaseOptions = .init()
    ) throws(LevelDBError) {
        self.path = path
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw LevelDBError(
                code: .invalidArgument, message: "the path is empty or has a NUL", path: path)
        }
        var status = cldb_status()
        var settings = cldb_options(
            write_buffer_size: max(options.writeBufferSize, 64 << 10),
            block_cache_size: max(options.blockCacheSize, 0),
            block_size: min(max(options.blockSize, 1 << 10), 4 << 20),
            max_file_size: min(max(options.maxFileSize, 1 << 20), 1 << 30),
            max_open_files: Int32(clamping: max(options.maxOpenFiles, 20)),
            bloom_bits_per_key: Int32(clamping: max(options.bloomBitsPerKey, 0)),
            compression: options.compression)
        let openMode =
            switch mode {
            case .create: CLDB_CREATE
            case .open: CLDB_OPEN
            case .openOrCreate: CLDB_OPEN_OR_CREATE
            }
        let handle = cldb_open(path, openMode, &settings, &status)
        try LevelDBError.check(status, path: path)
        state = Mutex(State(handle: handle))
    }

    deinit { try? close() }

    /// Runs `body` with the handle; closing waits for it.
    private func withHandle<R>(_ body: (OpaquePointer) throws(LevelDBError) -> R)
        throws(LevelDBError) -> R
    {
        let entered = state.withLock { state -> Handle? in
            guard let handle = state.handle else { return nil }
            calls.enter()
            return Handle(pointer: handle)
        }
        guard let entered else { throw closedError }
        defer { calls.leave() }
        return try body(entered.pointer)
    }

    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    var closedError: LevelDBError {
        LevelDBError(code: .closed, message: "the database is closed", path: path)
    }

    // MARK: Reading

    /// Lends the value of a key to `body`.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - body: called with the value's bytes, which are good until it returns.
    /// - Returns: What `body` gives; nil when there is no such key.
    /// - Throws: ``LevelDBError``; what `body` throws.
    public func withValue<R>(
        forKey key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        var slice = cldb_slice()
        let value: OpaquePointer? = try withHandle { handle throws(LevelDBError) in
            var status = cldb_status()
            let value = cldb_get(handle, cldb_slice(key), &slice, &status)
            if status.code == CLDB_NOT_FOUND { return nil }
            try LevelDBError.check(status, path: path)
            return value
        }
        guard let value else { return nil }
        defer { cldb_value_free(value) }
        return try body(slice.buffer)
    }

    /// The value of a key.
    ///
    /// - Parameter key: the key.
    /// - Returns: The value; nil when there is no such key.
    /// - Throws: ``LevelDBError``.
    public func value(forKey key: [UInt8]) throws -> [UInt8]? {
        try key.withUnsafeBytes { try withValue(forKey: $0) { Array($0) } }
    }

    /// An iterator over what is stored at this moment.
    ///
    /// - Parameter fillCache: whether what it reads goes into the block cache; not for long scans.
    /// - Returns: The iterator, at no entry yet.
    /// - Throws: ``LevelDBError``.
    public func makeIterator(fillCache: Bool = true) throws(LevelDBError) -> Iterator {
        try withHandle { handle throws(LevelDBError) in
            var status = cldb_status()
            let made = cldb_iterator_create(handle, fillCache, &status)
            try LevelDBError.check(status, path: path)
            guard let made else { throw closedError }
            let core = IteratorCore(made)
            state.withLock {
                $0.iterators[ObjectIdentifier(core)] = WeakIterator(core: core)
            }
            return Iterator(core, database: self)
        }
    }

    func forget(_ core: IteratorCore) {
        state.withLock { $0.iterators[ObjectIdentifier(core)] = nil }
    }

    /// About how many bytes of files a range of keys takes.
    ///
    /// - Parameters:
    ///   - start: the first key.
    ///   - end: the key after the last.
    /// - Returns: The bytes; what is still in memory does not count.
    /// - Throws: ``LevelDBError/Code/closed``.
    public func approximateSize(from start: [UInt8], to end: [UInt8]) throws(LevelDBError) -> Int {
        try withHandle { handle in
            start.withUnsafeBytes { start in
                end.withUnsafeBytes {
                    Int(clamping: cldb_approximate_size(handle, cldb_slice(start), cldb_slice($0)))
                }
            }
        }
    }

    /// A property of LevelDB's, such as `leveldb.stats`.
    ///
    /// - Parameter name: its name.
    /// - Returns: Its text; nil when there is none of that name, or the database is closed.
    public func property(_ name: String) -> String? {
        try? withHandle { handle in
            let length = cldb_property(handle, name, nil, 0)
            guard length >= 0 else { return nil }
            var buffer = [CChar](repeating: 0, count: length)
            let again = cldb_property(handle, name, &buffer, length)
            return String(
                decoding: buffer.prefix(min(max(again, 0), length)).map(UInt8.init(bitPattern:)),
                as: UTF8.self)
        }
    }

    // MARK: Writing

    /// Writes a batch; it is whole or not there at all.
    ///
    /// - Parameters:
    ///   - batch: the changes; left as they are.
    ///   - sync: whether to wait until they survive a power cut. They survive a killed process anyway.
    /// - Throws: ``LevelDBError``: after any but `.invalidArgument` and `.closed` the database is poisoned, and whether the batch took effect shows when
    ///   it is opened again.
    public func write(_ batch: WriteBatch, sync: Bool) throws(LevelDBError) {
        guard batch.rejectedCount == 0 else {
            throw LevelDBError(
                code: .invalidArgument, message: "the batch has a key or value that is too long",
                path: path)
        }
        try withHandle { handle throws(LevelDBError) in
            var status = cldb_status()
            cldb_write(handle, batch.handle, sync, &status)
            try LevelDBError.check(status, path: path)
        }
    }

    /// Whether a write failed, so that no more are taken.
    public var isPoisoned: Bool { (try? withHandle { cldb_is_poisoned($0) }) ?? false }

    /// Rewrites the tables of a range, so that deleted and overwritten entries give back their space. Blocks until it is done.
    ///
    /// - Parameters:
    ///   - start: the first key; nil for the very first.
    ///   - end: the last key; nil for the very last.
    /// - Throws: ``LevelDBError``.
    public func compact(from start: [UInt8]?, to end: [UInt8]?) throws(LevelDBError) {
        try withHandle { handle throws(LevelDBError) in
            var status = cldb_status()
            (start ?? []).withUnsafeBytes { startBytes in
                (end ?? []).withUnsafeBytes { endBytes in
                    var first = cldb_slice(startBytes)
                    var last = cldb_slice(endBytes)
                    withUnsafePointer(to: &first) { first in
                        withUnsafePointer(to: &last) { last in
                            cldb_compact(
                                handle, start == nil ? nil : first, end == nil ? nil : last,
                                &status)
                        }
                    }
                }
            }
            try LevelDBError.check(status, path: path)
        }
    }

    // MARK: Closing

    /// Closes the database. Closing it again does nothing.
    ///
    /// - Throws: ``LevelDBError`` when the last writes failed; the database is closed all the same.
    public func close() throws(LevelDBError) {
        let taken = state.withLock { state -> (Handle?, [IteratorCore]) in
            defer {
                state.handle = nil
                state.iterators = [:]
            }
            return (
                state.handle.map { Handle(pointer: $0) }, state.iterators.values.compactMap(\.core)
            )
        }
        guard let handle = taken.0 else { return }
        calls.wait()
        for core in taken.1 { core.invalidate() }
        let late = state.withLock { state in
            defer { state.iterators = [:] }
            return state.iterators.values.compactMap(\.core)
        }
        for core in late { core.invalidate() }
        var status = cldb_status()
        cldb_close(handle.pointer, &status)
        try LevelDBError.check(status, path: path)
    }

    /// Deletes a database: files with LevelDB's names, and the directory when nothing else is in it.
    ///
    /// - Parameter path: its directory; nothing happens when it is absent.
    /// - Throws: ``LevelDBError``: `.locked` when it is open, `.io`, `.invalidArgument`.
    public static func destroy(at path: String) throws(LevelDBError) {
        var status = cldb_status()
        cldb_destroy(path, &status)
        try LevelDBError.check(status, path: path)
    }

    /// Makes operations on files fail, for tests.
    package func setFault(
        _ fault: Fault, after: Int = 0, count: Int = 1, errorNumber: Int32, isShort: Bool = false
    ) {
        let kind =
            switch fault {
            case .none: CLDB_FAULT_NONE
            case .append: CLDB_FAULT_APPEND
            case .sync: CLDB_FAULT_SYNC
            case .rename: CLDB_FAULT_RENAME
            case .read: CLDB_FAULT_READ
            case .create: CLDB_FAULT_CREATE
            }
        try? withHandle {
            cldb_set_fault($0, kind, Int32(after), Int32(count), errorNumber, isShort)
        }
    }

    /// The operations that can be made to fail.
    package enum Fault: Sendable { case none, append, sync, rename, read, create }
}
