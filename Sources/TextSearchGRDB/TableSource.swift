#if GRDB
    public import Foundation
    public import GRDB
    public import TextSearch
    import Synchronization

    /// A table of an SQLite database, as a source of changes.
    ///
    /// Triggers record the keys of changed rows in a log, in the transaction of the writer, so that
    /// no change is missed. That includes rows that REPLACE or a cascade deletes, other connections
    /// and other processes.
    ///
    /// **Thread safety**: may be used from any thread, but not within an access to the same
    /// database.
    public final class TableSource<Record: FetchableRecord & Sendable>: ChangeSource {
        /// The table, and what is indexed of it.
        public let definition: SearchDefinition<Record>
        /// How many rows of the log a consumer may be behind: a million. One that is further behind
        /// is given up, and reads everything anew when it comes back.
        public static var mostRetained: Int { 1_000_000 }

        private let writer: any DatabaseWriter
        private let reader: any DatabaseReader
        private let consumer: String
        private let place: String?
        /// The schema that was found to have all triggers.
        private let known = Mutex<Known?>(nil)

        /// What was found in the schema, as long as its version is the same.
        private struct Known: Sendable {
            var schemaVersion: Int32
            var shape: TableShape
            /// Nil where triggers are missing.
            var installation: ChangeLog.Installation?
        }

        /// Creates a source. It reads and writes nothing yet.
        ///
        /// - Parameters:
        ///   - writer: the database.
        ///   - reader: where to read from, such as a pool's own; nil for the writer.
        ///   - definition: the table.
        ///   - consumer: what distinguishes this index from others of the same table, in the
        ///     database.
        ///   - place: where the index lies; the database keeps it for whoever looks
        ///     (``LogConsumer``). Nil unless set.
        public init(
            _ writer: any DatabaseWriter, reader: (any DatabaseReader)? = nil,
            _ definition: SearchDefinition<Record>, consumer: String = "default",
            place: URL? = nil
        ) {
            self.writer = writer
            self.place = place?.standardizedFileURL.path
            self.reader = reader ?? writer
            self.definition = definition
            self.consumer = "\(definition.name) \(consumer)"
        }

        /// Throws where the table cannot be followed; nothing is written.
        ///
        /// - Throws: ``TextSearch/TextIndexError``: `.invalidArgument` for a table that is not
        ///   there, has no primary key or not all of the columns; `.unsupportedFormat` for a log
        ///   that a newer version made. What the database throws.
        /// - Returns: The names of unique indexes over expressions, of those over a column whose
        ///   default is an expression, and of triggers that change the row they run before. A row
        ///   that REPLACE deletes because of one of them stays in the index.
        @discardableResult
        public func check() throws -> [String] {
            try reader.read { try ChangeLog.check(definition.logged, $0) }
        }

        // MARK: Position

        /// A random number of the database, made with the log, and the name of the definition.
        public var storeIdentifier: String {
            get throws { try reading { _, found in storeIdentifier(found) } }
        }

        private func storeIdentifier(_ installation: ChangeLog.Installation) -> String {
            "\(installation.store) \(definition.name)"
        }

        /// Makes the log and the triggers if they are missing, and returns the end of the log.
        public func currentPosition() throws -> SourcePosition {
            let (position, isRegistered) = try reading { db, installation in
                try lastPosition(db, installation).map {
                    ($0, try isKept(db, installation))
                }
            }
            if !isRegistered { try keepHistory(from: position) }
            return position
        }

        /// Reads what the log has; makes it, and the triggers, if they are missing or `body` gives
        /// nil.
        private func reading<R>(
            _ body: (Database, ChangeLog.Installation) throws -> R?
        ) throws -> R {
            func read() throws -> R? {
                try reader.read { db in
                    try schema(db).installation.flatMap { try body(db, $0) }
                }
            }
            if let found = try read() { return found }
            _ = try writer.write { try ChangeLog.install(definition.logged, $0) }
            guard let found = try read() else { throw Self.historyLost }
            return found
        }

        /// Whether the log is kept for this index, and was seen to be of late.
        private func isKept(
            _ db: Database, _ installation: ChangeLog.Installation
        ) throws -> Bool {
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM grdb_textsearch_consumer
                        WHERE name = ? AND source = ? AND place IS ? AND seen > \(ChangeLog.now) - 3600)
                        """),
                arguments: [consumer, installation.number, place]) ?? false
        }

        /// Has the log kept from a position on for an index that has released nothing yet: others
        /// would delete what it reads next.
        private func keepHistory(from position: SourcePosition) throws {
            let (name, place, logged) = (consumer, place, definition.logged)
            try writer.write { db in
                guard let number = try ChangeLog.installation(of: logged, db)?.number else {
                    return
                }
                try db.execute(
                    sql: """
                        INSERT INTO grdb_textsearch_consumer VALUES (?, ?, ?, ?, \(ChangeLog.now))
                        ON CONFLICT DO UPDATE SET
                            source = excluded.source, place = excluded.place, seen = excluded.seen
                        """,
                    arguments: [name, Int64(clamping: position.ordinal), number, place])
                // Those of columns that it had before.
                try ChangeLog.dropUnused(logged.name, db)
            }
        }

        /// What the schema says of the table.
        private func schema(_ db: Database) throws -> Known {
            let version = try db.schemaVersion()
            if let known = known.withLock({ $0 }), known.schemaVersion == version { return known }
            // Another process may have changed it: statements that are kept have the columns of
            // before.
            db.clearSchemaCache()
            let logged = definition.logged
            let shape = try TableShape(logged, db)
            let found = Known(
                schemaVersion: version, shape: shape,
                installation: try ChangeLog.whole(logged, shape, db))
            if found.installation != nil { known.withLock { $0 = found } }
            return found
        }

        /// The end of the log; nil where somebody has emptied it, or used up its numbers.
        private func lastPosition(
            _ db: Database, _ installation: ChangeLog.Installation
        ) throws -> SourcePosition? {
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT seq, nonce FROM grdb_textsearch_log ORDER BY seq DESC LIMIT 1"))
            guard let row, row[0] <= ChangeLog.largestNumber else { return nil }
            return Self.position(
                row[0], Int64.fromDatabaseValue(row[1]) ?? 0, epoch: installation.epoch)
        }

        private static func position(
            _ number: Int64, _ nonce: Int64, epoch: Int64
        ) -> SourcePosition {
            var token = Data()
            for part in [nonce, epoch] {
                withUnsafeBytes(of: part.bigEndian) { token.append(contentsOf: $0) }
            }
            return SourcePosition(ordinal: UInt64(max(number, 0)), token: token)
        }

        private static var historyLost: TextIndexError {
            TextIndexError(
                .historyLost,
                "The log of the database does not go back to where the index stands.")
        }

        /// Whether the log has the row of a position, and the triggers are those of its time.
        private func isKnown(
            _ position: SourcePosition, _ db: Database, _ installation: ChangeLog.Installation
        ) throws -> Bool {
            let number = Int64(clamping: position.ordinal)
            let nonce = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT nonce FROM grdb_textsearch_log WHERE seq = ?"),
                arguments: [number])
            guard let nonce else { return false }
            return Self.position(number, nonce, epoch: installation.epoch) == position
        }

        // MARK: Reading

        /// Reads the log after a position, and each row that it names as it is now, in one short
        /// read.
        public func changes(
            after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<Record> {
            guard let slice = try slice(of: nil, after: position, limit) else {
                throw Self.historyLost
            }
            return slice
        }

        /// Reads the log after a position, as ``changes(after:limit:)`` does, in one short read.
        public func changes(
            of store: String, after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<Record>? {
            try slice(of: store, after: position, limit)
        }

        /// What the log has after a position; nil where the store is another one than is named.
        private func slice(
            of store: String?, after position: SourcePosition, _ limit: SliceLimit
        ) throws -> ChangeSlice<Record>? {
            try reader.read { db in
                let schema = try schema(db)
                guard let installation = schema.installation else { throw Self.historyLost }
                if let store, store != storeIdentifier(installation) { return nil }
                guard let last = try lastPosition(db, installation) else {
                    throw Self.historyLost
                }
                if last == position {
                    return ChangeSlice([], position: last, isLast: true)
                }
                guard try isKnown(position, db, installation) else { throw Self.historyLost }
                var slice = TableSlice<Record>(schema.shape.key, definition, db)
                let end = try slice.readLog(
                    after: Int64(clamping: position.ordinal), of: installation.number, limit)
                let isLast = end?.isLast ?? true
                let next =
                    if let end, !isLast {
                        Self.position(end.number, end.nonce, epoch: installation.epoch)
                    } else {
                        last
                    }
                return ChangeSlice(
                    slice.objects, position: next, isLast: isLast,
                    skippedCount: slice.skippedCount)
            }
        }

        /// How many changes of the table the log has after a position: how far an index is behind
        /// that has come so far (``TextSearch/TextIndex/followedState(named:)``). Writes nothing,
        /// so that the database may be opened to be read only.
        ///
        /// Complexity: linear in the rows of the log.
        ///
        /// - Parameter position: a position of this source.
        /// - Returns: The number; a row that has changed twice counts twice.
        /// - Throws: ``TextSearch/TextIndexError``: `.historyLost` where the log does not know the
        ///   position, or where triggers are missing; `.invalidArgument` where the table is gone.
        ///   What the database throws.
        public func changeCount(after position: SourcePosition) throws -> Int {
            try reader.read { db in
                guard let installation = try schema(db).installation,
                    try isKnown(position, db, installation)
                else { throw Self.historyLost }
                return try Int.fetchOne(
                    db,
                    sql: "SELECT count(*) FROM grdb_textsearch_log WHERE seq > ? AND source = ?",
                    arguments: [Int64(clamping: position.ordinal), installation.number]) ?? 0
            }
        }

        /// Reads rows in the order of their keys.
        public func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<
            Record
        > {
            try reader.read { db in
                let shape = try schema(db).shape
                var slice = TableSlice<Record>(shape.key, definition, db)
                let key = shape.key.map(ChangeLog.quoted)
                var conditions = key.map { "\($0) IS NOT NULL" }
                if !shape.hasIntegerKey {
                    conditions += key.map { "NOT (\(Self.hasZero($0)))" }
                }
                var arguments: [DatabaseValue] = []
                if let identifier {
                    guard let start = RowKey(identifier, columnCount: key.count) else {
                        throw Self.historyLost
                    }
                    let places = key.map { _ in "?" }.joined(separator: ", ")
                    conditions.append("(\(key.joined(separator: ", "))) > (\(places))")
                    arguments = start.values
                } else if !shape.hasIntegerKey {
                    slice.skippedCount = try unreadableRows(key, db)
                }
                let condition = conditions.joined(separator: " AND ")
                let order = key.joined(separator: ", ")
                if let request = definition.request {
                    return try slice.read(
                        request.filter(sql: condition, arguments: StatementArguments(arguments))
                            .order(sql: order), limit)
                }
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT * FROM \(ChangeLog.quoted(definition.table))
                        WHERE \(condition) ORDER BY \(order)
                        """)
                return try slice.read(statement, StatementArguments(arguments), limit)
            }
        }

        /// SQL for texts with a zero byte: what follows it is not read.
        private static func hasZero(_ column: String) -> String {
            "typeof(\(column)) = 'text' AND instr(\(column), char(0))"
        }

        private func unreadableRows(_ key: [String], _ db: Database) throws -> Int {
            let conditions = key.map { "\($0) IS NULL OR \(Self.hasZero($0))" }
                .joined(separator: " OR ")
            return try Int.fetchOne(
                db,
                sql:
                    "SELECT count(*) FROM \(ChangeLog.quoted(definition.table)) WHERE \(conditions)"
            ) ?? 0
        }

        /// Reads rows by their keys.
        public func objects(
            withIdentifiers identifiers: [Data]
        ) throws -> [SourceObject<Record>] {
            try reader.read { db in
                let shape = try schema(db).shape
                var slice = TableSlice<Record>(shape.key, definition, db)
                for identifier in identifiers {
                    if let key = RowKey(identifier, columnCount: shape.key.count) {
                        try slice.lookUp(key, as: identifier)
                    } else {
                        slice.objects.append(SourceObject(identifier, nil))
                    }
                }
                return slice.objects
            }
        }

        // MARK: History

        /// Deletes what no index of the database needs any more. The row of the oldest position
        /// stays.
        public func release(through position: SourcePosition) throws {
            let isReleased = try writer.write { db in
                // A copy that was put back since may never have come so far.
                guard try ChangeLog.isReadable(db),
                    let installation = try ChangeLog.installation(of: definition.logged, db),
                    try isKnown(position, db, installation)
                else { return false }
                try db.execute(
                    sql: """
                        INSERT INTO grdb_textsearch_consumer VALUES (?, ?, ?, ?, \(ChangeLog.now))
                        ON CONFLICT DO UPDATE SET seq = excluded.seq, seen = excluded.seen
                        """,
                    arguments: [
                        consumer, Int64(clamping: position.ordinal), installation.number, place,
                    ])
                try db.execute(
                    sql: """
                        DELETE FROM grdb_textsearch_consumer
                        WHERE seq < (SELECT max(seq) FROM grdb_textsearch_log) - ? AND name <> ?
                        """, arguments: [Self.mostRetained, consumer])
                if db.changesCount > 0 { try ChangeLog.dropUnused(nil, db) }
                return true
            }
            guard isReleased else { return }
            while try writer.write({ try ChangeLog.hasTables($0) && ChangeLog.trim($0) }) {}
        }

        /// Calls a function after commits of this writer that changed the table. Other commits are
        /// found by polling.
        public func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation {
            let observer = LogObserver(body)
            writer.add(transactionObserver: observer, extent: .observerLifetime)
            return ChangeObservation { [writer] in writer.remove(transactionObserver: observer) }
        }

        /// Tells those who observe a request with ``GRDB/FilteredRequest/matching(_:in:)`` that it
        /// has other results.
        func notifyObservers() async throws {
            // In a transaction that takes no lock: another process may have it just now.
            try await writer.writeWithoutTransaction { db in
                try db.inTransaction(.deferred) {
                    try db.notifyChanges(in: Table(ChangeLog.consumers))
                    return .commit
                }
            }
        }
    }
#endif
