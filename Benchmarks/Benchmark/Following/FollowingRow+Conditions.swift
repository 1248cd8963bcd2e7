#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    extension FollowingRow {
        /// Words of middling frequency and frequent ones, with conditions that hold for a part of
        /// the rows.
        @Sendable
        static func conditions(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            let (pool, notes, other) = try await filled(bench, "condition")
            try await other.write { try $0.execute(sql: "INSERT INTO ft(ft) VALUES ('optimize')") }
            let words = (0..<60).map { bench.vocabulary[$0 * 5] }
            var figures: [FollowingFigure] = []
            for percent in [1, 10, 50] {
                // By processor time: other programs do not change which is faster.
                var (ours, fts5) = (Samples(), Samples())
                var (clock, otherClock) = (Samples(), Samples())
                for (number, word) in words.enumerated() {
                    // Which is first changes, so that what one leaves in caches serves both.
                    for isOurs in number % 2 == 0 ? [true, false] : [false, true] {
                        let start = ContinuousClock.now
                        let used = ProcessFigures.processSeconds
                        if isOurs {
                            let condition = FollowedNote.filter(Column("folder") < percent * 10)
                            _ = try await notes.search(.term(word), where: condition, limit: 20)
                        } else {
                            _ = try await joined(word, percent, other)
                        }
                        let time = ProcessFigures.processSeconds - used
                        let elapsed = seconds(ContinuousClock.now - start)
                        if isOurs {
                            ours.append(time)
                            clock.append(elapsed)
                        } else {
                            fts5.append(time)
                            otherClock.append(elapsed)
                        }
                    }
                }
                figures.append(
                    .ratio(
                        "SQL condition of \(percent) %, p50, to the FTS5 join",
                        ours.percentile(0.5), to: fts5.percentile(0.5), bar: 0.8))
                figures.append(
                    .ratio(
                        "the same by the clock", clock.percentile(0.5),
                        to: otherClock.percentile(0.5), bar: .infinity))
            }
            try await close(pool, notes, other)
            return figures
        }

        private static func joined(
            _ word: String, _ percent: Int, _ pool: DatabasePool
        ) async throws -> [FollowedNote] {
            try await pool.read { db in
                try FollowedNote.fetchAll(
                    db,
                    sql: """
                        SELECT note.* FROM ft JOIN note ON note.id = ft.rowid
                        WHERE ft MATCH ? AND note.folder < ? ORDER BY rank LIMIT 20
                        """, arguments: [word, percent * 10])
            }
        }
    }
#endif
