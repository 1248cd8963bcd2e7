#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Texts in keys that cannot be read as they are.
    @Suite("Keys that cannot be told apart", .timeLimit(.minutes(10)))
    struct KeyTrapTests {
        struct Entry: Codable, FetchableRecord, TableRecord, Sendable {
            static let databaseTableName = "entry"
            var text: String
        }

        private static func open(
            _ pool: DatabasePool, _ place: Place, fetches: Bool
        ) throws -> SearchableTable<Entry> {
            var options = quietOptions
            options.slice.count = 7
            return try SearchableTable(
                pool, index: place.index,
                SearchDefinition<Entry>(
                    columns: ["text"], request: fetches ? Entry.all() : nil
                ) { IndexedObject(strings: [$0.text]) }, options: options)
        }

        @Test(
            "Rows whose keys are not UTF-8 or have a zero are left out and counted; no other is missed",
            arguments: [false, true])
        func leftOut(fetches: Bool) async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(sql: "CREATE TABLE entry(id TEXT PRIMARY KEY, text TEXT)")
                for number in 0..<20 {
                    try db.execute(
                        sql: "INSERT INTO entry VALUES (?1, 'duck'), (?2, 'duck')",
                        arguments: ["a\(10 + number)", "é\(10 + number)"])
                }
                try db.execute(
                    sql: """
                        INSERT INTO entry VALUES (CAST(x'80' AS TEXT), 'lost'), (CAST(x'61ff' AS TEXT), 'lost'),
                            (CAST(x'61fe' AS TEXT), 'lost'), ('a' || char(0) || '1', 'lost'), ('a' || char(0) || '2', 'lost');
                        """)
            }
            let table = try Self.open(pool, place, fetches: fetches)
            let report = try await table.catchUp()
            #expect(report.skippedCount == 5)
            #expect(table.index.count == 40)
            try await pool.write { db in
                try db.execute(sql: "UPDATE entry SET text = 'goose'")
                try db.execute(sql: "INSERT INTO entry VALUES ('a', 'goose')")
                try db.execute(sql: "DELETE FROM entry WHERE id = CAST(x'61ff' AS TEXT)")
            }
            #expect(try await table.catchUp().skippedCount == 6)
            #expect(table.index.count == 41)
            #expect(try await table.search("goose", limit: 100).hits.count == 41)
            #expect(try await table.follower.drift().isEmpty)
            try await table.close()
        }

        @Test("Keys of a database in UTF-16 are read as they are")
        func otherEncoding() async throws {
            let place = try Place()
            let queue = try DatabaseQueue(path: place.database.path)
            try await queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA encoding = 'UTF-16'")
            }
            try await queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE entry(id TEXT PRIMARY KEY, text TEXT);
                        INSERT INTO entry VALUES ('abc', 'duck'), ('é', 'duck'), ('a' || char(0), 'lost')
                        """)
            }
            let table = try SearchableTable(
                queue, index: place.index,
                SearchDefinition<Entry>(columns: ["text"]) { IndexedObject(strings: [$0.text]) },
                options: quietOptions)
            #expect(try await table.catchUp().skippedCount == 1)
            try await queue.write { try $0.execute(sql: "UPDATE entry SET text = 'goose'") }
            try await table.catchUp()
            #expect(try await table.search("goose").hits.count == 2)
            #expect(try await table.follower.drift().isEmpty)
            try await table.close()
        }

        @Test("Rows that are fetched with others of theirs are read by what they take")
        func largeRows() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(sql: "CREATE TABLE entry(id INTEGER PRIMARY KEY, text TEXT)")
                for number in 0..<200 {
                    let size = number % 50 == 0 ? 20_000 : number
                    try db.execute(
                        sql: "INSERT INTO entry VALUES (?, ?)",
                        arguments: [number, String(repeating: "duck ", count: size + 1)])
                }
            }
            let source = TableSource(
                pool,
                SearchDefinition<Entry>(columns: ["text"], request: Entry.all()) { _ in nil })
            for byteCount in [1, 2_000, 150_000, 1 << 20] {
                var (next, count, most, largest) = (Data?.none, 0, 0, 0)
                repeat {
                    let slice = try source.objects(
                        after: next, limit: SliceLimit(byteCount: byteCount))
                    most = max(most, slice.objects.count)
                    let bytes = slice.objects.map { $0.object?.text.utf8.count ?? 0 }
                    largest = max(largest, bytes.reduce(0, +))
                    count += slice.objects.count
                    next = slice.next
                } while next != nil
                #expect(count == 200)
                // A slice has the rows that were fetched when it was full: 20 at first, and then as
                // many as fit if they are like those before. One in 50 has 100,000 bytes.
                #expect(byteCount > 1 || most <= 20)
                #expect(largest < byteCount + 250_000)
            }
        }
    }
#endif
