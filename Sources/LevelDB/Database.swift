internal import CLevelDB

/// An ordered map from bytes to bytes in a directory of its own.
///
/// **Thread safety**: everything may be called from any thread at any time, also while another
/// closes the database.
///
/// **Durability**: a write with `sync` survives a power cut when it has returned, and so do all
/// writes before it. One without survives the end of the process, however it ends.
///
/// **Failure**: after the first write that fails, for whatever reason, the database is *poisoned*:
/// every later write fails with ``LevelDBError/Code-swift.enum/poisoned``, while reads go on.
/// Whether the failed batch was written is unknown until the database is opened again, by
/// ``reopen()`` or after it was closed; that recovers every write that had returned. A write for
/// which the disk has no space is refused beforehand with `.diskFull`, and does no harm. If a disk
/// is too full even for opening, the database opens for reading: writes throw `.diskFull`, and go
/// on after ``reopen()`` when there is space.
///
/// **Lifetime**: after ``close()`` every call throws ``LevelDBError/Code-swift.enum/closed``. In a
/// child process made by `fork`, its parent's databases are closed.
///
/// There are no snapshots: in LevelDB 1.23 they can bring deleted keys back.
public final class Database: Sendable {
    /// What opening does if the database is missing.
    public enum OpenMode: Sendable {
        /// Creates one; the directory must be absent, within an existing one, or empty.
        case create
        /// Opens an existing database, and never creates one.
        case open
        /// Creates a database if the directory is absent or empty, otherwise opens what is there.
        case openOrCreate
        /// Opens an existing database beside others that only read, and changes no byte of it. What
        /// opening has to write stays in memory, as much as the logs hold. Every write throws
        /// `.readOnly`.
        case read
    }

    /// The longest key, in bytes.
    public static let maximumKeyLength = 8 << 10

    /// The longest value, in bytes.
    public static let maximumValueLength = 64 << 20

    /// The directory, as it was given.
    public let path: String

    /// What opening found after the last whole write of a log, and left out: unsynced writes cut
    /// short by a power cut, or damage to the last write. Empty after an ordinary end, and mostly
    /// after a killed process.
    public let discarded: [DiscardedTail]

    /// Unsafe for the compiler, which knows nothing of what it points to: it may be used from any
    /// thread, and is freed when nobody holds the database.
    nonisolated(unsafe) let handle: OpaquePointer

    /// Opens or creates a database, and locks it until it is closed.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - mode: What to do if a database is there, and if it is missing.
    ///   - options: How the database uses memory and files.
    ///   - meanwhile: What to call once, also if opening fails, unless `path` is invalid. It runs
    ///     on a background thread while opening waits for the disk, or on this thread. It may run
    ///     on after opening, and then keeps the database from flushing; it must not use it.
    /// - Throws: `.locked` when it is open already, in this process under whatever path, or in
    ///   another; `.notFound` when there is none to open; `.exists` when there is something where
    ///   one is to be created; `.corruption` when it is damaged: nothing is changed then, and the
    ///   message names the file and the offset in it; `.notSupported` when it was made with another
    ///   ``DatabaseOptions/format``: no byte of it is changed; `.untrusted` when others could have
    ///   written it. A log that a power cut left with a torn end is no error: see ``discarded``.
    /// - Complexity: O(entries in the log), which ``DatabaseOptions/writeBufferSize`` bounds.
    public init(
        at path: String, mode: OpenMode, options: DatabaseOptions = .init(),
        meanwhile: (@Sendable () -> Void)? = nil
    ) throws(LevelDBError) {
        try Self.validate(path)
        var opened: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        var cOptions = options.forC
        if let meanwhile {
            // Released by the call.
            cOptions.meanwhile_context = Unmanaged.passRetained(Errand(run: meanwhile)).toOpaque()
            cOptions.meanwhile = { context in
                guard let context else { return }
                Unmanaged<Errand>.fromOpaque(context).takeRetainedValue().run()
            }
        }
        let code = options.trustedOwners.withUnsafeBufferPointer { owners in
            cOptions.trusted_owners = owners.baseAddress
            cOptions.trusted_owner_count = owners.count
            return cldb_open(path, mode.forC, &cOptions, &opened, &message)
        }
        guard code == CLDB_OK, let opened else { throw LevelDBError(code, message, path: path) }
        self.path = path
        discarded = (0..<cldb_tail_count(opened)).map { DiscardedTail(cldb_tail_at(opened, $0)) }
        handle = opened
    }

    /// A closure as an object, which C can hold.
    private final class Errand: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    deinit { cldb_free(handle) }

    /// Writes a batch atomically. The batch can be used again.
    ///
    /// May block while LevelDB catches up with what was written before.
    ///
    /// - Parameters:
    ///   - batch: The changes.
    ///   - sync: Whether to wait until they, and all writes before, will survive a power cut.
    /// - Throws: `.invalidArgument`, without effect, when the batch has broken a limit; otherwise
    ///   see *Failure* above.
    public func write(_ batch: WriteBatch, sync: Bool) throws(LevelDBError) {
        // The handles must outlive the call, which an optimiser that sees only pointers cannot
        // know.
        defer { withExtendedLifetime((self, batch)) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_write(handle, batch.handle, sync, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// Starts a scan over all entries as they are now; later writes are not visible in it.
    ///
    /// - Parameter fillCache: Whether the blocks it reads are kept in memory; not for scans of
    ///   everything.
    /// - Returns: An iterator without a position.
    /// - Throws: `.closed`.
    /// - Complexity: O(1), about 0.3 µs.
    public func makeIterator(fillCache: Bool = true) throws(LevelDBError) -> Iterator {
        defer { withExtendedLifetime(self) {} }
        var made: OpaquePointer?
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_create(handle, fillCache, &made, &message)
        guard code == CLDB_OK, let made else { throw LevelDBError(code, message, path: path) }
        return Iterator(database: self, handle: made)
    }

    /// Directs later writes into other table files than earlier ones.
    ///
    /// If each run of neighbouring keys is in files of its own, LevelDB need not write them again
    /// because of others. The call does not wait for its files, but for those of the call before,
    /// and other writes wait for it. It has no effect if the disk has no room.
    ///
    /// - Throws: What failed; if it was a write, the database is then poisoned.
    public func beginTable() throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_begin_table(handle, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// Rewrites the entries between two keys, including both, without what was deleted or replaced.
    ///
    /// Blocks until it is done. Closing the database and writes wait for it, so compact a wide
    /// range in steps.
    ///
    /// - Parameters:
    ///   - start: The first key; `nil` for the first of all.
    ///   - end: The last key; `nil` for the last of all.
    /// - Throws: What failed on the way; the database is then poisoned, and nothing is lost.
    public func compact(from start: [UInt8]?, to end: [UInt8]?) throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = Self.withOptionalBytes(start) { start in
            Self.withOptionalBytes(end) { end in
                cldb_compact(handle, start.pointer, start.count, end.pointer, end.count, &message)
            }
        }
        try LevelDBError.check(code, message, path: path)
    }

    /// Estimates the bytes of files that the entries from one key up to another take. Entries in
    /// memory do not count.
    public func approximateSize(from start: [UInt8], to end: [UInt8]) throws(LevelDBError) -> Int {
        defer { withExtendedLifetime(self) {} }
        var size: UInt64 = 0
        var message: UnsafeMutablePointer<CChar>?
        let code = start.withUnsafeBytes { start in
            end.withUnsafeBytes { end in
                cldb_approximate_size(
                    handle, start.baseAddress, start.count, end.baseAddress, end.count, &size,
                    &message)
            }
        }
        try LevelDBError.check(code, message, path: path)
        return Int(clamping: size)
    }

    /// Returns a property that LevelDB reports, such as `leveldb.stats`; `nil` if it is unknown or
    /// the database is closed.
    public func property(_ name: String) -> String? {
        defer { withExtendedLifetime(self) {} }
        guard let value = cldb_property(handle, name) else { return nil }
        defer { cldb_string_free(value) }
        return String(cString: value)
    }

    /// Opens the database again, beneath this object, after a write has failed. It then accepts
    /// writes and holds every write that had returned; whether it holds the failed one is known
    /// then too. Does nothing if no write has failed.
    ///
    /// Other calls wait meanwhile. Earlier iterators become useless: they throw `.io`, as do calls
    /// within ``Iterator/withEntry(_:)`` or a scan.
    ///
    /// - Throws: `.diskFull` or `.io` when the disk takes no writes to begin with: reads go on
    ///   then. What opening throws: every call then throws `.poisoned`, until a later attempt goes
    ///   well. `.invalidArgument`, without effect, within the use of an iterator.
    /// - Complexity: as opening.
    public func reopen() throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_reopen(handle, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// Opens on the disk what ``DatabaseOptions/defersWriting`` had opened in memory; does nothing
    /// otherwise. Earlier iterators become useless.
    ///
    /// - Throws: What opening throws: every call then throws `.poisoned`.
    /// - Complexity: as opening.
    public func beginWriting() throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_begin_writing(handle, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// How many forks led to this process since it, or the one that it is made of, opened a
    /// database: with another number than when it was opened, a database is of no use.
    @inline(__always)
    package static var forkCount: UInt32 { cldb_fork_count() }

    /// Whether writes are refused because an earlier one failed, or the disk was too full for
    /// opening.
    public var isPoisoned: Bool {
        defer { withExtendedLifetime(self) {} }
        return cldb_is_poisoned(handle)
    }

    /// Whether what opening had to write is only in memory, because the database is read only or
    /// its disk was too full. False once it is closed.
    public var isInMemory: Bool {
        defer { withExtendedLifetime(self) {} }
        return cldb_is_in_memory(handle)
    }

    /// Makes another database of this one's files, while it is in use. It has all that was written
    /// before the call, and maybe some later writes, in order.
    ///
    /// Table files never change. Both directories share them, so they cost no space; if the file
    /// system cannot share them, they are copied. What is deleted and not compacted away yet is in
    /// them. The new database is durable when this returns.
    ///
    /// - Parameter path: A directory that is absent, within an existing one, or empty.
    /// - Throws: `.exists`; `.readOnly`; `.poisoned` and `.diskFull` as a write does; `.io`. After
    ///   an error an incomplete directory remains.
    /// - Complexity: O(files), and O(entries in the log).
    public func link(to path: String) throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        try Self.validate(path)
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_link(handle, path, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// Closes the database: waits for calls in flight, ends its iterators, releases the lock.
    ///
    /// Does nothing if it is already closed. A compaction in the background is given up at its next
    /// file.
    ///
    /// - Throws: `.invalidArgument`, without effect, when called within ``Iterator/withEntry(_:)``
    ///   or a scan of the same thread, for which it would have to wait. A failure to write that no
    ///   call has reported yet; the database is closed nevertheless.
    public func close() throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_close(handle, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// Removes a database's files, and its directory if nothing else is in it. Does nothing if
    /// there is none.
    ///
    /// - Throws: `.locked` when it is open.
    public static func destroy(at path: String) throws(LevelDBError) {
        try validate(path)
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_destroy(path, &message)
        try LevelDBError.check(code, message, path: path)
    }

    /// Gives memory that was freed back to the system. Glibc's allocator keeps an arena for each
    /// thread, and what is free in it. Takes some milliseconds for 100 MB.
    package static func giveBackMemory() { cldb_give_back_memory() }

    /// Returns whether a directory provably belongs to a database with a
    /// ``DatabaseOptions/format``, as its manifest says. False if that cannot be read.
    public static func hasFormat(at path: String) -> Bool {
        (try? validate(path)) != nil && cldb_has_format(path)
    }

    /// Renames the directory of a database, or exchanges the names of two.
    ///
    /// It happens in one step and is durable when it returns. The databases may be open, and go on.
    ///
    /// - Parameters:
    ///   - from: A directory.
    ///   - to: Its new name on the same file system; it must be free, unless they exchange.
    ///   - exchanges: Whether the two exchange their names.
    /// - Throws: `.io`, also if the file system cannot do that.
    public static func rename(
        _ from: String, to: String, exchanging exchanges: Bool
    ) throws(LevelDBError) {
        try validate(from)
        try validate(to)
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_rename(from, to, exchanges, &message)
        try LevelDBError.check(code, message, path: from)
    }

    /// Makes the name of a file or directory last, by whatever it came there: the directory that
    /// holds it is synced.
    ///
    /// - Parameter path: The file or directory.
    /// - Throws: `.io`.
    package static func syncName(of path: String) throws(LevelDBError) {
        try validate(path)
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_sync_name(path, &message)
        try LevelDBError.check(code, message, path: path)
    }

    static func validate(_ path: String) throws(LevelDBError) {
        // A zero byte would end the path early, somewhere else.
        if path.isEmpty || path.utf8.contains(0) {
            throw LevelDBError(code: .invalidArgument, message: "not a path", path: path)
        }
    }

    /// Bytes as the C interface wants a bound: no pointer means no bound, so no bytes must have
    /// one.
    private static func withOptionalBytes<R>(
        _ bytes: [UInt8]?, _ body: ((pointer: UnsafeRawPointer?, count: Int)) -> R
    ) -> R {
        guard let bytes else { return body((nil, 0)) }
        return (bytes + [0]).withUnsafeBytes { body(($0.baseAddress, bytes.count)) }
    }
}

extension Database.OpenMode {
    var forC: cldb_mode {
        switch self {
        case .create: CLDB_CREATE
        case .open: CLDB_OPEN
        case .openOrCreate: CLDB_OPEN_OR_CREATE
        case .read: CLDB_READ
        }
    }
}
