#if GRDB
    import GRDB
    import GRDBSQLite
    import TextSearch

    /// A table whose changes are logged.
    struct LoggedTable: Sendable, Hashable {
        var name: String
        var table: String
        var columns: [String]
        var dependencies: [SearchDependency] = []

        /// What the triggers are made of, besides the table: definitions of one name that differ in
        /// it have triggers of their own.
        var signature: String {
            ([columns.joined(separator: ",")]
                + dependencies.map { dependency in
                    """
                    \(dependency.table)(\(dependency.naming.joined(separator: ","));\
                    \(dependency.columns.joined(separator: ","));\(dependency.keys))
                    """
                }).joined(separator: "; ")
        }
    }

    /// What the schema says of a table: its key, and what REPLACE may delete rows by.
    struct TableShape: Sendable {
        struct UniqueIndex: Sendable {
            var columns: [(name: String, collation: String)]
        }

        var key: [String]
        /// Whether the key is one integer, which is never NULL.
        var hasIntegerKey = false
        /// The name of the row number (`rowid`, `_rowid_` or `oid`) where it is a second key; nil
        /// where rows have no number, or it is the key.
        private var rowNumber: String?
        /// Generated columns, in lower case. They change without being named in an UPDATE.
        private var generatedColumns: Set<String> = []
        /// Columns that keep whatever they are given, in lower case: 1 and 1.0 are equal, and not
        /// the same text.
        private var untypedColumns: Set<String> = []
        var uniqueIndexes: [UniqueIndex] = []
        /// Unique indexes over expressions, which no trigger can look at.
        var unwatchedIndexes: [String] = []

        /// - Throws: `.invalidArgument` for a table that is not there, has no primary key or not
        ///   the columns that are named.
        init(_ logged: LoggedTable, _ db: Database) throws {
            let table = logged.table
            let type = try String.fetchOne(
                db,
                sql:
                    "SELECT type FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
                arguments: [table])
            guard type == "table" else {
                throw Self.error(
                    type == nil
                        ? "There is no table \"\(table)\" in the database."
                        : "\"\(table)\" is a view; follow the tables that it shows.")
            }
            let rows = try Row.fetchAll(
                db, sql: "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)",
                arguments: [table])
            let keyRows = rows.filter { $0["pk"] as Int > 0 }
                .sorted { ($0["pk"] as Int) < ($1["pk"] as Int) }
            key = keyRows.map { $0["name"] }
            guard !key.isEmpty else {
                throw Self.error(
                    """
                    The table "\(table)" has no primary key. Its rows have numbers that VACUUM may change, so that nothing can be \
                    followed by them; declare a key, such as "id INTEGER PRIMARY KEY".
                    """)
            }
            guard key.count <= 4 else {
                throw Self.error(
                    "The primary key of \"\(table)\" has \(key.count) columns; four are taken.")
            }
            let columnType: String = keyRows[0]["type"]
            try readColumns(logged, rows)
            let keyHasIndex = try readIndexes(table, db)
            let names = Set(rows.map { ($0["name"] as String).lowercased() })
            let number = Self.rowNumbers.first { !names.contains($0) }
            let hasNumber =
                try number.map { try Self.runs("SELECT \($0) FROM \(ChangeLog.quoted(table))", db) }
                ?? true
            if keyHasIndex, hasNumber { rowNumber = number }
            // One that is declared otherwise, as DESC, is a column like others.
            hasIntegerKey =
                key.count == 1 && columnType.uppercased() == "INTEGER"
                && !(keyHasIndex && hasNumber)
        }

        private static let rowNumbers = ["rowid", "_rowid_", "oid"]

        /// Whether SQL is right.
        private static func runs(_ sql: String, _ db: Database) throws -> Bool {
            do {
                _ = try db.makeStatement(sql: sql)
                return true
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                return false
            }
        }

        /// Triggers for what REPLACE deletes by the number of a row, by the ends of their names;
        /// `log` gives SQL that logs the rows that a condition holds for.
        func rowNumberTriggers(
            on table: String, _ log: (_ condition: String) -> String
        ) -> [String: String] {
            guard let rowNumber else { return [:] }
            let same = log("\(rowNumber) = NEW.\(rowNumber)")
            let names = Self.rowNumbers.joined(separator: ", ")
            return [
                "bir": "BEFORE INSERT ON \(table) BEGIN \(same) END",
                "bur":
                    "BEFORE UPDATE OF \(names) ON \(table) WHEN NEW.\(rowNumber) <> OLD.\(rowNumber) BEGIN \(same) END",
            ]
        }

        /// ` OF` and the columns an UPDATE of which may change some columns; nothing where any
        /// may.
        func clause(of columns: [String]) -> String {
            guard !columns.isEmpty,
                !columns.contains(where: { generatedColumns.contains($0.lowercased()) })
            else { return "" }
            // SQLite has these names for an integer key, too, and compares names alone.
            let isKeyNamed = columns.contains { $0.lowercased() == key[0].lowercased() }
            let others = hasIntegerKey && isKeyNamed ? Self.rowNumbers : []
            return " OF " + (columns.map(ChangeLog.quoted) + others).joined(separator: ", ")
        }

        /// The same of a table that another depends on.
        init(_ dependency: SearchDependency, _ db: Database) throws {
            try self.init(
                LoggedTable(
                    name: dependency.table, table: dependency.table,
                    columns: dependency.naming + dependency.columns), db)
        }

        /// Whether columns differ between OLD and NEW: by their bytes, since a collation may take
        /// them for the same.
        func isChanged(_ columns: [String]) -> String {
            columns.map { name in
                let column = ChangeLog.quoted(name)
                let isOther = "OLD.\(column) IS NOT NEW.\(column) COLLATE BINARY"
                guard untypedColumns.contains(name.lowercased()) else { return isOther }
                return "\(isOther) OR typeof(OLD.\(column)) <> typeof(NEW.\(column))"
            }.joined(separator: " OR ")
        }

        private mutating func readColumns(_ logged: LoggedTable, _ rows: [Row]) throws {
            let names = Set(rows.map { ($0["name"] as String).lowercased() })
            for column in logged.columns where !names.contains(column.lowercased()) {
                throw Self.error("The table \"\(logged.table)\" has no column \"\(column)\".")
            }
            for row in rows {
                let (name, type) = ((row["name"] as String).lowercased(), row["type"] as String)
                if row["hidden"] as Int > 1 { generatedColumns.insert(name) }
                let isUntyped = ["", "ANY"].contains(type.uppercased())
                if isUntyped || type.uppercased().contains("BLOB") { untypedColumns.insert(name) }
            }
        }

        /// Reads the unique indexes; returns whether the key has one.
        private mutating func readIndexes(_ table: String, _ db: Database) throws -> Bool {
            var keyHasIndex = false
            let indexes = try Row.fetchAll(
                db,
                sql: "SELECT name, origin FROM pragma_index_list(?) WHERE \"unique\" ORDER BY name",
                arguments: [table])
            for row in indexes {
                let index: String = row["name"]
                let columns = try Row.fetchAll(
                    db,
                    sql: "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno",
                    arguments: [index])
                let found = columns.compactMap { column -> (name: String, collation: String)? in
                    guard let name = column["name"] as String? else { return nil }
                    return (name, column["coll"] as String? ?? "BINARY")
                }
                guard found.count == columns.count, !found.isEmpty else {
                    unwatchedIndexes.append(index)
                    continue
                }
                let isKey = row["origin"] as String == "pk"
                if isKey { keyHasIndex = true }
                if isKey { try checkCollations(found, table, db) }
                // Rows that a key replaces have that key, unless its collation says so of others.
                if isKey, found.allSatisfy({ $0.collation.uppercased() == "BINARY" }) { continue }
                uniqueIndexes.append(UniqueIndex(columns: found))
            }
            return keyHasIndex
        }

        /// Throws where the key tells rows apart that conditions on its columns do not.
        private func checkCollations(
            _ columns: [(name: String, collation: String)], _ table: String, _ db: Database
        ) throws {
            for column in columns {
                var collation: UnsafePointer<CChar>?
                let status = sqlite3_table_column_metadata(
                    db.sqliteConnection, "main", table, column.name, nil, &collation, nil, nil, nil)
                guard status == SQLITE_OK, let collation,
                    String(cString: collation).uppercased() != column.collation.uppercased()
                else { continue }
                throw Self.error(
                    """
                    The primary key of "\(table)" compares "\(column.name)" by \(column.collation), and the column says \
                    \(String(cString: collation)); give both the same collation.
                    """)
            }
        }

        private static func error(_ message: String) -> TextIndexError {
            TextIndexError(.invalidArgument, message)
        }
    }
#endif
