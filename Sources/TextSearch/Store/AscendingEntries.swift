/// Reads entries of a table by keys, with one cursor: where the next one that is asked for is the
/// next one stored, nothing is looked for.
///
/// **Lifetime**: its cursor keeps files from being released; let it go soon.
final class AscendingEntries {
    private let store: IndexStore
    private let table: Table
    private let fillsCache: Bool
    private var cursor: StoreCursor?

    init(_ store: IndexStore, _ table: Table, fillCache: Bool = true) {
        self.store = store
        self.table = table
        fillsCache = fillCache
    }

    /// Lends the value of a key to `body`; nil when there is no such key.
    ///
    /// Complexity: a step of the cursor where the entry before was the one asked for before,
    /// otherwise a seek.
    func withValue<R>(
        _ key: borrowing Buffer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        do {
            return try find(key, body)
        } catch {
            // A cursor that met damage fails wherever it is moved.
            cursor = nil
            throw error
        }
    }

    private func find<R>(
        _ key: borrowing Buffer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        if let cursor, try isOnSegment(of: key, cursor) {
            try cursor.next()
            if let found = try value(key, cursor, body) { return found }
        }
        let cursor = try self.cursor ?? store.makeCursor(fillCache: fillsCache)
        self.cursor = cursor
        try cursor.seek(to: key)
        if let found = try value(key, cursor, body) { return found }
        try cursor.check()
        return nil
    }

    /// Whether the cursor stands on an entry of the same table and segment. From the last one of a
    /// segment a step would go over all that is left of deleted segments.
    private func isOnSegment(
        of key: borrowing Buffer<UInt8>, _ cursor: StoreCursor
    ) throws -> Bool {
        guard cursor.isValid else { return false }
        return try cursor.withEntry(table) { stored, _ in
            key.withBytes { key in
                let length = Key.segmentPrefixLength
                return key.count >= length
                    && stored.hasPrefix(UnsafeRawBufferPointer(rebasing: key[..<length]))
            }
        }
    }

    private func value<R>(
        _ key: borrowing Buffer<UInt8>, _ cursor: StoreCursor,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        guard cursor.isValid else { return nil }
        return try cursor.withEntry(table) { stored, value in
            key.withBytes { stored.hasSameBytes(as: $0) } ? try body(value) : nil
        }
    }
}
