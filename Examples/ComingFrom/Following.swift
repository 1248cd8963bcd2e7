// The code of Documentation/Following.md, for the compiler: make documents compares.
#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    func following(_ database: DatabasePool, _ directory: URL) async throws {
        let notes = try SearchableTable(
            database, index: directory,
            SearchDefinition<Note>(columns: ["title", "body"]) { note in
                IndexedObject(strings: [note.title, note.body])
            })
        try notes.start()

        try await notes.catchUp()
        for hit in try await notes.search("pekin duck").hits { print(hit.record.title) }
    }

    func conditions(_ database: DatabasePool, _ notes: SearchableTable<Note>) async throws -> ([Note], Int) {
        let page = try await notes.search("duck", where: Note.filter(Column("folder") == 3), limit: 20)

        let recent = try await database.read { db in
            try Note.order(Column("date").desc).matching(.prefix("duck"), in: notes).limit(20).fetchAll(db)
        }
        return (recent, page.hits.count)
    }

    struct Tag: Codable, FetchableRecord, TableRecord, Sendable {
        var id: Int64
        var name: String
    }

    struct PhotoTag: Codable, FetchableRecord, TableRecord, Sendable {
        static let tag = belongsTo(Tag.self)
        var photoId: Int64
        var tagId: Int64
    }

    struct Photo: Codable, FetchableRecord, TableRecord, Sendable {
        static let photoTags = hasMany(PhotoTag.self)
        static let tags = hasMany(Tag.self, through: photoTags, using: PhotoTag.tag)
        var id: Int64
        var name: String
    }

    struct PhotoInfo: Codable, FetchableRecord, Sendable {
        var id: Int64
        var name: String
        var tags: [Tag]
    }

    func relations() -> SearchDefinition<PhotoInfo> {
        let photos = SearchDefinition<PhotoInfo>(
            table: "photo", columns: ["name"],
            request: Photo.including(all: Photo.tags).asRequest(of: PhotoInfo.self),
            dependencies: [
                .rows(of: "photoTag", naming: ["photoId"], columns: ["tagId"]),
                .rows(of: "tag", columns: ["name"], namedBy: "SELECT photoId FROM photoTag WHERE tagId = :id"),
            ]
        ) { photo in IndexedObject(strings: [photo.name] + photo.tags.map(\.name)) }
        return photos
    }

    func forgetting(_ database: DatabasePool, _ deleted: URL) throws {
        try database.write { db in
            for consumer in try LogConsumer.all(db) where consumer.place == deleted.path {
                try LogConsumer.forget(consumer.name, db)
            }
        }
    }

    func anySource<Source: ChangeSource>(
        _ index: TextIndex<Source.Object>, _ source: Source
    ) throws -> IndexFollower<Source> {
        let follower = try IndexFollower(index, following: source)
        try follower.start()
        return follower
    }

    func behind(
        _ published: TextIndex<Note>, _ reader: DatabaseQueue, _ definition: SearchDefinition<Note>
    ) throws {
        if let state = try published.followedState(named: "note") {
            print(try TableSource(reader, definition).changeCount(after: state.position))
        }
    }

    func drift(_ notes: SearchableTable<Note>) async throws {
        let drift = try await notes.follower.drift()
        if !drift.isEmpty { try await notes.follower.repairDrift() }
    }

    func states(_ index: TextIndex<Note>, _ note: Note, _ identifier: Data, _ position: Data) async throws {
        let known = try index.clientState(named: "notes")
        try await index.apply([
            .index(note), .remove(identifier),
            .mark(ClientState("notes", position, expecting: .some(known))),
        ])
    }

    func items(_ directory: URL, _ position: Data) async throws {
        let items = try ItemIndex(at: directory)
        try await items.batch(expecting: .some(try items.lastClientState), storing: position) { batch in
            batch.index([SearchableItem(id: "1", domain: "mail.inbox", attributes: .init(title: "Pekin duck"))])
            batch.delete(domains: ["mail.trash"])
        }
        for item in try await items.items(matching: "title == 'pekin*'cd && rating >= 3") { print(item.id) }
    }
#endif
