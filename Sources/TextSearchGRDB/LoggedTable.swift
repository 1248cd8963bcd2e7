#if GRDB
    import Foundation
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
            ([Self.list(columns)]
                + dependencies.map { dependency in
                    """
                    \(dependency.table)(\(Self.list(dependency.naming));\
                    \(Self.list(dependency.columns));\(dependency.keys))
                    """
                }).joined(separator: "; ")
        }
    }

    extension LoggedTable {
        /// Names with commas between; one that has a comma is in quotation marks.
        private static func list(_ names: [String]) -> String {
            names.map { $0.contains(",") ? ChangeLog.quoted($0) : $0 }.joined(separator: ",")
        }
    }

    /// What the schema says of a table: its key, and what REPLACE may delete rows by.
    struct TableShape: Sendable {
        struct UniqueIndex: Sendable {
            struct Column: Sendable {
                var name: String
                var collation = "BINARY"
                /// SQL that REPLACE puts in the place of NULL; nil where NULL may stay.
                var defaultValue: String?
            }

            var columns: [Column]

            /// SQL that says whether a row is in the way of NEW.
            var isInTheWay: String {
                columns.map { column in
                    let name = ChangeLog.quoted(column.name)
                    let new = column.defaultValue.map { "coalesce(NEW.\(name), (\($0)))" }
                    return
                        "\(name) = \(new ?? "NEW.\(name)") COLLATE \(Self.quoted(column.collation))"
                }.joined(separator: " AND ")
            }

            /// As triggers of earlier versions have it, where it needs no quotation marks.
            private static func quoted(_ collation: String) -> String {
                let isPlain =
                    collation.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
                    && sqlite3_keyword_check(collation, CInt(collation.utf8.count)) == 0
                return isPlain ? collation : ChangeLog.quoted(collation)
            }
        }

        var key: [String]
        /// Whether the key is one integer, which is never NULL.
        var hasIntegerKey = false
        /// The name of the row number (`rowid`, `_rowid_` or `oid`) where it is a second key; nil
        /// where rows have no number, or it is the key.
        private var rowNumber: String?
        /// Generated columns. They change without being named in an UPDATE.
        private var generatedColumns: Set<SQLName> = []
        /// Columns that keep whatever they are given: 1 and 1.0 are equal, and not the same text.
        private var untypedColumns: Set<SQLName> = []
        /// What REPLACE puts in the place of NULL, by columns.
        private var defaultValues: [SQLName: String] = [:]
        var uniqueIndexes: [UniqueIndex] = []
        /// Unique indexes, and triggers of others, because of which a row may be deleted that no
        /// trigger can look for: indexes over expressions, and triggers that change the row that
        /// they run before.
        var unwatched: [String] = []

        /// - Throws: `.invalidArgument` for a table that is not there, has no primary key or not
        ///   the columns that are named.
        init(_ logged: LoggedTable, _ db: Database) throws {
            let table = logged.table
            try Self.checkKind(table, db)
            let rows = try Row.fetchAll(
                db,
                sql:
                    "SELECT name, type, pk, hidden, \"notnull\", dflt_value FROM pragma_table_xinfo(?)",
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
            try readTriggers(table, db)
            let names = Set(rows.map { SQLName($0["name"]) })
            let number = Self.rowNumbers.first { !names.contains(SQLName($0)) }
            let hasNumber =
                try number.map { try Self.runs("SELECT \($0) FROM \(ChangeLog.quoted(table))", db) }
                ?? true
            if keyHasIndex, hasNumber { rowNumber = number }
            // One that is declared otherwise, as DESC, is a column like others.
            hasIntegerKey =
                key.count == 1 && columnType.uppercased() == "INTEGER"
                && !(keyHasIndex && hasNumber)
        }

        /// Throws for what is no table with triggers.
        private static func checkKind(_ table: String, _ db: Database) throws {
            let found = try Row.fetchOne(
                db,
                sql:
                    "SELECT type, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
                arguments: [table])
            guard let found else {
                let hint = table.contains(".") ? " Name the table alone, without its schema." : ""
                throw error("There is no table \"\(table)\" in the database.\(hint)")
            }
            guard found["type"] as String == "table" else {
                throw error("\"\(table)\" is a view; follow the tables that it shows.")
            }
            if (found["sql"] as String?)?.uppercased().hasPrefix("CREATE VIRTUAL") ?? false {
                throw error(
                    "\"\(table)\" is a virtual table, which no trigger can watch; follow the table that its rows come from."
                )
            }
            if SQLName(table).isReserved {
                throw error("\"\(table)\" is a table of the log of changes itself.")
            }
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
                !columns.contains(where: { generatedColumns.contains(SQLName($0)) })
            else { return "" }
            // SQLite has these names for an integer key, too, and compares names alone.
            let isKeyNamed = columns.contains { SQLName($0) == SQLName(key[0]) }
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
                guard untypedColumns.contains(SQLName(name)) else { return isOther }
                return "\(isOther) OR typeof(OLD.\(column)) <> typeof(NEW.\(column))"
            }.joined(separator: " OR ")
        }

        private mutating func readColumns(_ logged: LoggedTable, _ rows: [Row]) throws {
            let names = Set(rows.map { SQLName($0["name"]) })
            for column in logged.columns where !names.contains(SQLName(column)) {
                throw Self.error("The table \"\(logged.table)\" has no column \"\(column)\".")
            }
            for row in rows {
                let (name, type) = (SQLName(row["name"]), row["type"] as String)
                if row["notnull"] as Bool { defaultValues[name] = row["dflt_value"] }
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
                let found = columns.compactMap { column -> UniqueIndex.Column? in
                    guard let name = column["name"] as String? else { return nil }
                    return self.column(name, collation: column["coll"] as String? ?? "BINARY")
                }
                guard found.count == columns.count, !found.isEmpty else {
                    unwatched.append(index)
                    continue
                }
                let isKey = row["origin"] as String == "pk"
                if isKey { keyHasIndex = true }
                if isKey { try checkCollations(found, table, db) }
                // Rows that a key replaces have that key, unless its collation says so of others.
                if isKey, found.allSatisfy({ $0.collation.uppercased() == "BINARY" }) { continue }
                // Rows that have the value of an expression cannot be looked for beforehand.
                if found.contains(where: { hasExpression(SQLName($0.name)) }) {
                    unwatched.append(index)
                }
                uniqueIndexes.append(UniqueIndex(columns: found))
            }
            return keyHasIndex
        }

        private func column(_ name: String, collation: String = "BINARY") -> UniqueIndex.Column {
            UniqueIndex.Column(
                name: name, collation: collation,
                defaultValue: defaultValues[SQLName(name)].flatMap(Self.literal))
        }

        private func hasExpression(_ column: SQLName) -> Bool {
            defaultValues[column].map { Self.literal($0) == nil } ?? false
        }

        /// The key as what REPLACE may delete rows by, byte for byte.
        var keyIndex: UniqueIndex { UniqueIndex(columns: key.map { column($0) }) }

        /// The SQL of a default that is the same for whoever asks: a number, a text, a blob or a
        /// time; nil for an expression. SQLite takes a word for a text, as it does what has double
        /// quotation marks.
        private static func literal(_ value: String) -> String? {
            let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if let match = value.wholeMatch(of: /"((?:[^"]|"")*)"/) {
                return text(match.1.replacing("\"\"", with: "\""))
            }
            if let match = value.wholeMatch(of: /`([^`]*)`|\[([^\]]*)\]/) {
                return (match.1 ?? match.2).map(text)
            }
            let constant =
                /(?i)[-+]?\s*(?:0x[0-9a-f]+|[0-9.]+(?:e[-+]?[0-9]+)?)|x?'(?:[^']|'')*'|null|true|false|current_(?:time|date|timestamp)/
            if value.wholeMatch(of: constant) != nil { return value }
            return value.wholeMatch(of: /[A-Za-z_]\w*/) == nil ? nil : text(value[...])
        }

        private static func text(_ value: Substring) -> String {
            "'" + value.replacing("'", with: "''") + "'"
        }

        /// Finds triggers of others that change a unique column of the row that they run before: a
        /// row that is then in its way was not in that of NEW.
        private mutating func readTriggers(_ table: String, _ db: Database) throws {
            guard !uniqueIndexes.isEmpty else { return }
            let rows = try Row.fetchAll(
                db,
                sql:
                    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY name",
                arguments: [table])
            let unique = Set(uniqueIndexes.flatMap(\.columns).map { SQLName($0.name) })
            for row in rows {
                let (name, sql) = (row["name"] as String, row["sql"] as String? ?? "")
                guard !SQLName(name).isReserved else { continue }
                let changed = TriggerText(sql).columnsChangedBefore(updateOf: SQLName(table))
                if !changed.isDisjoint(with: unique) { unwatched.append(name) }
            }
        }

        /// Throws where the key tells rows apart that conditions on its columns do not.
        private func checkCollations(
            _ columns: [UniqueIndex.Column], _ table: String, _ db: Database
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
