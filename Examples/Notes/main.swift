// A notes app over GRDB with full-text search: swift run --traits GRDB Notes
#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    struct Note: Codable, FetchableRecord, MutablePersistableRecord, Sendable {
        var id: Int64?
        var title: String
        var body: String
        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Notes-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try DatabasePool(path: folder.appendingPathComponent("notes.sqlite").path)
    try database.write { db in
        try db.create(table: "note") { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("title", .text).notNull()
            table.column("body", .text).notNull()
        }
    }

    let notes = try SearchableTable(
        database, index: folder.appendingPathComponent("index"),
        SearchDefinition<Note>(columns: ["title", "body"]) { note in
            IndexedObject(strings: [note.title, note.body])
        })
    try notes.start()

    try database.write { db in
        var note = Note(title: "Peking duck", body: "Glaze it with maltose, and let it dry.")
        try note.insert(db)
        var other = Note(title: "Orange sauce", body: "For the duck: sugar, vinegar, oranges.")
        try other.insert(db)
    }
    try await notes.catchUp()
    for hit in try await notes.search("duck").hits { print(hit.record.title) }  // Orange sauce, Peking duck

    try database.write { try $0.execute(sql: "DELETE FROM note WHERE title LIKE 'Orange%'") }
    try await notes.catchUp()
    for hit in try await notes.search("duk").hits { print(hit.record.title) }  // Peking duck

    try await notes.close()
    try FileManager.default.removeItem(at: folder)
#else
    print("The example needs GRDB: swift run --traits GRDB Notes")
#endif
