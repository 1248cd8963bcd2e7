#if GRDB
    import ArgumentParser
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    extension FollowCommand {
        func follow() async throws {
            let path = try FollowedDatabase.path(database)
            let publication = try publish.map(IndexPlace.publication)
            // Before an index is made for it.
            let stored = try IndexSettings.load(from: location.path)
            let contents = IndexPlace.contents(of: try IndexPlace.absolute(location.path))
            if contents == .published { throw IndexPlace.isReadOnly(location.path) }
            let named = try named(stored)
            let probe = IndexSettings.FollowedTable(
                database: path, table: named.table, consumer: "")
            try await FollowedDatabase.reporting(path) {
                let database = try FollowedDatabase(probe, columns: named.columns)
                defer { database.close() }
                for name in try database.rows().source.check() {
                    Console.report(
                        "warning: \(name) cannot be watched, since it is a unique index over an "
                            + "expression, or a trigger that changes the row it runs before; a row "
                            + "that REPLACE deletes because of it stays in the index until textindex "
                            + "drift --repair")
                }
            }
            // What was made in vain would say that it follows the table.
            var isUnused = false
            defer { if isUnused { try? TextIndex<Record>.destroy(at: place()) } }
            try await FollowedDatabase.reporting(path) {
                try await IndexFolder.use(
                    creating: location, largestText: TextIndexConfiguration().maximumTextLength,
                    settings: { try settings($0, named, path) }
                ) { folder in
                    do {
                        try await follow(path, in: folder, publishing: publication)
                    } catch {
                        // Who interrupts it goes on later.
                        if !(error is ExitCode), [.missing, .empty].contains(contents) {
                            isUnused = (try? await Self.forgetUnused(folder)) ?? false
                        }
                        throw error
                    }
                }
            }
        }

        /// Whether an index has nothing, so that it may go: the database is told, and the index is
        /// no longer that of a table.
        private static func forgetUnused(_ folder: IndexFolder) async throws -> Bool {
            guard let followed = folder.settings.followed, folder.index.count == 0,
                try folder.index.followedState() == nil
            else { return false }
            let reader = try FollowedDatabase.open(followed.database, isReadOnly: true)
            defer { try? reader.close() }
            let consumers = try await reader.read { try LogConsumer.all($0) }
            if consumers.contains(where: { $0.name == followed.consumer }) {
                let writer = try FollowedDatabase.open(followed.database, isReadOnly: false)
                defer { try? writer.close() }
                _ = try await writer.write { try LogConsumer.forget(followed.consumer, $0) }
            }
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(IndexSettings.fileName)")
            return true
        }

        /// What is followed.
        private struct Named {
            var table: String
            var columns: [String]
        }

        /// The table and the columns that are named; where they are not, those of the index.
        private func named(_ stored: IndexSettings?) throws -> Named {
            if let stored, stored.followed == nil { throw isOfFiles }
            if let table, let followed = stored?.followed,
                !Self.areEqual([followed.table], [table])
            {
                throw followed.isAnother
            }
            var columns = columnNames.isEmpty ? stored?.fields ?? [] : columnNames
            if let fields = stored?.fields, Self.areEqual(fields, columns) { columns = fields }
            guard let table = stored?.followed?.table ?? table else {
                throw CommandError("name the table: --table")
            }
            guard !columns.isEmpty else {
                throw CommandError("name the columns to search: --columns")
            }
            return Named(table: table, columns: columns)
        }

        /// Whether names are the same to SQLite.
        private static func areEqual(_ some: [String], _ others: [String]) -> Bool {
            some.elementsEqual(others) { sqliteName($0) == sqliteName($1) }
        }

        private static func sqliteName(_ name: String) -> [UInt8] {
            name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        }

        private var isOfFiles: CommandError {
            CommandError(
                "\(location.path) is an index of files; name another folder for that of a table")
        }

        /// The settings of a new index, or those that an old one has.
        private func settings(
            _ stored: IndexSettings?, _ named: Named, _ path: String
        ) throws -> IndexSettings {
            guard let stored else {
                return IndexSettings(
                    root: Path.current.exactText ?? "/", fields: named.columns,
                    followed: .init(
                        database: path, table: named.table,
                        consumer: UUID().uuidString.lowercased()))
            }
            guard let followed = stored.followed else { throw isOfFiles }
            // Whether the database is the same is known once the index is open.
            guard followed.table == named.table else { throw followed.isAnother }
            guard stored.fields == named.columns else {
                throw CommandError(
                    "this index has the columns \(stored.fields.joined(separator: ",")); "
                        + "name the same ones, or make another index")
            }
            return stored
        }

        private func follow(
            _ path: String, in folder: IndexFolder, publishing publication: URL?
        ) async throws {
            guard let followed = try folder.followedTable(in: path) else { return }
            let work = FollowingWork()
            // One for all files: between two of them a signal would be lost.
            let interrupts = Interrupts { work.interrupt() }
            defer { interrupts.stop() }
            var isReplaced = false
            while true {
                do {
                    let database = try FollowedDatabase(followed, columns: folder.settings.fields)
                    if try await follow(
                        database, in: folder, publishing: publication, work,
                        comparing: isReplaced)
                    {
                        return
                    }
                    Console.report("\(database.path) is another file now; all rows are compared")
                    isReplaced = true
                } catch let error where !once && work.mayPass(error) {
                    work.report(error, of: path)
                    let interval = interval
                    if case .failure = await work.run({ try await Self.sleep(interval) }) { return }
                }
            }
        }

        /// Follows the file of a database, at first comparing all rows if `isReplaced`; returns
        /// false once another one is in its place.
        private func follow(
            _ database: FollowedDatabase, in folder: IndexFolder, publishing publication: URL?,
            _ work: FollowingWork, comparing isReplaced: Bool
        ) async throws -> Bool {
            defer { database.close() }
            // For whoever sees a bar of the first reading.
            let isNew = (try? folder.index.followedState()) == nil
            let meter = RowMeter(
                total: isNew && Console.errorIsTerminal ? database.count() : nil)
            let rows = database.rows(of: try place()) { meter.add($0, $1, isFirst: $2) }
            var options = FollowedDatabase.options
            options.publishes = publication
            let follower = try IndexFollower(folder.index, following: rows, options: options)
            let (once, interval) = (once, interval)
            let result = await work.run {
                try await Self.run(
                    follower, of: database, meter, work, once: once, interval: interval,
                    comparing: isReplaced)
            }
            meter.clear()
            await follower.stop()
            do { return try result.get() } catch is CancellationError {
                // The database may not be there to be asked.
                guard try folder.index.followedState()?.phase == .following else {
                    Console.report(
                        "interrupted; what was indexed is kept, run it again for the rest")
                    throw Outcome.interrupted
                }
                return true
            }
        }

        private func place() throws -> URL {
            URL(filePath: try IndexPlace.absolute(location.path), directoryHint: .isDirectory)
        }

        private static func sleep(_ interval: Double) async throws -> Bool {
            try await Task.sleep(for: .seconds(interval))
            return true
        }

        /// Catches up until it is cancelled, or once; returns false when another file is in the
        /// place of the database.
        private static func run(
            _ follower: IndexFollower<TableRows>, of database: FollowedDatabase,
            _ meter: RowMeter, _ work: FollowingWork, once: Bool, interval: Double,
            comparing isReplaced: Bool
        ) async throws -> Bool {
            var isToCompare = isReplaced
            while true {
                do {
                    guard try database.isInPlace else { return false }
                    let report = try await follower.catchUp()
                    meter.clear()
                    tellFailures(report)
                    if report.sliceCount > 0 || once { try Console.write(line(report)) }
                    if isToCompare {
                        // Its log may have the position and yet be that of other rows.
                        let drift = try await follower.repairDrift()
                        isToCompare = false
                        let count =
                            drift.missing.count + drift.outdated.count + drift.extra.count
                        if count > 0 {
                            try Console.write("\(Format.count(count, "row")) put right\n")
                        }
                    }
                    work.noteSuccess()
                    if once {
                        if report.failureCount > 0 { throw Outcome.failure }
                        return true
                    }
                } catch let error where work.mayPass(error) && !once {
                    meter.clear()
                    work.report(error, of: database.path)
                }
                _ = try await sleep(interval)
            }
        }

        private static let mostShown = 10

        /// Says which rows cannot be indexed, and why.
        private static func tellFailures(_ report: FollowerReport) {
            for failure in report.failures.prefix(mostShown) {
                let row = failure.identifier.map { "row \(String(decoding: $0, as: UTF8.self))" }
                Console.report(
                    "\(row ?? "a row") cannot be indexed: "
                        + CommandError.message(of: failure.error))
            }
            let rest = report.failureCount - min(report.failures.count, mostShown)
            if rest > 0 { Console.report("and \(Format.count(rest, "more row"))") }
        }

        private static func line(_ report: FollowerReport) -> String {
            var parts = ["\(Format.count(report.indexedCount, "row")) indexed"]
            if report.removedCount > 0 {
                parts.append("\(Format.count(report.removedCount)) removed")
            }
            if report.skippedCount > 0 {
                parts.append(leftOut(report.skippedCount))
            }
            if report.failureCount > 0 {
                parts.append("\(Format.count(report.failureCount)) failed")
            }
            return parts.joined(separator: ", ") + "\n"
        }

        /// What to say of rows that have no key which an index can take.
        static func leftOut(_ count: Int) -> String {
            "\(Format.count(count)) left out: keys that are NULL, too long or no text"
        }
    }
#endif
