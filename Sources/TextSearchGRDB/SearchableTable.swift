#if GRDB
    public import Foundation
    public import GRDB
    public import TextSearch
    import Synchronization

    /// A table of an SQLite database with a full-text index beside it, which is kept up to date
    /// whoever writes.
    ///
    /// ```swift
    /// let notes = try SearchableTable(
    ///     database, index: directory,
    ///     SearchDefinition<Note>(columns: ["title", "body"]) { note in
    ///         IndexedObject(strings: [note.title, note.body])
    ///     })
    /// try notes.start()
    /// for hit in try await notes.search("pekin duck").hits { print(hit.record.title) }
    /// ```
    ///
    /// Writers pay for a row in a log, in their own transaction. The index reads the log after the
    /// commit, so a write is searchable a moment later; ``catchUp()`` waits for that. The index
    /// belongs to one process, while others may write to the database.
    ///
    /// **Thread safety**: may be used from any thread. Do not call ``start()`` or the initializer
    /// within an access to the database.
    public final class SearchableTable<Record: FetchableRecord & TableRecord & Sendable>: Sendable {
        /// The index. Its objects are the records; its identifiers are made of primary keys.
        public let index: TextIndex<Record>
        /// The follower that keeps the index up to date.
        public let follower: IndexFollower<TableSource<Record>>
        /// The table, and what is indexed of it.
        public let definition: SearchDefinition<Record>

        /// The names of unique indexes over expressions, of those over a column whose default is
        /// one, and of triggers that change the row that they run before: no trigger can look for
        /// the row that REPLACE deletes because of them. It stays in the index;
        /// ``TextSearch/IndexFollower/drift(sample:)`` finds it.
        public let unwatchedIndexes: [String]

        let reader: any DatabaseReader
        private let notifying: Mutex<Task<Void, Never>?>
        /// The columns of the primary key.
        let key: [String]

        /// Opens the index of a table, and makes the log in the database if it is missing.
        ///
        /// - Parameters:
        ///   - writer: the database.
        ///   - reader: where to read from; nil for the writer.
        ///   - directory: a folder that belongs to the index alone.
        ///   - definition: the table, and what is indexed of it.
        ///   - configuration: how to analyse text.
        ///   - options: how to follow; their version counts together with the definition's.
        /// - Throws: ``TextIndexError``: `.invalidArgument` for a table without a primary key, or
        ///   without a column that is named; `.unsupportedFormat` for a database whose log a newer
        ///   version made; otherwise as opening an index does. What the database throws.
        public init(
            _ writer: any DatabaseWriter, reader: (any DatabaseReader)? = nil,
            index directory: URL, _ definition: SearchDefinition<Record>,
            configuration: TextIndexConfiguration = .init(), options: FollowerOptions = .init()
        ) throws {
            // Before an index is made for it.
            unwatchedIndexes = try TableSource(writer, reader: reader, definition).check()
            self.reader = reader ?? writer
            self.definition = definition
            key = try self.reader.read { try TableShape(definition.logged, $0).key }
            index = try TextIndex(at: directory, configuration: configuration)
            // Each index of a table has its own place in the log.
            let source = TableSource(
                writer, reader: reader, definition,
                consumer: try index.identity.map { String(format: "%02x", $0) }.joined(),
                place: directory)
            _ = try source.currentPosition()
            index.indexer = { record, _ in try definition.indexer(record) }
            index.objectGetter = { identifier in
                try source.objects(withIdentifiers: [identifier]).first?.object
            }
            var options = options
            options.version = options.version &* 65_537 &+ definition.version
            follower = try IndexFollower(
                index, following: source, name: definition.name, options: options)
            let updates = follower.updates
            notifying = Mutex(
                Task {
                    for await _ in updates { try? await source.notifyObservers() }
                })
        }

        deinit { notifying.withLock { $0 }?.cancel() }

        // MARK: Following

        /// Starts to follow the table; see ``TextSearch/IndexFollower/start()``.
        ///
        /// - Throws: What the database throws.
        public func start() throws { try follower.start() }

        /// Stops following the table; see ``TextSearch/IndexFollower/stop()``.
        public func stop() async { await follower.stop() }

        /// Waits until everything committed before is searchable; see
        /// ``TextSearch/IndexFollower/catchUp()``.
        ///
        /// - Returns: What was done.
        /// - Throws: ``TextIndexError``; what the database throws.
        @discardableResult
        public func catchUp() async throws -> FollowerReport { try await follower.catchUp() }

        /// Stops following and closes the index.
        ///
        /// - Throws: ``TextIndexError`` if the last writes failed.
        public func close() async throws {
            await follower.stop()
            notifying.withLock { $0 }?.cancel()
            try await index.shutdown()
        }

        // MARK: Migrations

        /// Makes the log and the triggers of a table. Call it in a migration, or leave it to the
        /// initializer.
        ///
        /// A migration that makes the table anew drops its triggers, so call this at its end.
        /// Writes in between are noticed, and the index compares all rows.
        ///
        /// - Parameters:
        ///   - db: the database, in a transaction.
        ///   - definition: the table.
        /// - Returns: The names of unique indexes over expressions. Rows that REPLACE deletes
        ///   because of them are missed; only ``TextSearch/IndexFollower/drift(sample:)`` finds
        ///   them.
        /// - Throws: As the initializer does.
        @discardableResult
        public static func install(
            _ db: Database, _ definition: SearchDefinition<Record>
        ) throws -> [String] {
            try ChangeLog.install(definition.logged, db)
        }

        /// Removes the triggers of a definition, whatever its columns were, and with those of the
        /// last one the log. The index stays as it is.
        ///
        /// - Parameters:
        ///   - db: the database, in a transaction.
        ///   - definition: the table; it may be gone.
        /// - Throws: What the database throws.
        public static func uninstall(
            _ db: Database, _ definition: SearchDefinition<Record>
        ) throws {
            try ChangeLog.uninstall(definition.logged, db)
        }
    }

    /// A row that a search found.
    public struct SearchHit<Record: Sendable>: Sendable {
        /// The row as it is now.
        public let record: Record
        /// What the index says of it: score, snippets, highlights.
        public let item: SearchResultItem<Record>
    }

    /// Rows that a search found, best first.
    public struct SearchPage<Record: Sendable>: Sendable {
        /// The rows.
        public internal(set) var hits: [SearchHit<Record>] = []
        /// Whether there may be more rows after the page.
        public internal(set) var mayHaveMore = false
    }
#endif
