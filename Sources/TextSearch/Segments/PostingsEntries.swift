/// Reads the stored postings of terms that ascend, those of all segments one after the other, with one cursor.
struct PostingsEntries: ~Copyable {
    private let cursor: StoreCursor
    private var key = Buffer<UInt8>()

    init(_ store: IndexStore) throws { cursor = try store.makeCursor() }

    /// Calls `body` with each segment that has postings of a term, known to a snapshot or not, and with these.
    mutating func forEach(
        of term: UnsafeBufferPointer<UInt8>,
        _ body: (_ segment: UInt32, _ postings: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        Key.term(.postings, term, into: &key)
        if try !isBehindStart() { try cursor.seek(to: key) }
        while cursor.isValid {
            let goesOn = try cursor.withEntry { stored, value in
                let prefixCount = key.count
                guard stored.count == prefixCount + 4,
                    key.withBytes({ stored.prefix(prefixCount).elementsEqual($0) })
                else { return false }
                try body(try Key.lastNumber(stored), value)
                return true
            }
            guard goesOn else { return try cursor.check() }
            try cursor.next()
        }
    }

    /// Whether the cursor stands on the first entry that does not come before the key already, as after the term before this one.
    private func isBehindStart() throws -> Bool {
        guard cursor.isValid else { return false }
        return try cursor.withEntry { stored, _ in
            key.withBytes { key in
                stored.count > key.count && stored.prefix(key.count).elementsEqual(key)
            }
        }
    }
}
