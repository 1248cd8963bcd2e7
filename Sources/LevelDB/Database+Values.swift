internal import CLevelDB

extension Database {
    /// Calls `body` with the value of a key, if there is one.
    ///
    /// The bytes are valid until `body` returns. It may use the database, even close it.
    ///
    /// - Returns: What `body` returns; `nil` if the key does not exist.
    /// - Throws: ``LevelDBError``, or what `body` throws.
    /// - Complexity: O(log entries); one copy of the value.
    @inlinable
    public func withValue<R>(
        forKey key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        guard let value = try fetch(key) else { return nil }
        defer { value.release() }
        return try body(value.bytes)
    }

    /// Returns the value of a key, or `nil` if the key does not exist.
    ///
    /// - Throws: ``LevelDBError``.
    public func value(forKey key: [UInt8]) throws -> [UInt8]? {
        try key.withUnsafeBytes { try withValue(forKey: $0) { [UInt8]($0) } }
    }

    /// A value read, in memory that is not Swift's.
    @usableFromInline
    struct Value {
        @usableFromInline let bytes: UnsafeRawBufferPointer
        let owner: UnsafeMutableRawPointer?

        @usableFromInline
        func release() { cldb_value_free(owner) }
    }

    @usableFromInline
    func fetch(_ key: UnsafeRawBufferPointer) throws(LevelDBError) -> Value? {
        defer { withExtendedLifetime(self) {} }
        var value = cldb_value()
        var message: UnsafeMutablePointer<CChar>?
        let code = cldb_get(handle, key.baseAddress, key.count, &value, &message)
        if code == CLDB_NOT_FOUND, message == nil { return nil }
        try LevelDBError.check(code, message, path: path)
        return Value(
            bytes: UnsafeRawBufferPointer(start: value.bytes, count: value.length),
            owner: value.owner)
    }
}
