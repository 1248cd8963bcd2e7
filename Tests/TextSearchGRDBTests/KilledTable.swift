#if GRDB && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import PowerCuts
    import Synchronization
    import TextSearch
    import TextSearchGRDB

    /// A process that writes to a table, or follows it, or does both, until it is killed.
    struct KilledTable: Codable, Sendable {
        /// What a process does.
        enum Role: String, Codable, Sendable { case writer, follower, both }

        /// What is done wrong on purpose.
        enum Flaw: String, Codable, Sendable {
            case none
            /// Rows that REPLACE deletes are not looked for.
            case noBeforeTriggers
            /// The position is stored before the changes that it stands for.
            case positionFirst
        }

        /// Where a process is killed besides statements.
        enum Place: String, Codable, Sendable, CaseIterable {
            /// Between a commit and the wake-up of the follower.
            case afterCommit
            /// Amid the objects of a slice.
            case indexer
            /// The index has changes in its journal alone.
            case pending
            /// A flush is under way.
            case flush
            /// All rows are compared, since triggers were missing.
            case reconciling
            /// The index is emptied and filled again.
            case reset
        }

        var role = Role.both
        var flaw = Flaw.none
        var seed: UInt64
        /// Seconds until the process kills itself in any case.
        var lifetime = 10.0
        /// The beginning of the statement before which it is killed, or a place.
        var statement: String?
        var place: Place?
        /// At the how manieth time.
        var count = 1

        /// Does not return.
        func runUntilKilled(in path: String) async throws {
            let lifetime = lifetime
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: lifetime)
                kill(getpid(), SIGKILL)
            }
            do {
                try await run(in: URL(fileURLWithPath: path, isDirectory: true))
            } catch {
                try Data("\(error)".utf8).write(to: URL(fileURLWithPath: "\(path)/failure"))
                throw error
            }
        }

        private func run(in folder: URL) async throws {
            let killer = Killer(statement, count)
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            if statement != nil {
                configuration.prepareDatabase { db in
                    db.trace { event in
                        if case .statement(let statement) = event { killer.meet(statement.sql) }
                    }
                }
            }
            let pool = try DatabasePool(
                path: folder.appendingPathComponent("db.sqlite").path,
                configuration: configuration)
            try await pool.write { try Self.createMissing($0) }
            let commits = CommitKiller(killer)
            if place == .afterCommit {
                // Before the follower's own, which is told in this order.
                pool.add(transactionObserver: commits, extent: .databaseLifetime)
            }
            if role == .writer {
                var generator = SeededGenerator(seed: seed)
                while true { generator = try await written(pool, generator) }
            }
            try await follow(pool, folder.appendingPathComponent("index"), killer)
        }

        static func createMissing(_ db: Database) throws {
            if try !db.tableExists("note") { try createNotes(db) }
        }

        // MARK: Following

        private var options: FollowerOptions {
            var options = quietOptions
            options.slice.count = 20
            options.releaseInterval = 30
            options.polling = .milliseconds(5)
            return options
        }

        private func follow(
            _ pool: DatabasePool, _ directory: URL, _ killer: Killer
        ) async throws {
            if flaw == .positionFirst { return try await followEarly(pool, directory) }
            let isAtIndexer = place == .indexer
            let definition = SearchDefinition<Note>(columns: ["title", "body"]) { note in
                if isAtIndexer { killer.meet() }
                return try noteDefinition.indexer(note)
            }
            let notes = try SearchableTable(
                pool, index: directory, definition, options: options)
            var generator = SeededGenerator(seed: seed)
            guard place == nil || place == .afterCommit || place == .indexer else {
                return try await meetPlace(notes, pool, killer, &generator)
            }
            try notes.start()
            while true {
                if role == .both {
                    generator = try await written(pool, generator)
                } else {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }

        /// Gets to a place again and again, where the killer waits.
        private func meetPlace(
            _ notes: SearchableTable<Note>, _ pool: DatabasePool, _ killer: Killer,
            _ generator: inout SeededGenerator
        ) async throws {
            while true {
                for _ in 0..<generator.int(1...5) {
                    generator = try await written(pool, generator)
                }
                // Into the work that follows.
                let delay = Double.random(in: 0...0.01, using: &generator)
                switch place {
                case .pending:
                    try await notes.catchUp()
                    killer.meet()
                case .flush:
                    try await notes.catchUp()
                    killer.meet(after: delay / 5)
                    try await notes.index.flush()
                case .reconciling:
                    try await pool.write {
                        try $0.execute(sql: "DROP TRIGGER IF EXISTS grdb_textsearch_1_ad")
                    }
                    killer.meet(after: delay)
                    try await notes.catchUp()
                default:
                    killer.meet(after: delay)
                    try await notes.follower.reset()
                    try await notes.catchUp()
                }
            }
        }

        /// Stores positions before the changes that they stand for.
        private func followEarly(_ pool: DatabasePool, _ directory: URL) async throws {
            let index = try TextIndex<Note>(at: directory)
            index.indexer = { note, _ in try noteDefinition.indexer(note) }
            let source = EarlyPositions(TableSource(pool, noteDefinition))
            let follower = try IndexFollower(
                index, following: source, name: noteDefinition.name, options: options)
            var generator = SeededGenerator(seed: seed)
            while true {
                generator = try await written(pool, generator)
                try await follower.catchUp()
            }
        }

        // MARK: Writing

        private func written(
            _ pool: DatabasePool, _ generator: SeededGenerator
        ) async throws -> SeededGenerator {
            try await pool.write { [flaw] db in
                var generator = generator
                let triggers =
                    flaw == .noBeforeTriggers
                    ? try String.fetchAll(
                        db,
                        sql: """
                            SELECT sql FROM sqlite_master WHERE type = 'trigger'
                            AND name GLOB 'grdb_textsearch_1_b*'
                            """) : []
                if !triggers.isEmpty {
                    try db.execute(
                        sql: """
                            DROP TRIGGER grdb_textsearch_1_bi0; DROP TRIGGER grdb_textsearch_1_bu0
                            """)
                }
                let (id, slug) = (generator.int(0...300), "s\(generator.int(0...300))")
                let (title, body) = (generator.text(2), generator.text(5))
                try db.execute(
                    sql: "INSERT OR REPLACE INTO note VALUES (?, ?, 0, ?, ?)",
                    arguments: [id, slug, title, body])
                try db.execute(
                    sql: "DELETE FROM note WHERE id = ?", arguments: [(id &* 7) % 300])
                for trigger in triggers { try db.execute(sql: trigger) }
                return generator
            }
        }
    }

    /// Kills the process when something is met the next time, or a later one.
    final class Killer: Sendable {
        private let start: String?
        private let left: Mutex<Int>

        init(_ start: String?, _ count: Int) {
            self.start = start
            left = Mutex(count)
        }

        func meet(_ sql: String) {
            if let start, sql.hasPrefix(start) { meet() }
        }

        func meet() {
            if isNow { kill(getpid(), SIGKILL) }
        }

        /// Kills it amid what follows.
        func meet(after seconds: Double) {
            guard isNow else { return }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: seconds)
                kill(getpid(), SIGKILL)
            }
        }

        private var isNow: Bool {
            left.withLock { left in
                left -= 1
                return left == 0
            }
        }
    }

    /// Kills the process after a commit, before other observers are told.
    private final class CommitKiller: TransactionObserver, Sendable {
        private let killer: Killer

        init(_ killer: Killer) { self.killer = killer }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
            eventKind.tableName == "note"
        }

        func databaseDidChange(with event: DatabaseEvent) {}

        func databaseDidCommit(_ db: Database) { killer.meet() }

        func databaseDidRollback(_ db: Database) {}
    }

    /// A table whose positions come a call before the changes that they stand for.
    private final class EarlyPositions: ChangeSource {
        private let source: TableSource<Note>
        private let kept = Mutex<ChangeSlice<Note>?>(nil)

        init(_ source: TableSource<Note>) { self.source = source }

        var storeIdentifier: String { get throws { try source.storeIdentifier } }

        func currentPosition() throws -> SourcePosition { try source.currentPosition() }

        func changes(
            after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<Note> {
            if let late = kept.withLock({ $0.take() }) { return late }
            let slice = try source.changes(after: position, limit: limit)
            guard !slice.changes.isEmpty else { return slice }
            kept.withLock { $0 = slice }
            return ChangeSlice([], position: slice.position, isLast: true)
        }

        func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<Note> {
            try source.objects(after: identifier, limit: limit)
        }

        func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<Note>] {
            try source.objects(withIdentifiers: identifiers)
        }

        func release(through position: SourcePosition) throws {
            try source.release(through: position)
        }
    }
#endif
