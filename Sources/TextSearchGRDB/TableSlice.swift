#if GRDB
    import Foundation
    import GRDB
    import TextSearch

    /// Rows of a table that were read for one slice.
    struct TableSlice<Record: FetchableRecord & Sendable> {
        var objects: [SourceObject<Record>] = []
        var byteCount = 0
        var skippedCount = 0
        private let key: [String]
        /// For rows that are fetched with what belongs to them.
        private let request: QueryInterfaceRequest<Record>?
        private let sql: String
        private let db: Database
        private var seen: Set<RowKey> = []
        /// The places of the key's columns in rows; all come from the same columns.
        private var keyPlaces: [Int] = []

        init(_ key: [String], _ definition: SearchDefinition<Record>, _ db: Database) {
            self.key = key
            request = definition.request
            self.db = db
            let same = key.map { "\(ChangeLog.quoted($0)) = ?" }.joined(separator: " AND ")
            sql = "SELECT * FROM \(ChangeLog.quoted(definition.table)) WHERE \(same)"
        }

        /// Adds the row with a key as it is now, or that it is gone; once for each key.
        mutating func lookUp(_ key: RowKey, as known: Data? = nil) throws {
            guard let identifier = known ?? key.identifier else {
                skippedCount += 1
                return
            }
            guard seen.insert(key).inserted else { return }
            if let request {
                let row = try Row.fetchOne(
                    db, request.filter(KeyList([key], self.key).expression).asRequest(of: Row.self))
                return take(row, key, identifier)
            }
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: sql), arguments: StatementArguments(key.values))
            take(try rows.next(), key, identifier)
        }

        private mutating func take(_ row: Row?, _ key: RowKey, _ identifier: Data) {
            // A collation may find the row of another key.
            guard let row, self.key(of: row) == key else {
                objects.append(SourceObject(identifier, nil))
                return
            }
            append(row, identifier)
        }

        /// Adds a row, and gives its identifier.
        mutating func add(_ row: Row) -> Data? {
            guard let identifier = key(of: row).identifier else {
                skippedCount += 1
                return nil
            }
            append(row, identifier)
            return identifier
        }

        /// So many rows are fetched at once with what belongs to them.
        private static var requestCount: Int { 500 }

        /// Reads the first rows of a request, with what belongs to them.
        mutating func read(
            _ request: QueryInterfaceRequest<Record>, _ limit: SliceLimit
        ) throws -> ObjectSlice<Record> {
            var offset = 0
            var last: Data?
            while objects.count < limit.count, byteCount < limit.byteCount {
                let count = min(limit.count - objects.count, Self.requestCount)
                let rows = try Row.fetchAll(
                    db, request.limit(count, offset: offset).asRequest(of: Row.self))
                for row in rows { last = add(row) ?? last }
                if rows.count < count {
                    return ObjectSlice(objects, next: nil, skippedCount: skippedCount)
                }
                offset += count
            }
            return ObjectSlice(objects, next: last, skippedCount: skippedCount)
        }

        private mutating func key(of row: Row) -> RowKey {
            if keyPlaces.isEmpty {
                let names = Array(row.columnNames.map { $0.lowercased() })
                keyPlaces = key.compactMap { names.firstIndex(of: $0.lowercased()) }
            }
            return RowKey(keyPlaces.map { row[$0] })
        }

        private mutating func append(_ row: Row, _ identifier: Data) {
            for place in 0..<row.count {
                switch (row[place] as DatabaseValue).storage {
                case .string(let text): byteCount += text.utf8.count
                case .blob(let data): byteCount += data.count
                default: byteCount += 8
                }
            }
            do {
                objects.append(SourceObject(identifier, try Record(row: row)))
            } catch {
                // What the index has of it is outdated.
                objects.append(SourceObject(identifier, nil))
                skippedCount += 1
            }
        }
    }
#endif
