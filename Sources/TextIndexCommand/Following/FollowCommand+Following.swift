#if GRDB
    import Foundation
    import Synchronization
    import TextSearch
    import TextSearchGRDB

    extension FollowCommand {
        func follow() async throws {
            guard let path = Path(database).absolute().exactText else {
                throw CommandError("the path of the database must be UTF-8; rename it")
            }
            let publication = try publish.map(IndexPlace.publication)
            // Before an index is made for it.
            let probe = IndexSettings.FollowedTable(database: path, table: table, consumer: "")
            try await FollowedDatabase.reporting(path) {
                let database = try FollowedDatabase(probe, columns: columnNames)
                defer { database.close() }
                for name in try database.rows().source.check() {
                    Console.report(
                        "warning: the unique index \(name) is over an expression; a row that REPLACE "
                            + "deletes by it stays in the index until textindex drift --repair")
                }
            }
            try await FollowedDatabase.reporting(path) {
                try await IndexFolder.use(
                    creating: location, largestText: TextIndexConfiguration().maximumTextLength,
                    settings: { try settings($0, path) }
                ) { try await follow(in: $0, publishing: publication) }
            }
        }

        /// The settings of a new index, or those that an old one has.
        private func settings(_ stored: IndexSettings?, _ path: String) throws -> IndexSettings {
            if let stored {
                guard let followed = stored.followed else {
                    throw CommandError(
                        "\(location.path) is an index of files; name another folder for that of a table"
                    )
                }
                guard followed.database == path, followed.table == table else {
                    throw CommandError(
                        "this index follows the table \(followed.table) of \(followed.database); "
                            + "name another folder for another table")
                }
                guard stored.fields == columnNames else {
                    throw CommandError(
                        "this index has the columns \(stored.fields.joined(separator: ",")); "
                            + "name the same ones, or make another index")
                }
                return stored
            }
            return IndexSettings(
                root: Path.current.exactText ?? "/", fields: columnNames,
                followed: .init(
                    database: path, table: table, consumer: UUID().uuidString.lowercased()))
        }

        private func follow(in folder: IndexFolder, publishing publication: URL?) async throws {
            guard let followed = folder.settings.followed else { return }
            let work = FollowingWork()
            // One for all files: between two of them a signal would be lost.
            let interrupts = Interrupts { work.interrupt() }
            defer { interrupts.stop() }
            while true {
                do {
                    let database = try FollowedDatabase(followed, columns: folder.settings.fields)
                    if try await follow(database, in: folder, publishing: publication, work) {
                        return
                    }
                    Console.report("\(database.path) is another file now; all rows are compared")
                } catch let error where !once && work.mayPass(error) {
                    work.report(error)
                    let interval = interval
                    if case .failure = await work.run({ try await Self.sleep(interval) }) { return }
                }
            }
        }

        /// Follows the file of a database; returns false once another one is in its place.
        private func follow(
            _ database: FollowedDatabase, in folder: IndexFolder, publishing publication: URL?,
            _ work: FollowingWork
        ) async throws -> Bool {
            defer { database.close() }
            let meter = RowMeter()
            let rows = database.rows(of: try place()) { meter.add($0, $1) }
            meter.total = try database.count()
            var options = FollowerOptions()
            options.polling = nil
            options.publishes = publication
            let follower = try IndexFollower(folder.index, following: rows, options: options)
            let (once, interval) = (once, interval)
            let result = await work.run {
                try await Self.run(
                    follower, of: database, meter, work, once: once, interval: interval)
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
            _ meter: RowMeter, _ work: FollowingWork, once: Bool, interval: Double
        ) async throws -> Bool {
            while true {
                do {
                    guard try database.isInPlace else { return false }
                    let report = try await follower.catchUp()
                    meter.clear()
                    if report.sliceCount > 0 || once { try Console.write(line(report)) }
                    work.noteSuccess()
                    if once {
                        if report.failureCount > 0 { throw Outcome.failure }
                        return true
                    }
                } catch let error where work.mayPass(error) && !once {
                    work.report(error)
                }
                _ = try await sleep(interval)
            }
        }

        private static func line(_ report: FollowerReport) -> String {
            var parts = ["\(Format.count(report.indexedCount, "row")) indexed"]
            if report.removedCount > 0 {
                parts.append("\(Format.count(report.removedCount)) removed")
            }
            if report.skippedCount > 0 {
                parts.append(
                    "\(Format.count(report.skippedCount)) left out: keys that are NULL, too long or no text"
                )
            }
            if report.failureCount > 0 {
                parts.append("\(Format.count(report.failureCount)) failed")
            }
            return parts.joined(separator: ", ") + "\n"
        }
    }

    extension DriftCommand {
        /// What `--json` prints.
        private struct Report: Encodable {
            let compared: Int
            let missing: [String]
            let outdated: [String]
            let extra: [String]
            let isRepaired: Bool
        }

        func compare() async throws {
            try await IndexFolder.use(existing: location) { folder in
                guard let followed = folder.settings.followed else {
                    throw CommandError(
                        "\(location.path) follows no table; textindex follow makes an index that does"
                    )
                }
                try await FollowedDatabase.reporting(followed.database) {
                    try await compare(folder, followed)
                }
            }
        }

        private func compare(
            _ folder: IndexFolder, _ followed: IndexSettings.FollowedTable
        ) async throws {
            if folder.index.generation != nil { throw IndexPlace.isReadOnly(location.path) }
            let database = try FollowedDatabase(followed, columns: folder.settings.fields)
            defer { database.close() }
            var options = FollowerOptions()
            options.polling = nil
            let follower = try IndexFollower(
                folder.index,
                following: database.rows(
                    of: URL(
                        filePath: try IndexPlace.absolute(location.path),
                        directoryHint: .isDirectory)), options: options)
            let drift = try await repair ? follower.repairDrift() : follower.drift()
            try Console.write(
                json ? Self.json(drift, isRepaired: repair) : Self.text(drift, repair))
            if !drift.isEmpty, !repair { throw Outcome.damaged }
        }

        private static func json(_ drift: DriftReport, isRepaired: Bool) throws -> String {
            func texts(_ identifiers: [Data]) -> [String] {
                identifiers.map { String(decoding: $0, as: UTF8.self) }
            }
            return try Report(
                compared: drift.comparedCount, missing: texts(drift.missing),
                outdated: texts(drift.outdated), extra: texts(drift.extra),
                isRepaired: isRepaired && !drift.isEmpty
            ).jsonDocument()
        }

        private static let mostShown = 10

        private static func text(_ drift: DriftReport, _ isRepaired: Bool) -> String {
            var lines = ["\(Format.count(drift.comparedCount, "row")) compared"]
            for (name, identifiers) in [
                ("missing", drift.missing), ("outdated", drift.outdated), ("extra", drift.extra),
            ] where !identifiers.isEmpty {
                let shown = identifiers.prefix(mostShown).map {
                    Printable.line(String(decoding: $0, as: UTF8.self))
                }
                let rest = identifiers.count > mostShown ? ", …" : ""
                lines.append(
                    "\(Format.count(identifiers.count)) \(name): \(shown.joined(separator: ", "))\(rest)"
                )
            }
            if drift.isEmpty {
                lines.append("nothing differs")
            } else if isRepaired {
                lines.append("all of it was put right")
            }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// Shows how far the first reading is.
    ///
    /// **Thread safety**: guarded.
    final class RowMeter: Sendable {
        private struct State: Sendable {
            var meter = ProgressMeter(total: nil)
            var rows = 0
            var bytes = 0
            var total = 0
        }

        private let state = Mutex(State())

        /// Rows of the table.
        var total: Int {
            get { state.withLock { $0.total } }
            set { state.withLock { $0.total = newValue } }
        }

        func add(_ rows: Int, _ bytes: Int) {
            state.withLock { state in
                state.rows += rows
                state.bytes += bytes
                state.meter.update(rows: state.rows, of: state.total, bytes: state.bytes)
            }
        }

        func clear() { state.withLock { $0.meter.clear() } }
    }
#endif
