internal import CLevelDB
import Synchronization

/// What an iterator shares with its database, so that closing can take it away.
final class IteratorCore: Sendable {
    private let state: Mutex<State>

    struct State: ~Copyable, @unchecked Sendable {
        // Used only under the lock.
        var handle: OpaquePointer?
        var position = cldb_position()
    }

    init(_ handle: OpaquePointer) { state = Mutex(State(handle: handle)) }

    deinit { invalidate() }

    func invalidate() {
        state.withLock { state in
            if let handle = state.handle { cldb_iterator_free(handle) }
            state.handle = nil
            state.position = cldb_position()
        }
    }

    @inline(__always)
    func withState<R>(_ body: (inout State) throws(LevelDBError) -> R) throws(LevelDBError) -> R {
        try state.withLock { (state) throws(LevelDBError) in try body(&state) }
    }

    @inline(__always)
    func withAnyState<R>(_ body: (inout State) throws -> R) throws -> R {
        try state.withLock { try body(&$0) }
    }
}

/// Walks over the entries of a database in key order, both ways.
///
/// It sees what was stored when it was made. Whenever it comes to an end, its status is checked: damage is thrown, never taken
/// for the end of the data. Call ``checkStatus()`` when you leave a walk early.
///
/// **Thread safety**: belongs to one thread at a time; closing the database from another is safe.
///
/// **Lifetime**: it pins files that would otherwise be deleted; keep it short.
public final class Iterator {
    private let core: IteratorCore
    private let database: Database

    init(_ core: IteratorCore, database: Database) {
        self.core = core
        self.database = database
    }

    deinit {
        core.invalidate()
        database.forget(core)
    }

    /// Whether it is at an entry; false after the database was closed.
    public var isValid: Bool { (try? core.withState { $0.position.valid }) ?? false }

    /// Goes to the first key that is not less than `key`.
    ///
    /// - Parameter key: the key.
    /// - Throws: ``LevelDBError``.
    public func seek(to key: UnsafeRawBufferPointer) throws(LevelDBError) {
        try move(CLDB_SEEK, cldb_slice(key))
    }

    /// Goes to the first key that is not less than `key`.
    ///
    /// - Parameter key: the key.
    /// - Throws: ``LevelDBError``.
    public func seek(to key: [UInt8]) throws(LevelDBError) {
        let outcome = key.withUnsafeBytes { bytes in
            Result { () throws(LevelDBError) in try seek(to: bytes) }
        }
        try outcome.get()
    }

    /// Goes to the first entry.
    ///
    /// - Throws: ``LevelDBError``.
    public func seekToFirst() throws(LevelDBError) { try move(CLDB_FIRST) }

    /// Goes to the last entry.
    ///
    /// - Throws: ``LevelDBError``.
    public func seekToLast() throws(LevelDBError) { try move(CLDB_LAST) }

    /// Goes to the next entry; from no entry it stays where it is.
    ///
    /// - Throws: ``LevelDBError``.
    public func next() throws(LevelDBError) { try move(CLDB_NEXT) }

    /// Goes to the entry before; from no entry it stays where it is.
    ///
    /// - Throws: ``LevelDBError``.
    public func previous() throws(LevelDBError) { try move(CLDB_PREVIOUS) }

    /// Throws when anything that was passed could not be read well.
    ///
    /// - Throws: ``LevelDBError``.
    public func checkStatus() throws(LevelDBError) { try move(CLDB_CHECK) }

    /// Lends key and value of the entry.
    ///
    /// - Parameter body: called with bytes that are good until it returns; it must not use this iterator.
    /// - Returns: What `body` gives.
    /// - Throws: ``LevelDBError``: `.invalidArgument` at no entry, `.closed`; what `body` throws.
    @inline(__always)
    public func withEntry<R>(
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        try core.withAnyState { state in
            guard state.handle != nil else { throw database.closedError }
            guard state.position.valid else {
                throw LevelDBError(
                    code: .invalidArgument, message: "the iterator is at no entry",
                    path: database.path)
            }
            return try body(state.position.key.buffer, state.position.value.buffer)
        }
    }

    @inline(__always)
    private func move(
        _ move: cldb_move, _ target: cldb_slice = cldb_slice()
    ) throws(LevelDBError) {
        try core.withState { state throws(LevelDBError) in
            guard let handle = state.handle else { throw database.closedError }
            cldb_iterator_move(handle, move, target, &state.position)
            guard state.position.code == CLDB_OK else {
                var status = cldb_status()
                cldb_iterator_status(handle, &status)
                try LevelDBError.check(status, path: database.path)
                throw LevelDBError(code: .io, message: "reading failed", path: database.path)
            }
        }
    }
}
