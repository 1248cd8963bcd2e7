#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    /// The file of a database and the table in it that an index follows.
    struct FollowedDatabase {
        let path: String
        let table: IndexSettings.FollowedTable
        let columns: [String]
        private let queue: DatabaseQueue
        /// The file that was opened.
        private let file: Entry.Identity?

        /// How the command follows: it asks itself.
        static var options: FollowerOptions {
            var options = FollowerOptions()
            options.polling = nil
            // Rows of before have the path of the database in their contexts.
            options.version = 1
            return options
        }

        /// Opens the file; its journal mode stays as it is.
        ///
        /// - Throws: ``CommandError`` where there is no file; what the database throws, as where
        ///   the file is none.
        init(
            _ table: IndexSettings.FollowedTable, columns: [String], isReadOnly: Bool = false
        ) throws {
            path = table.database
            self.table = table
            self.columns = columns
            // Looked at before it is opened: a file that replaces it from now on is another one.
            file = Entry(Path(path))?.identity
            queue = try Self.open(path, isReadOnly: isReadOnly)
        }

        /// Opens the file of a database; its journal mode stays as it is.
        ///
        /// - Throws: ``CommandError`` where there is no file; what the database throws, as where
        ///   the file is none.
        static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
            guard let entry = Entry(Path(path)) else {
                throw CommandError("no file at \(path); name the file of an SQLite database")
            }
            guard entry.isFile else {
                throw CommandError("\(path) is no file; name the file of an SQLite database")
            }
            var configuration = Configuration()
            configuration.busyMode = .timeout(isReadOnly ? 1 : 10)
            configuration.readonly = isReadOnly
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // The first access reads the file.
            _ = try queue.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
            return queue
        }

        /// The absolute path of a database that was named.
        ///
        /// - Throws: ``CommandError`` for one that is not UTF-8.
        static func path(_ given: String) throws -> String {
            guard let path = Path(given).absolute().exactText else {
                throw CommandError("the path of the database must be UTF-8; rename it")
            }
            return path
        }

        /// Whether the file that was opened is the one at the path.
        ///
        /// - Throws: ``CommandError`` where there is no file.
        var isInPlace: Bool {
            get throws {
                guard let entry = Entry(Path(path)) else {
                    throw CommandError("no file at \(path)")
                }
                return entry.identity == file
            }
        }

        static func error(_ path: String, _ error: DatabaseError) -> CommandError {
            switch error.resultCode {
            case .SQLITE_NOTADB: CommandError("\(path) is no SQLite database")
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
                CommandError(
                    "\(path) cannot be written; following needs a log of changes in the database")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                CommandError("\(path) is locked by another program; try again when that has ended")
            case _ where error.message?.contains("Expression tree is too large") ?? false:
                CommandError(
                    "these are more columns than SQLite compares at once, about 1,000; name fewer")
            default: CommandError("\(path): \(error.message ?? "\(error.resultCode)")")
            }
        }

        /// What to say of an error of any kind.
        static func message(of error: any Error, _ path: String) -> String {
            CommandError.message(
                of: (error as? DatabaseError).map { Self.error(path, $0) } ?? error)
        }

        /// Whether another program holds the database.
        static func isHeld(_ error: DatabaseError) -> Bool {
            [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
        }

        /// Whether an error may be over later: another program holds the database, or a disk is
        /// full.
        static func isPassing(_ error: any Error) -> Bool {
            guard let error = error as? DatabaseError else { return false }
            let passing: [ResultCode] = [
                .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_SCHEMA, .SQLITE_FULL, .SQLITE_IOERR,
            ]
            return passing.contains(error.resultCode)
        }

        /// Whether an error is one of the file or of what is in it.
        static func isOfDatabase(_ error: any Error) -> Bool {
            error is DatabaseError || error is CommandError
        }

        /// The rows as records of the command.
        ///
        /// - Parameters:
        ///   - place: the folder of the index, which the database is told.
        ///   - onRead: told of rows that were read, of the bytes of text in them, and whether a
        ///     reading of all rows begins with them.
        /// - Returns: the rows, as a source.
        func rows(
            of place: URL? = nil,
            onRead: @escaping @Sendable (_ rows: Int, _ bytes: Int, _ isFirst: Bool) -> Void = {
                _, _, _ in
            }
        ) -> TableRows {
            let definition = SearchDefinition<TableRow>(
                table: table.table, columns: columns
            ) { _ in nil }
            // Indexes of the same columns have their triggers in common.
            return TableRows(
                source: TableSource(queue, definition, consumer: table.consumer, place: place),
                columns: columns, onRead: onRead)
        }

        /// How many rows the table has; nil where SQLite cannot count them, as by an index whose
        /// collation only another program has.
        func count() -> Int? {
            try? queue.read { db in
                try SQLRequest<Int>(literal: "SELECT count(*) FROM \(sql: quoted)").fetchOne(db)
            }
        }

        /// Whether the database is the one that a follower of the table has come from, wherever it
        /// lies. Writes nothing.
        func isOf(_ state: FollowedState) throws -> Bool {
            try queue.read { db in
                guard try db.tableExists("grdb_textsearch_store"),
                    let store = try String.fetchOne(
                        db, sql: "SELECT uuid FROM grdb_textsearch_store")
                else { return false }
                return state.storeIdentifier == "\(store) \(table.table)"
            }
        }

        private var quoted: String { "\"" + table.table.replacing("\"", with: "\"\"") + "\"" }

        func close() { try? queue.close() }

        /// Runs work that asks the database; its errors become those of the command.
        static func reporting<R>(_ path: String, _ body: () async throws -> R) async throws -> R {
            do { return try await body() } catch let error as DatabaseError {
                throw Self.error(path, error)
            }
        }
    }
#endif
