#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    @Suite("A searchable table", .timeLimit(.minutes(10)))
    struct SearchableTableTests {
        private func insert(_ db: Database, _ ids: ClosedRange<Int64>, _ text: String) throws {
            for id in ids {
                try Note(id: id, folder: id % 3, title: "\(text) \(id)", body: text)
                    .insert(db, onConflict: .replace)
            }
        }

        @Test("A text and SQL conditions find rows together, in the order of either")
        func searching() async throws {
            let place = try Place()
            let queue = try DatabaseQueue()
            try await queue.write { db in
                try createNotes(db)
                try insert(db, 1...300, "duck")
                try insert(db, 301...310, "goose")
            }
            let notes = try openNotes(queue, place)
            try await notes.catchUp()
            let all = try await notes.search("duck", limit: 500)
            #expect(all.hits.count == 300)
            #expect(!all.mayHaveMore)
            let some = try await notes.search(
                "duck", where: Note.filter(Column("folder") == 1), limit: 30, offset: 5)
            #expect(some.hits.count == 30)
            #expect(some.hits.allSatisfy { $0.record.folder == 1 })
            let whole = try await notes.search(
                "duck", where: Note.filter(Column("folder") == 1), limit: 100)
            #expect(
                whole.hits.map(\.record.id)[5..<35].elementsEqual(some.hits.map(\.record.id)))
            let recent = try await queue.read {
                try Note.order(Column("id").desc).matching(.prefix("goo"), in: notes).limit(3)
                    .fetchAll($0).map(\.id)
            }
            #expect(recent == [310, 309, 308])
            // A row that has gone since leaves room for the next one.
            try await queue.write { try $0.execute(sql: "DELETE FROM note WHERE id % 2 = 0") }
            #expect(try await notes.search("duck", limit: 500).hits.count == 150)
            try await notes.close()
        }

        @Test("A started table follows commits of its connection, and observations have new values")
        func observing() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let notes = try openNotes(pool, place)
            try notes.start()
            let request = Note.all().matching(.term("duck"), in: notes)
            let observation = ValueObservation.tracking { try request.fetchCount($0) }
            var counts = observation.values(in: pool).makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await pool.write { try insert($0, 1...5, "duck") }
            while let count = try await counts.next(), count < 5 {}
            try await pool.write { try $0.execute(sql: "DELETE FROM note WHERE id = 1") }
            while let count = try await counts.next(), count != 4 {}
            try await notes.close()
        }

        @Test("What another connection and another process write is found")
        func otherWriters() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            let other = try place.otherConnection()
            try await other.write { try insert($0, 1...5, "duck") }
            try await notes.catchUp()
            #expect(try await differences(notes, pool) == [])
            let command = URL(fileURLWithPath: "/usr/bin/sqlite3")
            if FileManager.default.fileExists(atPath: command.path) {
                let process = Process()
                process.executableURL = command
                process.arguments = [
                    "-cmd", ".timeout 60000", place.database.path,
                    "UPDATE note SET title = 'goose' WHERE id = 2; DELETE FROM note WHERE id = 3;",
                ]
                try process.run()
                process.waitUntilExit()
                try await notes.catchUp()
                #expect(try await differences(notes, pool) == [])
                #expect(try await notes.search("goose").hits.map(\.record.id) == [2])
            }
            try await notes.close()
        }

        @Test("A database that was put back to an older copy is noticed, also where it came as far")
        func restoring() async throws {
            let place = try Place()
            var pool = try place.pool()
            try await pool.write { try createNotes($0) }
            var notes = try openNotes(pool, place)
            try await pool.write { try insert($0, 1...10, "first") }
            try await notes.catchUp()
            let copy = place.url.appendingPathComponent("copy.sqlite")
            let backup = try DatabaseQueue(path: copy.path)
            try pool.backup(to: backup)
            try backup.close()
            try await pool.write { try insert($0, 1...5, "second") }
            try await notes.catchUp()
            try await notes.close()
            try pool.close()
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: place.database.path + suffix)
            }
            try FileManager.default.copyItem(at: copy, to: place.database)
            pool = try place.pool()
            try await pool.write { try insert($0, 6...10, "third") }
            notes = try openNotes(pool, place)
            let report = try await notes.catchUp()
            #expect(report.indexedCount == 10)
            #expect(try await differences(notes, pool) == [])
            try await notes.close()
        }

        @Test(
            "A table that a migration makes anew loses its triggers, and nothing is missed",
            arguments: 0...1)
        func migrations(series: Int) async throws {
            let place = try Place()
            let pool = try place.pool()
            var migrator = DatabaseMigrator()
            migrator.eraseDatabaseOnSchemaChange = true
            migrator.registerMigration("notes") { db in
                try createNotes(db)
                if series == 0 { try SearchableTable<Note>.install(db, noteDefinition) }
            }
            try migrator.migrate(pool)
            try await pool.write { try insert($0, 1...5, "duck") }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            // Log and triggers are no change of the schema.
            try migrator.migrate(pool)
            #expect(try await pool.read { try Note.fetchCount($0) } == 5)
            for installs in [false, true] {
                try await pool.write { db in
                    try db.execute(sql: "ALTER TABLE note RENAME TO old")
                    try createNotes(db)
                    try db.execute(sql: "INSERT INTO note SELECT * FROM old WHERE id <> 2")
                    try db.execute(
                        sql: "DROP TABLE old; UPDATE note SET title = 'goose' WHERE id = 3")
                    // With the triggers put back before anybody looks, their epoch says what
                    // happened.
                    if installs { try SearchableTable<Note>.install(db, noteDefinition) }
                }
                try await notes.catchUp()
                #expect(try await differences(notes, pool) == [], "\(installs)")
                try await pool.write { try insert($0, 2...7, "again") }
                try await notes.catchUp()
                #expect(try await differences(notes, pool) == [], "\(installs)")
            }
            try await pool.write { try SearchableTable<Note>.uninstall($0, noteDefinition) }
            let names = try await pool.read {
                try String.fetchAll(
                    $0, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'grdb_text*'")
            }
            #expect(names == [])
            // It is put back, and everything is compared.
            try await pool.write { try insert($0, 8...9, "last") }
            try await notes.catchUp()
            #expect(try await differences(notes, pool) == [])
            try await notes.close()
        }

        @Test("The log is kept for an index that still reads for the first time")
        func firstReading() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try insert(db, 1...50, "duck")
            }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            // Another index of the same table: it takes its position and begins to read.
            let other = TableSource(
                pool,
                SearchDefinition<Note>(table: "note", columns: ["title"], name: "other") { _ in nil
                }
            )
            let position = try other.currentPosition()
            for _ in 0..<3 {
                try await pool.write { try insert($0, 1...40, "goose") }
                try await notes.catchUp()
            }
            // It releases all that it has.
            await notes.stop()
            let slice = try other.changes(after: position, limit: SliceLimit())
            #expect(slice.changes.count == 40)
            #expect(slice.isLast)
            // Once it has them, they go.
            try other.release(through: slice.position)
            await notes.stop()
            try await pool.write { try insert($0, 1...1, "duck") }
            try await notes.catchUp()
            await notes.stop()
            let last = try #require(
                try other.changes(after: slice.position, limit: SliceLimit()).changes.last)
            #expect(last.object?.title == "duck 1")
            try await notes.close()
        }

        @Test("Changes belong to the store that is named, and to the position")
        func changesOfStore() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let source = TableSource(
                pool, SearchDefinition<Note>(table: "note", columns: ["title"]) { _ in nil })
            let begin = try source.currentPosition()
            let store = try source.storeIdentifier
            try await pool.write { try insert($0, 1...3, "duck") }
            let limit = SliceLimit()
            #expect(try source.changes(of: "another", after: begin, limit: limit) == nil)
            let some = try #require(try source.changes(of: store, after: begin, limit: limit))
            #expect(some.changes.count == 3 && some.isLast)
            for position in [begin, some.position] {
                let named = try source.changes(of: store, after: position, limit: limit)
                let plain = try source.changes(after: position, limit: limit)
                #expect(named?.position == some.position && plain.position == some.position)
                #expect(named?.changes.map(\.identifier) == plain.changes.map(\.identifier))
                #expect(plain.changes.count == (position == begin ? 3 : 0))
            }
            // The last row's number with the random number of another history.
            var foreign = some.position
            foreign.token = Data(foreign.token.reversed())
            #expect { try source.changes(of: store, after: foreign, limit: limit) } throws: {
                ($0 as? TextIndexError)?.code == .historyLost
            }
        }

        @Test("The log is trimmed to what no index needs, and the row of the position stays")
        func trimming() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            for _ in 0..<3 {
                try await pool.write { try insert($0, 1...700, "duck") }
                try await notes.catchUp()
            }
            await notes.stop()
            let rows = try await pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_textsearch_log")
            }
            #expect(rows == 1)
            try await pool.write { try insert($0, 1...1, "goose") }
            let report = try await notes.catchUp()
            #expect(report.indexedCount == 1)
            #expect(try await differences(notes, pool) == [])
            try await notes.close()
        }
    }
#endif
