#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Rows that are searched by what other tables say of them.
    @Suite("A searchable table and the tables it depends on", .timeLimit(.minutes(10)))
    struct RelationTests {
        struct Tag: Codable, FetchableRecord, TableRecord, Sendable, Hashable {
            static let databaseTableName = "tag"
            var id: Int64
            var name: String
        }

        struct Photo: TableRecord {
            static let databaseTableName = "photo"
            static let joins = hasMany(Join.self)
            static let tags = hasMany(Tag.self, through: joins, using: Join.tag).forKey("tags")
        }

        struct Join: TableRecord {
            static let databaseTableName = "photoTag"
            static let tag = belongsTo(Tag.self)
        }

        struct PhotoInfo: Codable, FetchableRecord, TableRecord, Sendable {
            static let databaseTableName = "photo"
            var id: Int64
            var name: String
            var tags: [Tag]
        }

        private static let schema = """
            CREATE TABLE photo(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
            CREATE TABLE photoTag(
                id INTEGER PRIMARY KEY,
                photoId INTEGER NOT NULL REFERENCES photo(id) ON DELETE CASCADE,
                tagId INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE,
                UNIQUE (photoId, tagId));
            """

        private static let definition = SearchDefinition<PhotoInfo>(
            columns: ["name"],
            request: Photo.including(all: Photo.tags).asRequest(of: PhotoInfo.self),
            dependencies: [
                .rows(of: "photoTag", naming: ["photoId"], columns: ["tagId"]),
                .rows(
                    of: "tag", columns: ["name"],
                    namedBy: "SELECT photoId FROM photoTag WHERE tagId = :id"),
            ]
        ) { photo in
            IndexedObject(
                strings: [photo.name] + photo.tags.map(\.name).sorted(),
                context: ["stamp": .string(stamp(photo))])
        }

        private static func stamp(_ photo: PhotoInfo) -> String {
            "\(photo.name): \(photo.tags.map(\.name).sorted())"
        }

        private func open(_ pool: DatabasePool, _ place: Place) throws -> SearchableTable<PhotoInfo>
        {
            var options = quietOptions
            options.slice.count = 7
            return try SearchableTable(pool, index: place.index, Self.definition, options: options)
        }

        private func expectSame(
            _ photos: SearchableTable<PhotoInfo>, _ pool: DatabasePool, _ comment: Comment
        ) async throws {
            let wanted = try await pool.read {
                try #require(Self.definition.request).fetchAll($0)
            }.map(Self.stamp).sorted()
            let found = try await photos.index.search(.everything, limit: 1_000).map { item in
                if case .string(let stamp) = item.context["stamp"] { stamp } else { "" }
            }.sorted()
            #expect(found == wanted, comment)
        }

        private static func mutate(_ db: Database, _ generator: inout SeededGenerator) throws {
            let (photo, tag) = (generator.int(1...20), generator.int(1...8))
            let name = generator.text(1)
            switch generator.int(0...9) {
            case 0:
                try db.execute(sql: "REPLACE INTO photo VALUES (?, ?)", arguments: [photo, name])
            case 1:
                try db.execute(
                    sql: "UPDATE photo SET name = ? WHERE id = ?", arguments: [name, photo])
            case 2: try db.execute(sql: "DELETE FROM photo WHERE id = ?", arguments: [photo])
            case 3:
                // Deletes the tag that has the name already.
                try db.execute(sql: "REPLACE INTO tag VALUES (?, ?)", arguments: [tag, name])
            case 4:
                try db.execute(
                    sql: "UPDATE OR REPLACE tag SET name = ? WHERE id = ?", arguments: [name, tag])
            case 5: try db.execute(sql: "DELETE FROM tag WHERE id = ?", arguments: [tag])
            case 6:
                try db.execute(
                    sql: "DELETE FROM photoTag WHERE id = ?", arguments: [generator.int(1...30)])
            default:
                // May take the place of a join of another photo.
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO photoTag SELECT ?, photo.id, tag.id FROM photo, tag
                        WHERE photo.id = ? AND tag.id = ?
                        """, arguments: [generator.int(1...30), photo, tag])
            }
        }

        @Test(
            "Whatever changes in any of the tables, the index is what they say together",
            arguments: 0..<4)
        func oracle(series: Int) async throws {
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try $0.execute(sql: Self.schema) }
            let photos = try open(pool, place)
            for step in 0..<80 {
                for _ in 0..<generator.int(1...4) {
                    let before = generator
                    generator = try await pool.write { db in
                        var generator = before
                        for _ in 0..<generator.int(1...3) { try Self.mutate(db, &generator) }
                        return generator
                    }
                }
                try await photos.catchUp()
                try await expectSame(photos, pool, "seed \(seed), step \(step)")
            }
            #expect(try await photos.follower.drift().isEmpty, "seed \(seed)")
            let page = try await photos.search("duck")
            #expect(
                page.hits.allSatisfy { hit in
                    Self.stamp(hit.record).contains("duck")
                })
            try await photos.close()
        }

        @Test("What is in quotation marks or a comment of a query for keys stays as it is")
        func quotedKeys() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(sql: Self.schema)
                try db.execute(
                    sql: """
                        ALTER TABLE photoTag ADD COLUMN "a:id" TEXT DEFAULT 'it''s:id';
                        INSERT INTO photo VALUES (1, 'lake');
                        INSERT INTO tag VALUES (5, 'duck');
                        INSERT INTO photoTag(photoId, tagId) VALUES (1, 5);
                        """)
            }
            let definition = SearchDefinition<PhotoInfo>(
                columns: ["name"], request: Self.definition.request,
                dependencies: [
                    .rows(
                        of: "tag", columns: ["name"],
                        namedBy: """
                            SELECT photoId FROM photoTag WHERE "a:id" = 'it''s:id' /* :none */ AND tagId = :id -- :none
                            """)
                ]
            ) { IndexedObject(strings: [$0.name] + $0.tags.map(\.name)) }
            let photos = try SearchableTable(
                pool, index: place.index, definition, options: quietOptions)
            try await photos.catchUp()
            try await pool.write { try $0.execute(sql: "UPDATE tag SET name = 'goose'") }
            try await photos.catchUp()
            #expect(try await photos.search("goose").hits.count == 1)
            try await photos.close()
        }

        @Test("A dependency that cannot be is refused before anything is written")
        func refusals() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try $0.execute(sql: Self.schema) }
            for (dependency, message) in [
                (SearchDependency.rows(of: "none", naming: ["photoId"]), "no table \"none\""),
                (.rows(of: "photoTag", naming: ["photo"]), "no column \"photo\""),
                (.rows(of: "photoTag", naming: ["photoId", "tagId"]), "2 columns"),
                (
                    .rows(of: "tag", columns: ["name"], namedBy: "SELECT photo FROM photoTag"),
                    "is none"
                ),
                (
                    .rows(of: "tag", columns: ["name"], namedBy: "SELECT * FROM photoTag"),
                    "3 columns"
                ),
                (
                    .rows(
                        of: "tag", columns: ["name"],
                        namedBy: "SELECT photoId FROM photoTag WHERE tagId = :tag"), "is none"
                ),
            ] {
                let definition = SearchDefinition<PhotoInfo>(
                    columns: ["name"], dependencies: [dependency]
                ) { _ in nil }
                #expect {
                    _ = try SearchableTable(pool, index: place.index, definition)
                } throws: {
                    let error = $0 as? TextIndexError
                    return error?.code == .invalidArgument
                        && error?.message.contains(message) == true
                }
            }
            let names = try await pool.read {
                try String.fetchAll(
                    $0, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'grdb_*'")
            }
            #expect(names == [])
        }
    }
#endif
