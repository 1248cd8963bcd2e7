// The code of Documentation/ComingFrom.md, for the compiler: make documents compares. That of Core Data is in Examples/Apple.
#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    struct Note: Codable, FetchableRecord, PersistableRecord, Sendable {
        var id: Int64
        var folder: Int64
        var title: String
        var body: String
        var isDraft: Bool
    }

    // MARK: RestKit

    func restKit(_ database: DatabasePool, _ directory: URL) throws -> SearchableTable<Note> {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .english
        let notes = try SearchableTable(
            database, index: directory,
            SearchDefinition<Note>(columns: ["title", "body"]) { note in
                IndexedObject(strings: [note.title, note.body])
            }, configuration: configuration)
        try notes.start()
        return notes
    }

    func restKitPredicate(_ database: DatabasePool, _ notes: SearchableTable<Note>) throws -> [Note] {
        let query = Query.all(of: [.prefix("duck"), .prefix("lake")])
        let found = try database.read { db in
            try Note.order(Column("date").desc).matching(query, in: notes).fetchAll(db)
        }
        return found
    }

    func restKitDelegate() -> SearchDefinition<Note> {
        let definition = SearchDefinition<Note>(columns: ["title", "isDraft"]) { note in
            note.isDraft ? nil : IndexedObject(strings: [note.title])
        }
        return definition
    }

    // MARK: Core Spotlight

    func spotlightItems(_ directory: URL, _ show: ([SearchableItem]) -> Void) async throws {
        // here
        let items = try ItemIndex(at: directory)
        try await items.index([
            SearchableItem(id: "1", domain: "mail.inbox", attributes: ItemAttributes(title: "Pekin duck"))
        ])
        try await items.delete(domains: ["mail"])

        let query = try ItemQuery(parsing: "title == 'pekin*'cd")
        for try await batch in try await items.batches(matching: query) { show(batch) }
    }

    func spotlightBatch(_ items: ItemIndex, _ changed: [SearchableItem], _ next: Data) async throws {
        // here: nothing is stored if the last state is another one
        try await items.batch(expecting: .some(try items.lastClientState), storing: next) { batch in
            batch.index(changed)
        }
    }

    // MARK: FTS5

    func fts5(
        _ database: DatabasePool, _ db: Database, _ directory: URL, _ definition: SearchDefinition<Note>
    ) throws -> SearchableTable<Note> {
        // here, in a migration: drops the FTS5 table and its triggers
        let configuration = try SearchableTable<Note>.replaceFTS5(db, table: "note_ft")
        // and then
        let notes = try SearchableTable(
            database, index: directory, definition, configuration: configuration)
        return notes
    }

    func fts5Search(_ notes: SearchableTable<Note>) async throws -> SearchPage<Note> {
        let page = try await notes.search("pekin duck", where: Note.filter(Column("folder") == 3), limit: 20)
        return page
    }
#endif
