import Foundation

/// Records that wait for a later one with the same identifier, which may make them needless.
///
/// Where several lines of a run have one identifier, the last one counts. When the same lines are
/// read again, the first ones differ from what is stored, and only the last says that nothing has
/// changed. Memory: about ``mostBytes``, and one record. Beyond it they are let go, and indexed
/// again.
struct HeldRecords {
    static let mostBytes = 64 << 20

    private var records: [Data: Record] = [:]
    private var byteCount = 0

    /// Whether some have to be let go.
    var isFull: Bool { byteCount > Self.mostBytes }

    /// Holds a record instead of an earlier one with its identifier.
    mutating func hold(_ record: Record) {
        drop(record.identifier)
        records[record.identifier] = record
        byteCount += Self.size(record)
    }

    /// Forgets the record with an identifier, if there is one.
    mutating func drop(_ identifier: Data) {
        if let old = records.removeValue(forKey: identifier) { byteCount -= Self.size(old) }
    }

    /// Gives all records, in the order of their identifiers, and holds none any more.
    mutating func takeAll() -> [Record] {
        defer { self = HeldRecords() }
        return records.values.sorted { $0.identifier.lexicographicallyPrecedes($1.identifier) }
    }

    private static func size(_ record: Record) -> Int {
        record.strings.reduce(record.identifier.count + 400) { $0 + $1.utf8.count }
    }
}
