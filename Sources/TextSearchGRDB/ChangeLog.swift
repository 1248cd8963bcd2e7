#if GRDB
    import GRDB

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
    ///    name. Definitions of one name with other columns each have triggers of their own.
    /// 6. A consumer is an index: the log is kept from its place on. With the last consumer of a
    ///    definition its triggers may go.
    /// 7. All names begin with `grdb_`, which GRDB's migrations leave alone.
    enum ChangeLog {
        static let prefix = "grdb_textsearch_"
        static let log = "grdb_textsearch_log"
        static let consumers = "grdb_textsearch_consumer"
        /// The form of the tables below. Stored; never renumber.
        static let layout = 2

        static let tables = """
            CREATE TABLE IF NOT EXISTS grdb_textsearch_log(
                seq INTEGER PRIMARY KEY, source INTEGER NOT NULL, k0, k1, k2, k3,
                nonce INTEGER NOT NULL DEFAULT (random()));
            CREATE TABLE IF NOT EXISTS grdb_textsearch_store(
                id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL, layout INTEGER NOT NULL);
            CREATE TABLE IF NOT EXISTS grdb_textsearch_source(
                number INTEGER PRIMARY KEY, name TEXT NOT NULL, columns TEXT NOT NULL,
                epoch INTEGER NOT NULL DEFAULT (random()), followed TEXT NOT NULL,
                UNIQUE (name, columns));
            CREATE TABLE IF NOT EXISTS grdb_textsearch_consumer(
                name TEXT PRIMARY KEY, seq INTEGER NOT NULL, source INTEGER NOT NULL, place TEXT,
                seen INTEGER NOT NULL);
            """

        /// Seconds since 1970, in SQL of any version.
        static let now = "CAST(strftime('%s', 'now') AS INTEGER)"

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
            let watched = shape.key + logged.columns
            let (columns, changed) = (shape.clause(of: watched), shape.isChanged(watched))
            var triggers = [
                "ai": "AFTER INSERT ON \(table) BEGIN \(insert("NEW")) END",
                "ad": "AFTER DELETE ON \(table) BEGIN \(insert("OLD")) END",
                "au":
                    "AFTER UPDATE\(columns) ON \(table) WHEN \(changed) BEGIN \(insert("NEW")) END",
                "ak":
                    "AFTER UPDATE\(shape.clause(of: shape.key)) ON \(table) WHEN \(shape.isChanged(shape.key)) BEGIN \(insert("OLD")) END",
            ]
            // What REPLACE deletes fires no trigger: who is in the way is looked for before.
            for (place, index) in shape.uniqueIndexes.enumerated() {
                let same = index.isInTheWay
                let other = key.map { "\($0) IS NOT OLD.\($0) COLLATE BINARY" }
                    .joined(separator: " OR ")
                let select =
                    "INSERT INTO \(log)(source, \(names)) SELECT \(number), \(key.joined(separator: ", ")) FROM \(table) WHERE \(same)"
                let unique = shape.clause(of: index.columns.map(\.name))
                triggers["bi\(place)"] = "BEFORE INSERT ON \(table) BEGIN \(select); END"
                triggers["bu\(place)"] =
                    "BEFORE UPDATE\(unique) ON \(table) BEGIN \(select) AND (\(other)); END"
            }
            for (suffix, body) in shape.rowNumberTriggers(
                on: table,
                { same in
                    "INSERT INTO \(log)(source, \(names)) SELECT \(number), \(key.joined(separator: ", ")) FROM \(table) WHERE \(same);"
                })
            { triggers[suffix] = body }
            return Dictionary(
                uniqueKeysWithValues: triggers.map { suffix, body in
                    let name = "\(prefix)\(number)_\(suffix)"
                    return (name, "CREATE TRIGGER \(quoted(name)) \(body)")
                })
        }

        static func storedTriggers(
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
    }
#endif
