#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    /// A comparison that has a name.
    struct FollowingRow: Sendable {
        var name: String
        var summary: String
        var run: @Sendable (FollowingBench) async throws -> [FollowingFigure]

        static let all = [
            FollowingRow(
                name: "follow-insert",
                summary: "rows inserted in bulk and one a transaction, by the writer's CPU",
                run: inserts),
            FollowingRow(
                name: "follow-searchable",
                summary: "all rows inserted, then updated, until they are searchable",
                run: searchable),
            FollowingRow(
                name: "follow-first",
                summary: "the first reading of all rows, beside FTS5's rebuild",
                run: firstReading),
            FollowingRow(
                name: "follow-idle",
                summary: "catching up with nothing, and with one row, by the clock",
                run: idle),
            FollowingRow(
                name: "follow-polling",
                summary: "a write by another process until searchable, by polling each second",
                run: polling),
            FollowingRow(
                name: "follow-condition",
                summary: "the best 20 that an SQL condition holds for, by processor time",
                run: conditions),
            FollowingRow(
                name: "follow-drift", summary: "all rows compared with the index", run: drift),
            FollowingRow(
                name: "follow-import",
                summary:
                    "ten times as many rows inserted while the index follows: memory, checkpoints",
                run: importing),
        ]

        // MARK: Writing

        @Sendable
        private static func inserts(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            typealias Times = [FollowingBench.Kind: Samples]
            var (bulk, single, compiled): (Times, Times, Times) = ([:], [:], [:])
            for round in 0..<(2 * rounds + 1) {
                for kind in FollowingBench.Kind.allCases where kind != .fts5 || round == 0 {
                    let pool = try bench.makeDatabase(kind, "insert")
                    let count = bench.texts.count
                    let isBulk = ![.idleTrigger, .leastTrigger].contains(kind)
                    bulk[kind, default: Samples()].append(
                        try await processorTime {
                            if isBulk { try bench.insert(bench.texts.indices, pool) }
                        })
                    single[kind, default: Samples()].append(
                        try await processorTime {
                            try bench.insertEach(count..<(count + 4_000), pool, isKept: true)
                        })
                    compiled[kind, default: Samples()].append(
                        try await processorTime {
                            try bench.insertEach(
                                (count + 4_000)..<(count + 8_000), pool, isKept: false)
                        })
                    try pool.close()
                }
            }
            func figure(
                _ what: String, _ times: Times, _ kind: FollowingBench.Kind, bar: Double
            ) -> FollowingFigure {
                .ratio(
                    what, times[kind]?.percentile(0.5) ?? .nan,
                    to: times[.plain]?.percentile(0.5) ?? .nan, bar: bar)
            }
            return [
                figure("insert in bulk: log to none", bulk, .logged, bar: 1.5),
                figure("insert in bulk: FTS5's triggers to none", bulk, .fts5, bar: .infinity),
                figure("one a transaction: log to none", single, .logged, bar: 1.7),
                figure("one a transaction: FTS5's triggers to none", single, .fts5, bar: .infinity),
                figure("the same: an idle trigger", single, .idleTrigger, bar: .infinity),
                figure("the same: the least trigger", single, .leastTrigger, bar: .infinity),
                figure("the same, compiled each time: log", compiled, .logged, bar: 1.7),
                figure("the same, compiled each time: FTS5", compiled, .fts5, bar: .infinity),
                figure("compiled: an idle trigger", compiled, .idleTrigger, bar: .infinity),
                figure("compiled: the least trigger", compiled, .leastTrigger, bar: .infinity),
            ]
        }

        /// Times are taken so often, each time of both in turn; medians are compared.
        private static var rounds: Int { 3 }

        @Sendable
        private static func searchable(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            var fts5 = [Samples(), Samples()]
            var ours = [Samples(), Samples()]
            for _ in 0..<rounds {
                let other = try bench.makeDatabase(.fts5, "searchable")
                fts5[0].append(
                    try await processorTime { try bench.insert(bench.texts.indices, other) })
                fts5[1].append(try await processorTime { try bench.updateAll(other) })
                try other.close()
                let pool = try bench.makeDatabase(.logged, "searchable")
                let notes = try bench.openTable(pool)
                try await notes.catchUp()
                ours[0].append(
                    try await processorTime {
                        try bench.insert(bench.texts.indices, pool)
                        try await notes.catchUp()
                    })
                ours[1].append(
                    try await processorTime {
                        try bench.updateAll(pool)
                        try await notes.catchUp()
                    })
                try await notes.close()
                try pool.close()
            }
            return zip(["insert", "update"], [0.25, 0.5]).enumerated().map { place, row in
                .ratio(
                    "\(row.0) until searchable, to FTS5", ours[place].percentile(0.5),
                    to: fts5[place].percentile(0.5), bar: row.1)
            }
        }

        @Sendable
        private static func firstReading(
            _ bench: FollowingBench
        ) async throws -> [FollowingFigure] {
            var (rebuild, reading) = (Samples(), Samples())
            for _ in 0..<rounds {
                let (pool, notes, other) = try await filled(bench, "first", catchesUp: false)
                rebuild.append(
                    try await processorTime {
                        try await other.write {
                            try $0.execute(sql: "INSERT INTO ft(ft) VALUES ('rebuild')")
                        }
                    })
                reading.append(try await processorTime { try await notes.catchUp() })
                try await close(pool, notes, other)
            }
            return [
                .ratio(
                    "first reading, to FTS5's rebuild", reading.percentile(0.5),
                    to: rebuild.percentile(0.5), bar: 0.45)
            ]
        }

        // MARK: Catching up

        @Sendable
        private static func idle(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            let (pool, notes, other) = try await filled(bench, "idle")
            var (idle, one) = (Samples(), Samples())
            for _ in 0..<2_000 {
                let start = ContinuousClock.now
                try await notes.catchUp()
                idle.append(seconds(ContinuousClock.now - start))
            }
            for number in 0..<500 {
                try await pool.write {
                    try $0.execute(
                        sql: "UPDATE note SET title = ? WHERE id = ?",
                        arguments: ["changed \(number)", number])
                }
                let start = ContinuousClock.now
                try await notes.catchUp()
                one.append(seconds(ContinuousClock.now - start))
            }
            try await close(pool, notes, other)
            return [
                .alone("nothing to do, p50", idle.percentile(0.5), "µs", times: 1e6, bar: 100),
                .alone(
                    "a write until searchable, p50", one.percentile(0.5), "ms", times: 1e3, bar: 1),
            ]
        }

        @Sendable
        private static func drift(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            let (pool, notes, other) = try await filled(bench, "drift")
            var samples = Samples()
            for _ in 0..<3 {
                samples.append(
                    try await processorTime {
                        let report = try await notes.follower.drift()
                        guard report.isEmpty, report.comparedCount == bench.texts.count else {
                            throw CocoaError(.coderInvalidValue)
                        }
                    })
            }
            try await close(pool, notes, other)
            return [
                .alone("drift of all rows, CPU", samples.percentile(0.5), "s", times: 1, bar: 0.3)
            ]
        }

        // MARK: Databases

        /// A table with an index, and one with FTS5, of all rows.
        static func filled(
            _ bench: FollowingBench, _ name: String, catchesUp: Bool = true
        ) async throws -> (DatabasePool, SearchableTable<FollowedNote>, DatabasePool) {
            let other = try bench.makeDatabase(.fts5, name)
            try bench.insert(bench.texts.indices, other)
            let pool = try bench.makeDatabase(.plain, name)
            try bench.insert(bench.texts.indices, pool)
            let notes = try bench.openTable(pool)
            if catchesUp {
                try await notes.catchUp()
                try await notes.index.optimize()
            }
            return (pool, notes, other)
        }

        static func close(
            _ pool: DatabasePool, _ notes: SearchableTable<FollowedNote>, _ other: DatabasePool
        ) async throws {
            try await notes.close()
            try pool.close()
            try other.close()
        }
    }
#endif
