#if GRDB
    import GRDB
    import TextSearch

    /// The log of changed keys in a database, and the triggers that write it.
    ///
    /// Facts:
    /// 1. A row says which key changed, not how: whoever reads the log looks at the table.
    /// 2. Triggers use SQL that is built in, so that any process writes the log, the command
    ///    sqlite3 too.
    /// 3. Each row has a random nonce: a position is a number and its nonce, which another history
    ///    of the same length has not.
    /// 4. Each logged table has a random epoch, made anew with its triggers: what was written
    ///    without them is in no log.
    /// 5. A definition has the triggers of one table; another table needs a definition of another
    ///    name.
    /// 6. All names begin with `grdb_`, which GRDB's migrations leave alone.
    enum ChangeLog {
        static let prefix = "grdb_textsearch_"
        static let log = "grdb_textsearch_log"
        static let consumers = "grdb_textsearch_consumer"
        /// The form of the tables below. Stored; never renumber.
        static let layout = 1

        private static let tables = """
            CREATE TABLE IF NOT EXISTS grdb_textsearch_log(
                seq INTEGER PRIMARY KEY, source INTEGER NOT NULL, k0, k1, k2, k3,
                nonce INTEGER NOT NULL DEFAULT (random()));
            CREATE TABLE IF NOT EXISTS grdb_textsearch_store(
                id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL, layout INTEGER NOT NULL);
            CREATE TABLE IF NOT EXISTS grdb_textsearch_source(
                number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
                epoch INTEGER NOT NULL DEFAULT (random()), followed TEXT);
            CREATE TABLE IF NOT EXISTS grdb_textsearch_consumer(
                name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
            """

        static func quoted(_ name: String) -> String {
            "\"" + name.replacing("\"", with: "\"\"") + "\""
        }

        // MARK: Triggers

        /// All triggers that log the changes of a table and of those that it depends on.
        static func triggers(
            _ logged: LoggedTable, _ shape: TableShape, number: Int64, _ db: Database
        ) throws -> [String: String] {
            var all = triggers(logged, shape, number: number)
            for (place, dependency) in logged.dependencies.enumerated() {
                let own = try TableShape(dependency, db)
                try dependency.check(own, keyCount: shape.key.count, db)
                for (end, body) in triggers(
                    dependency, own, number: number, keyCount: shape.key.count)
                {
                    let name = "\(prefix)\(number)_d\(place)_\(end)"
                    all[name] = "CREATE TRIGGER \(quoted(name)) \(body)"
                }
            }
            return all
        }

        /// The triggers of a logged table, by their names.
        static func triggers(
            _ logged: LoggedTable, _ shape: TableShape, number: Int64
        ) -> [String: String] {
            let table = quoted(logged.table)
            let key = shape.key.map(quoted)
            let names = shape.key.indices.map { "k\($0)" }.joined(separator: ", ")
            func insert(_ row: String) -> String {
                let values = key.map { "\(row).\($0)" }.joined(separator: ", ")
                return "INSERT INTO \(log)(source, \(names)) VALUES (\(number), \(values));"
            }
            func changed(_ columns: [String]) -> String {
                // By their bytes: a collation may take them for the same.
                columns.map { "OLD.\($0) IS NOT NEW.\($0) COLLATE BINARY" }
                    .joined(separator: " OR ")
            }
            let watched = key + logged.columns.map(quoted)
            let columns =
                shape.hasGeneratedColumns ? "" : " OF " + watched.joined(separator: ", ")
            var triggers = [
                "ai": "AFTER INSERT ON \(table) BEGIN \(insert("NEW")) END",
                "ad": "AFTER DELETE ON \(table) BEGIN \(insert("OLD")) END",
                "au":
                    "AFTER UPDATE\(columns) ON \(table) WHEN \(changed(watched)) BEGIN \(insert("NEW")) END",
                "ak":
                    "AFTER UPDATE OF \(key.joined(separator: ", ")) ON \(table) WHEN \(changed(key)) BEGIN \(insert("OLD")) END",
            ]
            // What REPLACE deletes fires no trigger: who is in the way is looked for before.
            for (place, index) in shape.uniqueIndexes.enumerated() {
                let same = index.columns.map {
                    "\(quoted($0.name)) = NEW.\(quoted($0.name)) COLLATE \($0.collation)"
                }.joined(separator: " AND ")
                let other = key.map { "\($0) IS NOT OLD.\($0) COLLATE BINARY" }
                    .joined(separator: " OR ")
                let select =
                    "INSERT INTO \(log)(source, \(names)) SELECT \(number), \(key.joined(separator: ", ")) FROM \(table) WHERE \(same)"
                let unique = index.columns.map { quoted($0.name) }.joined(separator: ", ")
                triggers["bi\(place)"] = "BEFORE INSERT ON \(table) BEGIN \(select); END"
                triggers["bu\(place)"] =
                    "BEFORE UPDATE OF \(unique) ON \(table) BEGIN \(select) AND (\(other)); END"
            }
            return Dictionary(
                uniqueKeysWithValues: triggers.map { suffix, body in
                    let name = "\(prefix)\(number)_\(suffix)"
                    return (name, "CREATE TRIGGER \(quoted(name)) \(body)")
                })
        }

        private static func storedTriggers(
            number: Int64, _ db: Database
        ) throws -> [String: String] {
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?",
                arguments: ["\(prefix)\(number)_*"])
            return Dictionary(
                rows.map { ($0["name"] as String, $0["sql"] as String) },
                uniquingKeysWith: { a, _ in a })
        }

        // MARK: Installing

        /// Whether the log is there and all triggers are what they should be.
        static func isInstalled(_ logged: LoggedTable, _ db: Database) throws -> Bool {
            guard try hasTables(db) else { return false }
            try checkLayout(db)
            guard let number = try number(of: logged, db) else { return false }
            let shape = try TableShape(logged, db)
            return try storedTriggers(number: number, db)
                == triggers(logged, shape, number: number, db)
        }

        static func number(of logged: LoggedTable, _ db: Database) throws -> Int64? {
            try Int64.fetchOne(
                db, sql: "SELECT number FROM grdb_textsearch_source WHERE name = ?",
                arguments: [logged.name])
        }

        static func hasTables(_ db: Database) throws -> Bool {
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN
                    ('grdb_textsearch_log', 'grdb_textsearch_store', 'grdb_textsearch_source', 'grdb_textsearch_consumer')
                    """) == 4
        }

        /// Throws where a table cannot be logged.
        static func check(_ logged: LoggedTable, _ db: Database) throws {
            _ = try triggers(logged, try TableShape(logged, db), number: 0, db)
            guard try hasTables(db) else { return }
            try checkLayout(db)
            if let number = try number(of: logged, db) { try checkTable(logged, number, db) }
        }

        /// Throws where a definition of this name follows another table: each would take the
        /// triggers of the other.
        private static func checkTable(
            _ logged: LoggedTable, _ number: Int64, _ db: Database
        ) throws {
            guard try hasFollowed(db),
                let followed = try String.fetchOne(
                    db, sql: "SELECT followed FROM grdb_textsearch_source WHERE number = ?",
                    arguments: [number]),
                followed.lowercased() != logged.table.lowercased(),
                // A table that was renamed has its triggers still; one that is gone has none.
                let holder = try String.fetchOne(
                    db,
                    sql: "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = ?",
                    arguments: ["\(prefix)\(number)_ai"]),
                holder.lowercased() != logged.table.lowercased()
            else { return }
            throw TextIndexError(
                .invalidArgument,
                """
                A definition with the name "\(logged.name)" follows the table "\(holder)" in this database; give that of \
                "\(logged.table)" another name, or uninstall the other one.
                """)
        }

        /// Whether sources say which tables they are of; those of early versions did not.
        private static func hasFollowed(_ db: Database) throws -> Bool {
            try db.columns(in: "grdb_textsearch_source").contains { $0.name == "followed" }
        }

        private static func checkLayout(_ db: Database) throws {
            let found =
                try Int.fetchOne(db, sql: "SELECT layout FROM grdb_textsearch_store") ?? layout
            guard found == layout else {
                throw TextIndexError(
                    .unsupportedFormat,
                    "The log of changes was made by another version of this library, with layout \(found); this one knows \(layout)."
                )
            }
        }

        /// Brings log and triggers to what they should be; in a transaction.
        ///
        /// - Returns: Indexes that could not be watched.
        @discardableResult
        static func install(_ logged: LoggedTable, _ db: Database) throws -> [String] {
            let shape = try TableShape(logged, db)
            try db.execute(sql: tables)
            try checkLayout(db)
            try db.execute(
                sql:
                    "INSERT OR IGNORE INTO grdb_textsearch_store VALUES (1, lower(hex(randomblob(16))), ?)",
                arguments: [layout])
            // Something has to be there that a position can name.
            try db.execute(
                sql: "INSERT INTO \(log)(source) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM \(log))")
            try db.execute(
                sql: "INSERT OR IGNORE INTO grdb_textsearch_source(name) VALUES (?)",
                arguments: [logged.name])
            guard let number = try number(of: logged, db) else {
                throw TextIndexError(.io, "The log of changes could not be made.")
            }
            try checkTable(logged, number, db)
            if try !hasFollowed(db) {
                try db.execute(sql: "ALTER TABLE grdb_textsearch_source ADD COLUMN followed TEXT")
            }
            try db.execute(
                sql:
                    "UPDATE grdb_textsearch_source SET followed = ? WHERE number = ? AND followed IS NOT ?",
                arguments: [logged.table, number, logged.table])
            let wanted = try triggers(logged, shape, number: number, db)
            let stored = try storedTriggers(number: number, db)
            guard stored != wanted else { return shape.unwatchedIndexes }
            for name in stored.keys.sorted() {
                try db.execute(sql: "DROP TRIGGER \(quoted(name))")
            }
            for trigger in wanted.sorted(by: { $0.key < $1.key }) {
                try db.execute(sql: trigger.value)
            }
            try db.execute(
                sql: "UPDATE grdb_textsearch_source SET epoch = random() WHERE number = ?",
                arguments: [number])
            return shape.unwatchedIndexes
        }

        /// Removes the triggers of a table, and all else with those of the last one.
        static func uninstall(_ logged: LoggedTable, _ db: Database) throws {
            guard try hasTables(db), let number = try number(of: logged, db) else { return }
            for name in try storedTriggers(number: number, db).keys.sorted() {
                try db.execute(sql: "DROP TRIGGER \(quoted(name))")
            }
            try db.execute(
                sql: "DELETE FROM grdb_textsearch_source WHERE number = ?", arguments: [number])
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_textsearch_source")
            guard count == 0 else { return }
            for table in ["log", "store", "source", "consumer"] {
                try db.execute(sql: "DROP TABLE \(prefix)\(table)")
            }
        }
    }
#endif
