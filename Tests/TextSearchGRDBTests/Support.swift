#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import TextSearch
    import TextSearchGRDB

    struct Note: Codable, FetchableRecord, PersistableRecord, Sendable, Hashable {
        static let databaseTableName = "note"
        var id: Int64
        var slug: String?
        var folder: Int64 = 0
        var title: String
        var body: String
    }

    extension SeededGenerator {
        mutating func text(_ count: Int) -> String {
            let words = ["duck", "goose", "orange", "sugar", "glaze", "torch", "oven", "river"]
            return (0..<count).map { _ in words[int(0...(words.count - 1))] }
                .joined(separator: " ")
        }
    }

    /// A database and an index in a directory of their own, removed when nobody holds it any more.
    final class Place: Sendable {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory
                .appendingPathComponent("grdb-\(UUID().uuidString)", isDirectory: true)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        var database: URL { url.appendingPathComponent("db.sqlite") }
        var index: URL { url.appendingPathComponent("index") }

        func pool() throws -> DatabasePool { try DatabasePool(path: database.path) }

        /// Another connection, which waits where a followed table writes to its log meanwhile.
        func otherConnection() throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            return try DatabaseQueue(path: database.path, configuration: configuration)
        }
    }

    /// No clock: tests ask.
    var quietOptions: FollowerOptions {
        var options = FollowerOptions()
        options.polling = nil
        return options
    }

    let noteDefinition = SearchDefinition<Note>(columns: ["title", "body"]) { note in
        IndexedObject(
            strings: [note.title, note.body],
            context: ["stamp": .string("\(note.title)|\(note.body)")])
    }

    func createNotes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE note(
                    id INTEGER PRIMARY KEY, slug TEXT UNIQUE, folder INTEGER NOT NULL DEFAULT 0,
                    title TEXT NOT NULL, body TEXT NOT NULL)
                """)
    }

    func openNotes(
        _ writer: any DatabaseWriter, _ place: Place, slice: Int = 4_000
    ) throws -> SearchableTable<Note> {
        var options = quietOptions
        options.slice.count = slice
        return try SearchableTable(writer, index: place.index, noteDefinition, options: options)
    }

    /// What the index has otherwise than the table; nothing where it is right.
    func differences(
        _ table: SearchableTable<Note>, _ writer: any DatabaseWriter
    ) async throws -> [String] {
        let notes = try await writer.read { try Note.fetchAll($0) }
        var found: [String] = []
        if table.index.count != notes.count {
            found.append("\(table.index.count) objects for \(notes.count) rows")
        }
        for note in notes {
            let hits = try table.index.results(with: note)
            if hits != 1 { found.append("row \(note.id)") }
        }
        return found
    }

    extension TextIndex<Note> {
        /// 1 where the index has a row as it is.
        fileprivate func results(with note: Note) throws -> Int {
            // The form of an integer key, written out.
            let bits = UInt64(bitPattern: note.id) ^ 1 << 63
            let identifier = Data([1]) + withUnsafeBytes(of: bits.bigEndian) { Data($0) }
            let stamp = try item(for: identifier)?.context["stamp"]
            return stamp == .string("\(note.title)|\(note.body)") ? 1 : 0
        }
    }
#endif
