#if GRDB
    import GRDB
    import TextSearch

    extension ChangeLog {
        /// What a definition has in a database.
        struct Installation: Sendable {
            /// That of the log.
            var store: String
            /// That of the triggers.
            var number: Int64
            var epoch: Int64
        }

        /// What a definition has in a database, whatever its triggers are; nil where that is
        /// nothing.
        static func installation(
            of logged: LoggedTable, _ db: Database
        ) throws -> Installation? {
            try Row.fetchOne(
                db,
                sql: """
                    SELECT uuid, number, epoch FROM grdb_textsearch_store, grdb_textsearch_source
                    WHERE name = ? AND columns = ?
                    """, arguments: [logged.name, logged.signature]
            ).map { row in
                // Any program may have written there.
                guard let store = String.fromDatabaseValue(row[0]),
                    let number = Int64.fromDatabaseValue(row[1]),
                    let epoch = Int64.fromDatabaseValue(row[2])
                else {
                    throw TextIndexError(
                        .corrupted,
                        """
                        The tables of the log of changes hold what this library did not write; uninstall the log, and follow anew.
                        """)
                }
                return Installation(store: store, number: number, epoch: epoch)
            }
        }

        /// The same where the log is there and all triggers are what they should be; nil otherwise.
        static func whole(
            _ logged: LoggedTable, _ shape: TableShape, _ db: Database
        ) throws -> Installation? {
            guard try isReadable(db), let found = try installation(of: logged, db),
                try storedTriggers(number: found.number, db)
                    == triggers(logged, shape, number: found.number, db)
            else { return nil }
            return found
        }

        static func hasTables(_ db: Database) throws -> Bool {
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN
                    ('grdb_textsearch_log', 'grdb_textsearch_store', 'grdb_textsearch_source', 'grdb_textsearch_consumer')
                    """) == 4
        }

        /// Whether there is a log of the present form.
        ///
        /// - Throws: `.unsupportedFormat` where a newer version made it.
        static func isReadable(_ db: Database) throws -> Bool {
            guard try hasTables(db) else { return false }
            return try checkedLayout(db) == layout
        }

        /// Throws where a table cannot be logged.
        ///
        /// - Returns: Indexes and triggers because of which a row may be missed.
        static func check(_ logged: LoggedTable, _ db: Database) throws -> [String] {
            let shape = try TableShape(logged, db)
            _ = try triggers(logged, shape, number: 0, db)
            if try isReadable(db) { try checkTable(logged, db) }
            return shape.unwatched
        }

        /// Throws where a definition of this name follows another table: whoever reads what one of
        /// them has would take it for that of the other.
        private static func checkTable(_ logged: LoggedTable, _ db: Database) throws {
            let numbers = try Int64.fetchAll(
                db,
                sql:
                    "SELECT number FROM grdb_textsearch_source WHERE name = ? AND followed <> ? COLLATE NOCASE",
                arguments: [logged.name, logged.table])
            for number in numbers {
                // A table that was renamed has its triggers still; one that is gone has none.
                let holder = try String.fetchOne(
                    db,
                    sql: "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = ?",
                    arguments: ["\(prefix)\(number)_ai"])
                guard let holder, SQLName(holder) != SQLName(logged.table) else { continue }
                throw TextIndexError(
                    .invalidArgument,
                    """
                    A definition with the name "\(logged.name)" follows the table "\(holder)" in this database; give that of \
                    "\(logged.table)" another name, or uninstall the other one.
                    """)
            }
        }

        private static func checkedLayout(_ db: Database) throws -> Int {
            let found =
                try Int.fetchOne(db, sql: "SELECT layout FROM grdb_textsearch_store") ?? layout
            guard found <= layout else {
                throw TextIndexError(
                    .unsupportedFormat,
                    "The log of changes was made by a newer version of this library, with layout \(found); this one knows \(layout)."
                )
            }
            return found
        }

        /// Brings log and triggers to what they should be; in a transaction.
        ///
        /// - Returns: Indexes and triggers because of which a row may be missed.
        @discardableResult
        static func install(_ logged: LoggedTable, _ db: Database) throws -> [String] {
            let shape = try TableShape(logged, db)
            // One of an earlier form is made anew; its indexes compare all rows.
            if try hasTables(db), try checkedLayout(db) < layout { try dropAll(db) }
            try db.execute(sql: tables)
            try db.execute(
                sql:
                    "INSERT OR IGNORE INTO grdb_textsearch_store VALUES (1, lower(hex(randomblob(16))), ?)",
                arguments: [layout])
            try makeNumbers(db)
            // Something has to be there that a position can name.
            try db.execute(
                sql: "INSERT INTO \(log)(source) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM \(log))")
            try checkTable(logged, db)
            try db.execute(
                sql: """
                    INSERT INTO grdb_textsearch_source(name, columns, followed) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET followed = excluded.followed
                    """, arguments: [logged.name, logged.signature, logged.table])
            guard let number = try installation(of: logged, db)?.number else {
                throw TextIndexError(.io, "The log of changes could not be made.")
            }
            let wanted = try triggers(logged, shape, number: number, db)
            guard try storedTriggers(number: number, db) != wanted else {
                return shape.unwatched
            }
            try dropTriggers(number: number, db)
            for trigger in wanted.sorted(by: { $0.key < $1.key }) {
                try db.execute(sql: trigger.value)
            }
            try db.execute(
                sql: "UPDATE grdb_textsearch_source SET epoch = random() WHERE number = ?",
                arguments: [number])
            return shape.unwatched
        }

        /// The largest number of a row: SQLite numbers those after the largest of all at random.
        static let largestNumber: Int64 = 1 << 62

        /// Deletes rows whose numbers leave none for the next ones. What was logged since may have
        /// any number: all is compared.
        private static func makeNumbers(_ db: Database) throws {
            try db.execute(
                sql: "DELETE FROM \(log) WHERE seq > ?", arguments: [largestNumber])
            guard db.changesCount > 0 else { return }
            try db.execute(sql: "UPDATE grdb_textsearch_source SET epoch = random()")
        }

        // MARK: Removing

        private static func dropTriggers(number: Int64, _ db: Database) throws {
            for name in try storedTriggers(number: number, db).keys.sorted() {
                try db.execute(sql: "DROP TRIGGER \(quoted(name))")
            }
        }

        private static func dropAll(_ db: Database) throws {
            let names = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?",
                arguments: ["\(prefix)[0-9]*_*"])
            for name in names { try db.execute(sql: "DROP TRIGGER \(quoted(name))") }
            for table in ["log", "store", "source", "consumer"] {
                try db.execute(sql: "DROP TABLE \(prefix)\(table)")
            }
        }

        /// Removes the triggers of a definition, whatever its columns were, and all else with those
        /// of the last one.
        static func uninstall(_ logged: LoggedTable, _ db: Database) throws {
            guard try hasTables(db) else { return }
            guard try isReadable(db) else { return try dropAll(db) }
            try drop(
                try Int64.fetchAll(
                    db, sql: "SELECT number FROM grdb_textsearch_source WHERE name = ?",
                    arguments: [logged.name]), db)
        }

        /// Removes triggers that no consumer reads the log for: those of a definition of this name,
        /// or all where it is nil.
        static func dropUnused(_ name: String?, _ db: Database) throws {
            let unused = try Int64.fetchAll(
                db,
                sql: """
                    SELECT number FROM grdb_textsearch_source
                    WHERE number NOT IN (SELECT source FROM grdb_textsearch_consumer)
                    AND (?1 IS NULL OR name = ?1)
                    """, arguments: [name])
            if !unused.isEmpty { try drop(unused, db) }
        }

        private static func drop(_ numbers: [Int64], _ db: Database) throws {
            for number in numbers {
                try dropTriggers(number: number, db)
                try db.execute(
                    sql: "DELETE FROM grdb_textsearch_source WHERE number = ?",
                    arguments: [number])
                try db.execute(
                    sql: "DELETE FROM grdb_textsearch_consumer WHERE source = ?",
                    arguments: [number])
            }
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_textsearch_source")
            if count == 0 { try dropAll(db) }
        }

        /// Rows of the log that are deleted at once: other writers wait meanwhile.
        private static let mostTrimmed = 20_000

        /// Deletes what no consumer reads any more, the oldest first; the last row stays, since
        /// positions name it.
        ///
        /// - Returns: Whether there may be more to delete.
        static func trim(_ db: Database) throws -> Bool {
            try db.execute(
                sql: """
                    DELETE FROM grdb_textsearch_log WHERE seq < min(
                        coalesce(
                            (SELECT min(seq) FROM grdb_textsearch_consumer),
                            (SELECT max(seq) FROM grdb_textsearch_log)),
                        (SELECT min(seq) FROM grdb_textsearch_log) + \(mostTrimmed))
                    """)
            return db.changesCount == mostTrimmed
        }
    }
#endif
