import LevelDB

/// Walks over stored entries in key order. Damage is thrown, never taken for the end.
final class StoreCursor {
    private let iterator: Iterator

    init(_ iterator: Iterator) { self.iterator = iterator }

    var isValid: Bool { iterator.isValid }

    func seek(to key: borrowing Buffer<UInt8>) throws {
        try IndexStore.translating { try key.withBytes { try iterator.seek(to: $0) } }
    }

    func seek(to key: [UInt8]) throws {
        try IndexStore.translating { try iterator.seek(to: key) }
    }

    func next() throws { try IndexStore.translating { try iterator.next() } }

    /// Goes to the last key that begins with `byte`, or with a lesser one where there is none; not
    /// valid when there is no such key.
    func seekToLast(of byte: UInt8) throws {
        try IndexStore.translating {
            try iterator.seek(to: [byte + 1])
            if iterator.isValid { try iterator.previous() } else { try iterator.seekToLast() }
        }
    }

    /// Lends key and value of the current entry; what `body` finds malformed is told as the
    /// table's.
    @inline(__always)
    func withEntry<R>(
        _ table: Table? = nil,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        try IndexStore.translating(table) { try iterator.withEntry(body) }
    }

    /// Whether the cursor stands on a key that begins with `prefix`.
    func isOn(prefix: borrowing Buffer<UInt8>) throws -> Bool {
        guard iterator.isValid else { return false }
        return try withEntry { key, _ in prefix.withBytes { key.hasPrefix($0) } }
    }

    /// Throws when the entries passed so far were not all read well; to be called when a walk ends
    /// early.
    func check() throws { try IndexStore.translating { try iterator.checkStatus() } }

    /// Calls `body` with each entry of a table whose key is at least `start`, in key order, until
    /// it returns false.
    func forEach(
        in table: Table, from start: [UInt8] = [],
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var walk = TableWalk(table, self)
        try walk.begin(from: start)
        while walk.isValid {
            guard try walk.withEntry(body) else { return try check() }
            try walk.next()
        }
    }

    /// Calls `body` with each entry whose key begins with `prefix`, in key order.
    func forEach(
        prefix: borrowing Buffer<UInt8>, of table: Table? = nil,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try seek(to: prefix)
        while try isOn(prefix: prefix) {
            try withEntry(table, body)
            try next()
        }
        try check()
    }
}
