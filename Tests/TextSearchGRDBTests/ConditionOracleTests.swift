#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Text and SQL conditions together give what a loop over all hits gives, whichever way is
    /// taken.
    @Suite("Searches with SQL conditions", .timeLimit(.minutes(10)))
    struct ConditionOracleTests {
        private static let count = 12_000

        /// A table in which conditions hold for any share of the rows.
        private func fill(_ pool: DatabasePool, _ generator: inout SeededGenerator) async throws {
            let before = generator
            generator = try await pool.write { db in
                var generator = before
                try createNotes(db)
                try db.execute(sql: "CREATE INDEX folders ON note(folder)")
                for id in 1...Self.count {
                    try db.execute(
                        sql: "INSERT INTO note(id, folder, title, body) VALUES (?, ?, ?, ?)",
                        arguments: [
                            id, generator.int(0...999), generator.text(2),
                            generator.text(generator.int(1...12)),
                        ])
                }
                return generator
            }
        }

        private func condition(_ generator: inout SeededGenerator) -> QueryInterfaceRequest<Note> {
            let share = [0, 1, 3, 10, 100, 500, 1_000][generator.int(0...6)]
            let first = generator.int(0...999)
            return switch generator.int(0...2) {
            case 0: Note.filter(Column("folder") < share)
            case 1: Note.filter(sql: "(folder + ?) % 1000 < ?", arguments: [first, share])
            default: Note.filter(Column("folder") < share).filter(Column("id") > first)
            }
        }

        private func query(_ generator: inout SeededGenerator) -> Query {
            func word() -> Query { .term(generator.text(1)) }
            return switch generator.int(0...4) {
            case 0: .any(of: [word(), word()])
            case 1: .all(of: [word(), word()])
            case 2: .prefix(String(generator.text(1).prefix(3)))
            case 3: .filter(word())
            default: word()
            }
        }

        @Test(
            "Rows, their order and their number are those of a loop over all hits",
            arguments: 0..<Scale.sample(of: 6))
        func pages(series: Int) async throws {
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            let place = try Place()
            let pool = try place.pool()
            try await fill(pool, &generator)
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            for step in 0..<40 {
                let (query, condition) = (query(&generator), condition(&generator))
                let limit = [0, 1, 20, 20, 300][generator.int(0...4)]
                let offset = [0, 0, 7, 1_000][generator.int(0...3)]
                let rows = try await pool.read {
                    Set(try Int64.fetchAll($0, condition.select(Column("id"))))
                }
                let all = try await notes.index.search(query, limit: 100_000).compactMap { item in
                    Self.id(item.identifier)
                }.filter { rows.contains($0) }
                let wanted = all.dropFirst(offset).prefix(limit)
                let page = try await notes.search(
                    query, where: condition, limit: limit, offset: offset)
                let found = page.hits.map(\.record.id)
                #expect(found == Array(wanted), "seed \(seed), step \(step)")
                if !page.mayHaveMore { #expect(found.count < max(limit, 1)) }
                let count = try await notes.count(query, where: condition)
                #expect(count == all.count, "seed \(seed), step \(step)")
                let word = generator.text(1)
                let texts = try await notes.search(word, where: condition, limit: limit)
                let best = try await notes.index.search(word, limit: 100_000)
                    .compactMap { Self.id($0.identifier) }.filter { rows.contains($0) }
                #expect(
                    texts.hits.map(\.record.id) == Array(best.prefix(limit)),
                    "seed \(seed), step \(step)")
            }
            try await notes.close()
        }

        /// The integer key of an identifier.
        private static func id(_ identifier: Data) -> Int64? {
            guard identifier.count == 9, identifier.first == 1 else { return nil }
            let bits = identifier.dropFirst().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return Int64(bitPattern: bits ^ 1 << 63)
        }

        @Test("All of a page is of one state of the index, whatever is committed meanwhile")
        func oneState() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                for id in 1...3_000 {
                    try Note(id: Int64(id), folder: Int64(id % 100), title: "duck", body: "")
                        .insert(db)
                }
            }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            let writing = Task {
                // Each row gets a better and a worse place in turn.
                for round in 0..<12 {
                    let title = round % 2 == 0 ? "duck duck duck" : "duck and other birds"
                    try await pool.write {
                        try $0.execute(
                            sql: "UPDATE note SET title = ? WHERE id % 3 = ?",
                            arguments: [title, round % 3])
                    }
                    try await notes.catchUp()
                }
            }
            let wanted: [Int64] = (0..<30).map { (place: Int64) in place * 100 + 7 }
            for _ in 0..<40 {
                let page = try await notes.search(
                    "duck", where: Note.filter(Column("folder") == 7), limit: 30)
                let found = page.hits.map(\.record.id)
                // None twice, none left out.
                #expect(found.sorted() == wanted)
            }
            try await writing.value
            try await notes.close()
        }
    }
#endif
