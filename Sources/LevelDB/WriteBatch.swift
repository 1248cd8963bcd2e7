internal import CLevelDB

/// Changes to be written together: all of them or, if writing fails, none.
///
/// Changes take effect in the order in which they were added. Keys may have up to 8 KiB, values up
/// to 64 MiB, and a batch about 64 MiB in all. A change beyond that is left out, remembered, and
/// reported when the batch is written, so that building a batch needs no error handling.
///
/// **Thread safety**: one thread at a time.
public final class WriteBatch {
    let handle: OpaquePointer?

    /// Creates a batch without changes.
    public init() { handle = cldb_batch_create() }

    deinit { cldb_batch_free(handle) }

    /// Sets the value of a key. Both are copied, once.
    ///
    /// - Complexity: O(length of key and value).
    public func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        defer { withExtendedLifetime(self) {} }
        cldb_batch_put(handle, key.baseAddress, key.count, value.baseAddress, value.count)
    }

    /// Sets the value of a key.
    public func put(_ key: [UInt8], _ value: [UInt8]) {
        key.withUnsafeBytes { key in value.withUnsafeBytes { value in put(key, value) } }
    }

    /// Removes a key, if it is there.
    public func delete(_ key: UnsafeRawBufferPointer) {
        defer { withExtendedLifetime(self) {} }
        cldb_batch_delete(handle, key.baseAddress, key.count)
    }

    /// Removes a key, if it is there.
    public func delete(_ key: [UInt8]) {
        key.withUnsafeBytes { delete($0) }
    }

    /// Sets whether the batch may use the space kept in reserve, for batches that free space. See
    /// ``DatabaseOptions/reserveSize``.
    public func useReserve(_ uses: Bool) { cldb_batch_use_reserve(handle, uses) }

    /// The number of changes in the batch.
    public var count: Int { cldb_batch_count(handle) }

    /// Whether there is nothing to write; false if something was left out, so that it is reported.
    public var isEmpty: Bool { cldb_batch_is_empty(handle) }

    /// How many bytes the batch takes in memory and in the log.
    public var byteCount: Int { cldb_batch_length(handle) }

    /// Removes all changes and what was remembered about limits. The memory is kept for the next
    /// use.
    public func clear() { cldb_batch_clear(handle) }
}
