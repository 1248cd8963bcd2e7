#if GRDB
    import Foundation
    import GRDB
    import GRDBSQLite
    import TextSearch

    /// Rows of a table that were read for one slice.
    struct TableSlice<Record: FetchableRecord & Sendable> {
        var objects: [SourceObject<Record>] = []
        var byteCount = 0
        var skippedCount = 0
        private let key: [String]
        /// For rows that are fetched with what belongs to them.
        private let request: QueryInterfaceRequest<Record>?
        private let table: String
        private let db: Database
        private var seen: Set<Data> = []
        /// The places of the key's columns in rows; all come from the same columns.
        private var keyPlaces: [Int] = []

        init(_ key: [String], _ definition: SearchDefinition<Record>, _ db: Database) {
            self.key = key
            request = definition.request
            table = ChangeLog.quoted(definition.table)
            self.db = db
        }

        // MARK: The log

        /// The last row of the log that was read.
        struct LogEnd {
            var number: Int64
            var nonce: Int64
            /// Whether the log had no more rows.
            var isLast: Bool
        }

        /// Adds the rows that the log names, as they are now or gone; each once.
        ///
        /// - Returns: Where it ended; nil where the log has no row.
        mutating func readLog(
            after number: Int64, of source: Int64, _ limit: SliceLimit
        ) throws -> LogEnd? {
            let names = key.indices.map { "log.k\($0)" }
            let arguments: StatementArguments = [number, source, limit.count]
            let ends = """
                log.seq, log.nonce, \(names.joined(separator: ", ")) FROM grdb_textsearch_log AS log
                """
            let condition = "WHERE log.seq > ? AND log.source = ? ORDER BY log.seq LIMIT ?"
            if request != nil {
                let statement = try db.cachedStatement(sql: "SELECT \(ends) \(condition)")
                return try readLog(statement, arguments, limit)
            }
            // Rows of the table come first: records may read columns by their places.
            let same = zip(key, names).map { "_row.\(ChangeLog.quoted($0)) = \($1)" }
                .joined(separator: " AND ")
            let statement = try db.cachedStatement(
                sql: "SELECT _row.*, \(ends) LEFT JOIN \(table) AS _row ON \(same) \(condition)")
            return try readLog(statement, arguments, limit)
        }

        /// Reads rows that end with a number, a nonce and a key, behind the row of the table where
        /// it was joined.
        private mutating func readLog(
            _ statement: Statement, _ arguments: StatementArguments, _ limit: SliceLimit
        ) throws -> LogEnd? {
            let cursor = try Row.fetchCursor(statement, arguments: arguments)
            let first = statement.columnCount - key.count - 2
            let logPlaces = Array((first + 2)..<statement.columnCount)
            var count = 0
            var end: LogEnd?
            while let row = try cursor.next() {
                count += 1
                let raw = statement.sqliteStatement
                end = LogEnd(
                    number: sqlite3_column_int64(raw, CInt(first)),
                    nonce: sqlite3_column_int64(raw, CInt(first + 1)), isLast: false)
                if let identifier = identifier(row, raw, at: logPlaces) {
                    if request != nil {
                        try lookUp(RowKey(logPlaces.map { row[$0] }), as: identifier)
                    } else if seen.insert(identifier).inserted {
                        take(row, identifier, raw)
                    }
                } else {
                    skippedCount += 1
                }
                if byteCount >= limit.byteCount { break }
            }
            end?.isLast = count < limit.count && byteCount < limit.byteCount
            return end
        }

        // MARK: Rows by their keys

        /// Adds the row with a key as it is now, or that it is gone; once for each key.
        mutating func lookUp(_ key: RowKey, as identifier: Data) throws {
            guard seen.insert(identifier).inserted else { return }
            if let request {
                let row = try Row.fetchOne(
                    db, request.filter(KeyList([key], self.key).expression).asRequest(of: Row.self))
                return take(row, identifier)
            }
            let same = self.key.map { "\(ChangeLog.quoted($0)) = ?" }.joined(separator: " AND ")
            let statement = try db.cachedStatement(
                sql: "SELECT * FROM \(table) WHERE \(same)")
            let rows = try Row.fetchCursor(statement, arguments: StatementArguments(key.values))
            take(try rows.next(), identifier, statement.sqliteStatement)
        }

        private mutating func take(
            _ row: Row?, _ identifier: Data, _ raw: SQLiteStatement? = nil
        ) {
            // A collation may find or join the row of another key.
            guard let row, self.identifier(of: row, raw) == identifier else {
                objects.append(SourceObject(identifier, nil))
                return
            }
            append(row, identifier, raw)
        }

        // MARK: Rows in the order of their keys

        /// Adds a row, and gives its identifier. Inlined, so that what is generic is looked up once
        /// a slice.
        @inline(__always)
        private mutating func add(_ row: Row, _ raw: SQLiteStatement? = nil) -> Data? {
            guard let identifier = identifier(of: row, raw) else {
                skippedCount += 1
                return nil
            }
            append(row, identifier, raw)
            return identifier
        }

        /// Room is made for so many rows at the most before they are read.
        private static var usualCount: Int { 4_000 }

        /// Reads the first rows of a statement.
        mutating func read(
            _ statement: Statement, _ arguments: StatementArguments, _ limit: SliceLimit
        ) throws -> ObjectSlice<Record> {
            let cursor = try Row.fetchCursor(statement, arguments: arguments)
            objects.reserveCapacity(min(limit.count, Self.usualCount))
            // Rows that are passed over do not count: each slice has one to go on after.
            var last: Data?
            while objects.count < limit.count, byteCount < limit.byteCount {
                guard let row = try cursor.next() else {
                    return ObjectSlice(objects, next: nil, skippedCount: skippedCount)
                }
                last = add(row, statement.sqliteStatement) ?? last
            }
            return ObjectSlice(objects, next: last, skippedCount: skippedCount)
        }

        /// So many rows at the most are fetched at once with what belongs to them, and so many at
        /// first: how large they are is not known.
        private static var requestCount: Int { 500 }
        private static var firstRequestCount: Int { 20 }

        /// Reads the first rows of a request, with what belongs to them.
        mutating func read(
            _ request: QueryInterfaceRequest<Record>, _ limit: SliceLimit
        ) throws -> ObjectSlice<Record> {
            var offset = 0
            var last: Data?
            while objects.count < limit.count, byteCount < limit.byteCount {
                let fitting =
                    offset == 0
                    ? Self.firstRequestCount
                    : (limit.byteCount - byteCount) / max(byteCount / offset, 1) + 1
                let count = min(limit.count - objects.count, Self.requestCount, fitting)
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

        // MARK: One row

        /// The identifier of a row of the table; `raw` is the statement that it is the present row
        /// of, nil for a copy.
        private mutating func identifier(of row: Row, _ raw: SQLiteStatement?) -> Data? {
            if keyPlaces.isEmpty {
                keyPlaces = RowKey.places(of: key, in: row)
            }
            return identifier(row, raw, at: keyPlaces)
        }

        private func identifier(_ row: Row, _ raw: SQLiteStatement?, at places: [Int]) -> Data? {
            if let raw, places.count == 1,
                sqlite3_column_type(raw, CInt(places[0])) == SQLITE_INTEGER
            {
                return RowKey.identifier(sqlite3_column_int64(raw, CInt(places[0])))
            }
            if let raw, places.contains(where: { Self.hasZero(raw, CInt($0)) }) { return nil }
            return RowKey(places.map { row[$0] }).identifier
        }

        /// Whether a text has a zero byte: what follows it is not read.
        private static func hasZero(_ raw: SQLiteStatement, _ place: CInt) -> Bool {
            guard sqlite3_column_type(raw, place) == SQLITE_TEXT,
                let text = sqlite3_column_text(raw, place)
            else { return false }
            return memchr(text, 0, Int(sqlite3_column_bytes(raw, place))) != nil
        }

        @inline(__always)
        private mutating func append(_ row: Row, _ identifier: Data, _ raw: SQLiteStatement?) {
            byteCount += raw.map(Self.byteCount) ?? Self.byteCount(of: row)
            do {
                objects.append(SourceObject(identifier, try Record(row: row)))
            } catch {
                // What the index has of it is outdated.
                objects.append(SourceObject(identifier, nil))
                skippedCount += 1
            }
        }

        /// About how large the present row of a statement is, without its values being made.
        private static func byteCount(_ raw: SQLiteStatement) -> Int {
            (0..<sqlite3_column_count(raw)).reduce(0) { sum, place in
                let type = sqlite3_column_type(raw, place)
                guard type == SQLITE_TEXT || type == SQLITE_BLOB else { return sum + 8 }
                return sum + Int(sqlite3_column_bytes(raw, place))
            }
        }

        /// The same of a copy, with what belongs to it.
        private static func byteCount(of row: Row) -> Int {
            let own = (0..<row.count).reduce(0) { sum, place in
                switch (row[place] as DatabaseValue).storage {
                case .string(let text): sum + text.utf8.count
                case .blob(let data): sum + data.count
                default: sum + 8
                }
            }
            let joined = row.scopes.reduce(0) { $0 + byteCount(of: $1.row) }
            let prefetched = row.prefetchedRows.keys.reduce(0) { sum, key in
                sum + (row.prefetchedRows[key] ?? []).reduce(0) { $0 + byteCount(of: $1) }
            }
            return own + joined + prefetched
        }
    }
#endif
