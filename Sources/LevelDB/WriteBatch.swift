internal import CLevelDB

/// Changes that are written together or not at all, in their order.
///
/// **Thread safety**: belongs to one thread at a time.
public final class WriteBatch {
    let handle: OpaquePointer
    /// How many keys or values were too long to be taken.
    private(set) var rejectedCount = 0
    /// The number of changes.
    public private(set) var count = 0

    /// Creates an empty batch.
    public init() { handle = cldb_batch_create() }

    deinit { cldb_batch_free(handle) }

    /// The bytes that the batch takes.
    public var byteCount: Int { cldb_batch_bytes(handle) }

    /// Sets the value of a key. A key over 8 KiB or a value over 64 MiB makes the write fail.
    ///
    /// - Parameters:
    ///   - key: the key; copied.
    ///   - value: the value; copied.
    @inline(__always)
    public func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        note(cldb_batch_put(handle, cldb_slice(key), cldb_slice(value)))
    }

    /// Sets the value of a key. A key over 8 KiB or a value over 64 MiB makes the write fail.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - value: the value.
    public func put(_ key: [UInt8], _ value: [UInt8]) {
        key.withUnsafeBytes { key in value.withUnsafeBytes { put(key, $0) } }
    }

    /// Deletes a key, whether it is there or not.
    ///
    /// - Parameter key: the key; copied.
    public func delete(_ key: UnsafeRawBufferPointer) {
        note(cldb_batch_delete(handle, cldb_slice(key)))
    }

    /// Deletes a key, whether it is there or not.
    ///
    /// - Parameter key: the key.
    public func delete(_ key: [UInt8]) { key.withUnsafeBytes { delete($0) } }

    /// Empties the batch.
    public func clear() {
        cldb_batch_clear(handle)
        count = 0
        rejectedCount = 0
    }

    private func note(_ taken: Bool) {
        if taken { count += 1 } else { rejectedCount += 1 }
    }
}

extension cldb_slice {
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes: bytes.baseAddress, count: bytes.count)
    }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }
}
