#if GRDB
    public import Foundation
    public import GRDB
    import TextSearch

    /// An index that a database keeps its log of changes for.
    ///
    /// The log is kept from the place of the slowest index on. An index that was deleted is not
    /// known to be: its part of the log stays, until it is forgotten here. Another index of the
    /// database gives it up once it is ``TableSource/mostRetained`` rows behind.
    ///
    /// ```swift
    /// for consumer in try database.read(LogConsumer.all) where consumer.place == deleted.path {
    ///     try database.write { try LogConsumer.forget(consumer.name, $0) }
    /// }
    /// ```
    public struct LogConsumer: Sendable, Hashable {
        /// What distinguishes it in the database.
        public let name: String
        /// The table that it follows.
        public let table: String
        /// The folder of the index; nil where it was not named.
        public let place: String?
        /// When it last had the log kept or released, to about an hour.
        public let lastSeen: Date
        /// How many rows of the log are kept for it, at least one. An index that has caught up
        /// releases them once in a while (``TextSearch/FollowerOptions/releaseInterval``).
        public let keptCount: Int

        /// Returns all consumers of a database, by their names. Writes nothing.
        ///
        /// Complexity: linear in the rows of the log, for each consumer.
        ///
        /// - Parameter db: the database.
        /// - Returns: The consumers; none where there is no log.
        /// - Throws: `.unsupportedFormat` for a log that a newer version made. What the database
        ///   throws.
        public static func all(_ db: Database) throws -> [LogConsumer] {
            guard try ChangeLog.isReadable(db) else { return [] }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT consumer.name, followed, place, seen,
                        (SELECT count(*) FROM grdb_textsearch_log AS log WHERE log.seq >= consumer.seq)
                    FROM grdb_textsearch_consumer AS consumer
                    JOIN grdb_textsearch_source ON number = source ORDER BY consumer.name
                    """)
            // Any program may have written there.
            return rows.map { row in
                LogConsumer(
                    name: String.fromDatabaseValue(row[0]) ?? "",
                    table: String.fromDatabaseValue(row[1]) ?? "",
                    place: String.fromDatabaseValue(row[2]),
                    lastSeen: Date(
                        timeIntervalSince1970: Double.fromDatabaseValue(row[3]) ?? 0),
                    keptCount: Int.fromDatabaseValue(row[4]) ?? 1)
            }
        }

        /// Forgets a consumer: nothing is kept for it any more. With the last consumer of a
        /// definition its triggers go, with the last of all the log.
        ///
        /// An index that is still in use registers again when it next catches up, and compares all
        /// rows if something was trimmed meanwhile.
        ///
        /// - Parameters:
        ///   - name: the name of the consumer.
        ///   - db: the database, in a transaction.
        /// - Returns: Whether there was one of that name.
        /// - Throws: As ``all(_:)`` does.
        @discardableResult
        public static func forget(_ name: String, _ db: Database) throws -> Bool {
            guard try ChangeLog.isReadable(db) else { return false }
            let number = try Int64.fetchOne(
                db, sql: "SELECT source FROM grdb_textsearch_consumer WHERE name = ?",
                arguments: [name])
            guard let number else { return false }
            try db.execute(
                sql: "DELETE FROM grdb_textsearch_consumer WHERE name = ?", arguments: [name])
            let definition = try String.fetchOne(
                db, sql: "SELECT name FROM grdb_textsearch_source WHERE number = ?",
                arguments: [number])
            if let definition { try ChangeLog.dropUnused(definition, db) }
            if try ChangeLog.hasTables(db) { while try ChangeLog.trim(db) {} }
            return true
        }
    }
#endif
