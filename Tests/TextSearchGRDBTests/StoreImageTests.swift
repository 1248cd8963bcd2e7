#if GRDB && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Power cuts that leave a database and its index each at a moment of its own.
    ///
    /// The moments are drawn apart, so that either store is ahead of the other, also by more than a
    /// machine that keeps its promises could have it.
    @Suite("Power cuts of a database and its index", .timeLimit(.minutes(60)))
    struct StoreImageTests {
        /// What is done wrong on purpose.
        enum Flaw: Sendable { case none, noNonce }

        private struct Tally: Sendable {
            var images = 0
            var resumed = 0
            var reconciled = 0
            /// The noise at the end of a log of the index looked like damage.
            var refused = 0
            var gaps: [String] = []
        }

        private static let cutCount = 40
        private static let seriesCount = 4

        @Test(
            "After a power cut an index goes on or compares all rows, whichever store is ahead",
            arguments:
                0..<(seriesCount
                * Scale.repetitions(Scale.images, of: seriesCount * cutCount)))
        func cuts(series: Int) async throws {
            let tally = try await Self.run(Scale.seed(series), .none)
            #expect(tally.gaps == [])
            #expect(tally.refused <= 1)
            // Of many series a few have one kind alone; the sums are told.
            let hasBoth = tally.resumed > 0 && tally.reconciled > 0
            #expect(hasBoth || Scale.images != nil, "seed \(Scale.seed(series))")
            Scale.report(
                Scale.images, "tables",
                [
                    "images": tally.images, "resumed": tally.resumed,
                    "reconciled": tally.reconciled, "refused": tally.refused,
                    "gaps": tally.gaps.count,
                ])
        }

        @Test("Without nonces in the log a gap goes unnoticed: this control fails")
        func control() async throws {
            var gaps = 0
            for series in 0..<20 where gaps == 0 {
                gaps += try await Self.run(Scale.seed(series), .noNonce).gaps.count
            }
            #expect(gaps > 0)
        }

        private static func run(_ seed: UInt64, _ flaw: Flaw) async throws -> Tally {
            var generator = SeededGenerator(seed: seed)
            let place = try Place()
            let disk = SimulatedDisk()
            var history = DatabaseHistory(place.database)
            try await disk.mounted(at: place.index.path) {
                try await work(place, disk, &history, flaw, &generator)
            }
            var cuts: [(step: Int, cut: SimulatedDisk.Cut)] = []
            for _ in 0..<cutCount {
                let step = generator.int(0...(history.count - 2))
                // Half of them as they may be, half with stores that are further apart.
                let other =
                    generator.int(0...1) == 0
                    ? step : min(max(step + generator.int(-4...4), 0), history.count - 2)
                let operation = UInt64.random(
                    in: history.operations(other)...history.operations(other + 1),
                    using: &generator)
                let kinds = SimulatedDisk.Cut.all(after: operation, seed: generator.next())
                cuts.append((step, kinds[generator.int(0...(kinds.count - 1))]))
            }
            var tally = Tally()
            for (step, cut) in cuts.sorted(by: { $0.cut.operation < $1.cut.operation }) {
                let folder = place.url.appendingPathComponent("image", isDirectory: true)
                try history.writeImage(after: step, to: folder, &generator)
                let image = disk.image(of: cut)
                let seed = generator.next()
                try await image.mounted(at: folder.appendingPathComponent("index").path) {
                    try await check(folder, seed, "\(step) of \(history.count), \(cut)", &tally)
                }
            }
            return tally
        }

        // MARK: Work

        private static func pool(_ path: String) throws -> DatabasePool {
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                guard !db.configuration.readonly else { return }
                try db.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
            }
            return try DatabasePool(path: path, configuration: configuration)
        }

        private static func options() -> FollowerOptions {
            var options = quietOptions
            options.slice.count = 20
            options.releaseInterval = 15
            options.onHistoryLost = .fail
            return options
        }

        /// Writes and follows, and keeps the files of the database after each step.
        private static func work(
            _ place: Place, _ disk: SimulatedDisk, _ history: inout DatabaseHistory, _ flaw: Flaw,
            _ generator: inout SeededGenerator
        ) async throws {
            let pool = try pool(place.database.path)
            try await pool.write { db in
                try createNotes(db)
                if flaw == .noNonce { try Self.createLogWithoutNonces(db) }
            }
            generator = try await written(pool, generator, 60)
            try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try history.record(disk.operationCount)
            let notes = try SearchableTable(
                pool, index: place.index, noteDefinition, options: options())
            try history.record(disk.operationCount)
            for _ in 0..<40 {
                switch generator.int(0...11) {
                case 0...5: generator = try await written(pool, generator, 12)
                case 6...8: try await notes.catchUp()
                case 9: try await notes.index.flush()
                case 10:
                    try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
                default: await notes.stop()
                }
                try history.record(disk.operationCount)
            }
            try await notes.catchUp()
            try history.record(disk.operationCount)
            try await notes.close()
            try pool.close()
        }

        private static func createLogWithoutNonces(_ db: Database) throws {
            try db.execute(
                sql: """
                    CREATE TABLE grdb_textsearch_log(
                        seq INTEGER PRIMARY KEY, source INTEGER NOT NULL, k0, k1, k2, k3,
                        nonce INTEGER NOT NULL DEFAULT 0)
                    """)
        }

        private static func written(
            _ pool: DatabasePool, _ generator: SeededGenerator, _ most: Int
        ) async throws -> SeededGenerator {
            try await pool.write { db in
                var generator = generator
                for _ in 0..<generator.int(1...most) {
                    let id = generator.int(0...80)
                    if generator.int(0...3) == 0 {
                        try db.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [id])
                    } else {
                        try db.execute(
                            sql: "INSERT OR REPLACE INTO note VALUES (?, ?, 0, ?, ?)",
                            arguments: [
                                id, "s\(generator.int(0...80))", generator.text(2),
                                generator.text(4),
                            ])
                    }
                }
                return generator
            }
        }

        // MARK: Checking

        /// Opens what is left of both, sometimes after others have written.
        private static func check(
            _ folder: URL, _ seed: UInt64, _ comment: String, _ tally: inout Tally
        ) async throws {
            tally.images += 1
            var generator = SeededGenerator(seed: seed)
            let pool = try pool(folder.appendingPathComponent("db.sqlite").path)
            let intact = try await pool.read { try String.fetchOne($0, sql: "PRAGMA quick_check") }
            if intact != "ok" { tally.gaps.append("\(comment): \(intact ?? "")") }
            if generator.int(0...1) == 0 { generator = try await written(pool, generator, 25) }
            let notes: SearchableTable<Note>
            do {
                notes = try SearchableTable(
                    pool, index: folder.appendingPathComponent("index"), noteDefinition,
                    options: options())
            } catch let error as TextIndexError
                where error.message.contains("the last record is damaged")
            {
                tally.refused += 1
                return try pool.close()
            }
            do {
                try await notes.catchUp()
                tally.resumed += 1
            } catch let error as TextIndexError where error.code == .historyLost {
                try await notes.follower.reindexAll()
                tally.reconciled += 1
            }
            let found = try await differences(notes, pool)
            if found != [] { tally.gaps.append("\(comment), seed \(seed): \(found)") }
            if generator.int(0...3) == 0 {
                let report = try await notes.index.verify(depth: .full)
                if !report.isClean { tally.gaps.append("\(comment), seed \(seed): \(report)") }
            }
            try await notes.close()
            try pool.close()
        }
    }
#endif
