internal import CLevelDB

/// Whether a scan continues after an entry.
public enum ScanStep: Sendable {
    /// Continues with the next entry, if there is one.
    case next
    /// Ends the scan after this entry.
    case stop
}

extension Database {
    /// Calls `body` with each entry whose key begins with `prefix`, in the order of the keys.
    ///
    /// The bytes are valid until `body` returns. It may read and write the database, but not close
    /// it.
    ///
    /// - Parameters:
    ///   - prefix: The first bytes of the keys; empty for all entries.
    ///   - reversed: Whether to go from the last key to the first.
    ///   - fillCache: Whether the blocks it reads are kept in memory.
    ///   - body: Returns whether to continue.
    /// - Throws: ``LevelDBError``, also for damage met on the way to an early end; or what `body`
    ///   throws.
    /// - Complexity: O(log entries + entries visited); copies nothing.
    public func forEachEntry(
        withPrefix prefix: [UInt8], reversed: Bool = false, fillCache: Bool = true,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        try forEachEntry(
            from: prefix, to: Self.endOfKeys(withPrefix: prefix), reversed: reversed,
            fillCache: fillCache, body)
    }

    /// Calls `body` with each entry from one key up to another, in the order of the keys.
    ///
    /// As ``forEachEntry(withPrefix:reversed:fillCache:_:)`` otherwise.
    ///
    /// - Parameters:
    ///   - start: The least key, included; `nil` or empty for no bound.
    ///   - end: The key that ends the range, not included; `nil` for no bound.
    ///   - reversed: Whether to go from the last key to the first.
    ///   - fillCache: Whether the blocks it reads are kept in memory.
    ///   - body: Returns whether to continue.
    /// - Throws: ``LevelDBError``, or what `body` throws.
    public func forEachEntry(
        from start: [UInt8]?, to end: [UInt8]?, reversed: Bool = false, fillCache: Bool = true,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        let iterator = try makeIterator(fillCache: fillCache)
        let bound: [UInt8]?
        if reversed {
            try iterator.seek(before: end)
            bound = start
        } else {
            try iterator.seek(to: start ?? [])
            bound = end
        }
        try (bound ?? []).withUnsafeBytes { bytes in
            try iterator.scan(
                until: bound == nil ? nil : bytes, reversed: reversed, body)
        }
    }

    /// The least key greater than all keys that begin with `prefix`, or `nil` if there is none.
    static func endOfKeys(withPrefix prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xff }) else { return nil }
        var end = Array(prefix[...last])
        end[last] += 1
        return end
    }
}

extension Iterator {
    /// Moves to the last entry whose key is less than `end`, or to the last of all.
    fileprivate func seek(before end: [UInt8]?) throws(LevelDBError) {
        guard let end else { return try seekToLast() }
        try seek(to: end)
        if isValid { try previous() } else { try seekToLast() }
    }

    /// Calls `body` with the entry it stands on and those that follow, up to a bound: the first key
    /// left out, or the last one taken if reversed.
    fileprivate func scan(
        until bound: UnsafeRawBufferPointer?, reversed: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> ScanStep
    ) throws {
        guard isValid else { return }
        try pin()
        defer { unpin() }
        while isValid {
            if let bound {
                let isLess = key.precedes(bound)
                if isLess == reversed { break }
            }
            if try body(key, value) == .stop { break }
            try movePinned(reversed: reversed)
        }
        try checkStatus()
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes come before others in the order of keys.
    fileprivate func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        cldb_compare(baseAddress, count, other.baseAddress, other.count) < 0
    }
}
