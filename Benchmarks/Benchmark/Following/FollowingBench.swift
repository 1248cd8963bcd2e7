#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    /// A row of the table that is followed.
    struct FollowedNote: FetchableRecord, TableRecord, Sendable {
        static let databaseTableName = "note"
        var id: Int64
        var title: String
        var body: String

        init(row: Row) {
            id = row[0]
            title = row[2]
            body = row[3]
        }
    }

    /// Texts, and databases to put them in.
    struct FollowingBench: Sendable {
        enum Kind: String, Sendable, CaseIterable {
            /// The table alone.
            case plain
            /// With the log of an index.
            case logged
            /// With FTS5 and its triggers.
            case fts5
            /// With a trigger that does nothing.
            case idleTrigger
            /// With one that writes the least there is to write: the same number, to a table.
            case leastTrigger
        }

        let texts: [(title: String, body: String)]
        let vocabulary: [String]
        let byteCount: Int
        let folder: URL

        init(rowCount: Int, _ folder: URL) throws {
            let corpus = GeneratedCorpus(byteCount: 4_000_000)
            vocabulary = corpus.vocabulary
            var texts: [(title: String, body: String)] = []
            // Pieces of the corpus: about 45 words a row.
            var words = corpus.entries.lazy.flatMap { $0.body.split(separator: " ") }.makeIterator()
            while texts.count < rowCount {
                var row: [Substring] = []
                while row.count < 20 + texts.count % 51 {
                    guard let word = words.next() else {
                        words = corpus.entries.lazy.flatMap { $0.body.split(separator: " ") }
                            .makeIterator()
                        continue
                    }
                    row.append(word)
                }
                texts.append(
                    (Self.joined(row.prefix(5)), Self.joined(row.dropFirst(5))))
            }
            self.texts = texts
            byteCount = texts.reduce(0) { $0 + $1.title.utf8.count + $1.body.utf8.count }
            self.folder = folder
        }

        /// Exactly as large as it has to be.
        private static func joined(_ words: ArraySlice<Substring>) -> String {
            String(decoding: Array(words.joined(separator: " ").utf8), as: UTF8.self)
        }

        static let definition = SearchDefinition<FollowedNote>(columns: ["title", "body"]) {
            IndexedObject(strings: [$0.title, $0.body])
        }

        private static let fts5 = """
            CREATE VIRTUAL TABLE ft USING fts5(title, body, content='note', content_rowid='id');
            CREATE TRIGGER ft_ai AFTER INSERT ON note BEGIN
                INSERT INTO ft(rowid, title, body) VALUES (new.id, new.title, new.body); END;
            CREATE TRIGGER ft_ad AFTER DELETE ON note BEGIN
                INSERT INTO ft(ft, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END;
            CREATE TRIGGER ft_au AFTER UPDATE ON note BEGIN
                INSERT INTO ft(ft, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
                INSERT INTO ft(rowid, title, body) VALUES (new.id, new.title, new.body); END;
            """

        /// An empty table in a database of its own.
        func makeDatabase(_ kind: Kind, _ name: String) throws -> DatabasePool {
            let place = folder.appending(path: "\(name)-\(kind.rawValue)")
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let pool = try DatabasePool(path: place.appending(path: "notes.sqlite").path)
            try pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE note(
                            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, title TEXT NOT NULL,
                            body TEXT NOT NULL)
                        """)
                switch kind {
                case .plain: break
                case .logged: try SearchableTable<FollowedNote>.install(db, Self.definition)
                case .fts5: try db.execute(sql: Self.fts5)
                case .idleTrigger:
                    try db.execute(
                        sql: "CREATE TRIGGER idle AFTER INSERT ON note BEGIN SELECT 1; END")
                case .leastTrigger:
                    try db.execute(
                        sql: """
                            CREATE TABLE least(number INTEGER);
                            CREATE TRIGGER least AFTER INSERT ON note BEGIN INSERT INTO least VALUES (1); END
                            """)
                }
            }
            return pool
        }

        func openTable(
            _ pool: DatabasePool, polling: Duration? = nil
        ) throws -> SearchableTable<FollowedNote> {
            let place = URL(fileURLWithPath: pool.path).deletingLastPathComponent()
            var options = FollowerOptions()
            options.polling = polling
            return try SearchableTable(
                pool, index: place.appending(path: "index"), Self.definition, options: options)
        }

        /// Inserts rows in one transaction.
        func insert(_ range: Range<Int>, _ pool: DatabasePool) throws {
            try pool.write { db in
                let insert = try db.makeStatement(sql: "INSERT INTO note VALUES (?, ?, ?, ?)")
                for place in range {
                    let text = texts[place % texts.count]
                    try insert.execute(arguments: [place, place % 1_000, text.title, text.body])
                }
            }
        }

        /// Inserts rows one a transaction; `isKept` as records are inserted, by a statement that
        /// was compiled before.
        func insertEach(_ range: Range<Int>, _ pool: DatabasePool, isKept: Bool) throws {
            let sql = "INSERT INTO note VALUES (?, ?, ?, ?)"
            for place in range {
                let text = texts[place % texts.count]
                try pool.write { db in
                    let insert =
                        try isKept ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
                    try insert.execute(arguments: [place, place % 1_000, text.title, text.body])
                }
            }
        }

        /// Gives every row the text of another one, in one transaction.
        func updateAll(_ pool: DatabasePool) throws {
            try pool.write { db in
                let update = try db.makeStatement(
                    sql: "UPDATE note SET title = ?, body = ? WHERE id = ?")
                for place in texts.indices {
                    let text = texts[(place + 7) % texts.count]
                    try update.execute(arguments: [text.title, text.body, place])
                }
            }
        }
    }

    /// Processor time that `body` takes, of all threads.
    func processorTime(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ProcessFigures.processSeconds
        try await body()
        return ProcessFigures.processSeconds - start
    }
#endif
