internal import CLevelDB

/// A position among the entries of a database, as they were when it was made.
///
/// ```swift
/// let iterator = try database.makeIterator()
/// try iterator.seek(to: [0x61])
/// while iterator.isValid {
///     try iterator.withEntry { key, value in … }
///     try iterator.next()
/// }
/// ```
///
/// A new iterator has no position. Damage is never taken for the end of the data: a move that meets
/// it throws. A scan that ends early has seen every entry so far if no move has thrown and
/// ``checkStatus()`` does not.
///
/// **Thread safety**: one thread at a time; closing the database from another is safe, and makes
/// every later call throw `.closed`.
///
/// **Lifetime**: it keeps files, and the memory of replaced entries, from being released, so
/// release it soon. It keeps its database object alive, but not open.
public final class Iterator {
    let database: Database
    let handle: OpaquePointer
    /// On the heap, and the iterator's own: each access of a stored property would be checked for
    /// exclusivity, at every step of a scan.
    private let storage: UnsafeMutablePointer<cldb_entry>

    private var entry: cldb_entry {
        @inline(__always) get { storage.pointee }
    }

    /// Whether the iterator is at an entry.
    public var isValid: Bool { entry.valid }

    init(database: Database, handle: OpaquePointer) {
        self.database = database
        self.handle = handle
        storage = .allocate(capacity: 1)
        storage.initialize(to: cldb_entry())
    }

    deinit {
        cldb_iterator_free(handle)
        storage.deallocate()
    }

    /// Moves to the first entry whose key is not less than this one.
    ///
    /// - Complexity: O(log entries), about 1.5 µs when the blocks are in memory.
    public func seek(to key: UnsafeRawBufferPointer) throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_seek(handle, key.baseAddress, key.count, storage, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Moves to the first entry whose key is not less than this one.
    public func seek(to key: [UInt8]) throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code = key.withUnsafeBytes {
            cldb_iterator_seek(handle, $0.baseAddress, $0.count, storage, &message)
        }
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Moves to the first entry.
    public func seekToFirst() throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_first(handle, storage, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Moves to the last entry.
    public func seekToLast() throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_last(handle, storage, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Moves to the next entry. An iterator without a position stays so.
    ///
    /// - Complexity: O(1) amortised; allocates nothing unless a block has to be read.
    public func next() throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_next(handle, storage, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Moves to the previous entry. An iterator without a position stays so.
    ///
    /// - Complexity: O(1) amortised, some times slower than ``next()``.
    public func previous() throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_previous(handle, storage, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Throws if damage was met on the way. Call it after a scan that ends before the end of the
    /// data.
    public func checkStatus() throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_status(handle, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// Calls `body` with the entry at the iterator's position.
    ///
    /// The bytes are valid until `body` returns; closing the database waits for that. `body` must
    /// not move this iterator, nor close the database: both throw.
    ///
    /// - Throws: `.invalidArgument` if it has no position, `.closed`, or what `body` throws.
    /// - Complexity: O(1), no copy.
    @inlinable
    public func withEntry<R>(
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        try pin()
        defer { unpin() }
        return try body(key, value)
    }
}

// What inlined code needs: a pinned iterator's entry stays where it is.
extension Iterator {
    @usableFromInline
    func pin() throws(LevelDBError) {
        defer { withExtendedLifetime(self) {} }
        guard entry.valid else { throw notOnAnEntry() }
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_iterator_pin(handle, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    @usableFromInline
    func unpin() {
        defer { withExtendedLifetime(self) {} }
        cldb_iterator_unpin(handle)
    }

    @usableFromInline
    func movePinned(reversed: Bool) throws(LevelDBError) {
        var message: UnsafeMutablePointer<CChar>?
        let code =
            reversed
            ? cldb_iterator_previous_pinned(handle, storage, &message)
            : cldb_iterator_next_pinned(handle, storage, &message)
        try LevelDBError.check(code, message, path: database.path)
    }

    /// The key of the entry; only while pinned.
    @usableFromInline
    var key: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: entry.key, count: entry.key_length)
    }

    /// The value of the entry; only while pinned.
    @usableFromInline
    var value: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: entry.value, count: entry.value_length)
    }

    private func notOnAnEntry() -> LevelDBError {
        // A closed database is the likelier reason, and the better thing to say.
        do { try checkStatus() } catch { return error }
        return LevelDBError(
            code: .invalidArgument, message: "the iterator stands on no entry", path: database.path)
    }
}
