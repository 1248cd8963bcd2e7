extension StoreCursor {
    /// The first segment that has keys, of those behind `number` where it is given. Lends keys that
    /// name no segment, and so are of no table, to `foreign`.
    ///
    /// Complexity: a seek, and a step for each deleted key before it that LevelDB has not yet let
    /// go.
    func segment(
        after number: UInt32?, foreign: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws -> UInt32? {
        var start = Buffer<UInt8>(capacity: 8)
        if let number { Key.segment(number, into: &start) } else { start.append(Table.segments) }
        if number != nil { start.append(.max) }
        try seek(to: start)
        while isValid {
            let (isSegments, found) = try withEntry { key, _ -> (Bool, UInt32?) in
                let found = Key.segment(of: key)
                if key.first == Table.segments, found == nil { foreign(key) }
                return (key.first == Table.segments, found)
            }
            guard isSegments else { return nil }
            if let found, found != number { return found }
            try next()
        }
        try check()
        return nil
    }
}

/// Walks over the entries of one table in key order; over those of a table of segments segment by
/// segment.
///
/// Complexity: a step for each entry, and two seeks for each segment that has a key in any table.
struct TableWalk: ~Copyable {
    private let cursor: StoreCursor
    private let table: Table
    private var key = Buffer<UInt8>(capacity: 16)
    /// Whether the cursor stands on an entry of the table.
    private(set) var isValid = false

    init(_ table: Table, _ cursor: StoreCursor) {
        self.table = table
        self.cursor = cursor
    }

    /// Goes to the first entry; to the first whose key is not less than `start`, which is a key of
    /// the table, where that is given.
    mutating func begin(from start: [UInt8] = []) throws {
        isValid = false
        let first = table.isOfSegments ? Table.segments : table.rawValue
        try cursor.seek(to: start.isEmpty ? [first] : start)
        try settle()
    }

    mutating func next() throws {
        isValid = false
        try cursor.next()
        try settle()
    }

    /// Lends key and value of the entry that the walk stands on.
    func withEntry<R>(
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> R
    ) throws -> R { try cursor.withEntry(table, body) }

    private enum Place {
        case here, end
        case next
        case other(table: Table, segment: UInt32)
    }

    /// Goes on from what is no entry of the table to the next that is one.
    private mutating func settle() throws {
        while cursor.isValid {
            switch try cursor.withEntry(table, { key, _ in place(of: key) }) {
            case .here:
                isValid = true
                return
            case .end: return try cursor.check()
            case .next: try cursor.next()
            case .other(let table, let segment):
                Key.segment(table, segment, into: &key)
                try cursor.seek(to: key)
            }
        }
        try cursor.check()
    }

    private func place(of key: UnsafeRawBufferPointer) -> Place {
        guard table.isOfSegments else {
            // The end of the identifiers is a key too.
            let isHere = key.first == table.rawValue && !key.elementsEqual(Key.identifiersEnd)
            return isHere ? .here : .end
        }
        guard key.first == Table.segments else { return .end }
        guard let segment = Key.segment(of: key) else { return .next }
        let found = key[Key.segmentPrefixLength - 1]
        if found == table.rawValue { return .here }
        if found < table.rawValue { return .other(table: table, segment: segment) }
        return segment < .max ? .other(table: table, segment: segment + 1) : .end
    }
}
