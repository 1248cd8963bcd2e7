import Foundation

/// Goes through the entries of a table beside a list of the keys that should be there.
final class EntryWalk {
    private let verifier: Verifier
    private let table: Table
    private var walk: TableWalk
    /// False when LevelDB could not read on: what should follow is then not missed one by one.
    private var isReadable = true

    init(_ verifier: Verifier, _ table: Table, _ cursor: StoreCursor) {
        self.verifier = verifier
        self.table = table
        walk = TableWalk(table, cursor)
    }

    func begin() throws {
        isReadable = false
        try walk.begin()
        isReadable = true
    }

    /// The value of the next key that should be there; nil, and a finding, when it is not. Keys are
    /// asked for in order.
    func take(_ key: [UInt8], _ segment: UInt32) throws -> [UInt8]? {
        try skip(to: key)
        var value: [UInt8]?
        try reading {
            guard walk.isValid else { return }
            value = try walk.withEntry { found, value in
                guard found.elementsEqual(key) else { return nil }
                _ = try account(found, value)
                return Array(value)
            }
            if value != nil { try walk.next() }
        }
        if value == nil, isReadable {
            verifier.report.add(
                .missing, table, segment: segment, key: Data(key),
                "the entry that the vocabulary or the postings name is not there")
        }
        return value
    }

    /// Passes over the rest of the table.
    func finish() throws { try skip(to: [Table.segments + 1]) }

    private func skip(to key: [UInt8]) throws {
        try reading {
            while walk.isValid {
                let isBefore = try walk.withEntry { found, value in
                    guard found.lexicographicallyPrecedes(key) else { return false }
                    if let segment = try account(found, value) {
                        verifier.report.add(
                            .unexpected, table, segment: segment.manifest.number,
                            key: Data(found), "nothing names the entry")
                    } else {
                        verifier.countUnnamed(table)
                    }
                    return true
                }
                guard isBefore else { return }
                try walk.next()
            }
        }
    }

    /// Counts an entry, for its segment too.
    private func account(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws -> SegmentExamination? {
        verifier.count(table, key, value)
        do {
            return try verifier.segment(key, value)
        } catch {
            verifier.report.add(.malformed, table, key: Data(key), "the key is of no segment")
            return nil
        }
    }

    private func reading(_ body: () throws -> Void) throws {
        guard isReadable else { return }
        isReadable = false
        try verifier.reading(table) {
            try body()
            isReadable = true
        }
    }
}
