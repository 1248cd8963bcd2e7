import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Indexes of objects that key paths describe, and searches over them.
@Suite("Objects described by key paths")
struct KeyPathTests {
    private struct Note: Sendable, Identifiable {
        var id: Int
        var title: String
        var body: String?
        var tags: [String] = []
        var year = 2_000
        var rating: Double?

        var shout: String { title.uppercased() }
    }

    private static let notes = [
        Note(id: -3, title: "White whale", body: "Call me Ishmael.", tags: ["sea"], year: 1_851),
        Note(id: 7, title: "Whales of today", tags: ["sea", "news"], year: 2_001, rating: 4),
        Note(id: 40_000, title: "Gardens", body: "No white whale here.", year: 2_010, rating: 2),
    ]

    private static func open(_ folder: URL) async throws -> TextIndex<Note> {
        let index = try TextIndex(
            at: folder, text: [\Note.title, \.body, \.tags],
            attributes: ["year": \.year, "rating": \.rating, "tags": \.tags]
        ) { id in notes.first { $0.id == id } }
        try await index.indexObjects(notes)
        return index
    }

    private struct Letter: Sendable {
        struct Person: Sendable { var name: String }
        var id: Int
        var sender: Person
        var receiver: Person
        var text: String
    }

    @Test("Properties of one name, and one that is named twice, are called by their places")
    func equalNames() async throws {
        let folder = try TemporaryFolder("paths")
        let index = try TextIndex(
            at: folder("index"), id: \Letter.id,
            text: [\.sender.name, \.receiver.name, \.text, \.text])
        #expect(index.configuration.fields == ["0", "1", "2", "3"])
        try await index.indexObjects([
            Letter(
                id: 1, sender: .init(name: "Ishmael"), receiver: .init(name: "Queequeg"),
                text: "whale")
        ])
        #expect(
            try await index.search(.field("1", .term("queequeg"))).map(\.identifier)
                == [1.indexIdentifier])
        #expect(try await index.search(.field("0", .term("queequeg"))).isEmpty)
        #expect(
            try await index.search("3:whale").map(\.identifier) == [1.indexIdentifier])
        try await index.shutdown()
        let named = try TextIndex(
            at: folder("named"), id: \Letter.id, text: [\.sender.name, \.receiver.name],
            fields: ["from", "to"])
        #expect(named.configuration.fields == ["from", "to"])
        try await named.shutdown()
    }

    @Test("Identifiers, fields, attributes and objects come from key paths")
    func everyday() async throws {
        let folder = try TemporaryFolder("paths")
        let index = try await Self.open(folder("index"))
        #expect(index.configuration.fields == ["title", "body", "tags"])
        let found = try await index.search(
            "white whale", filter: .attribute("year", .greater(1_990)), steps: .exact)
        #expect(found.map(\.id) == [40_000])
        #expect(found.items[0].object?.title == "Gardens")
        let old = try await index.search(
            "whale", filter: .attribute("year", .less(Self.notes[1].year)))
        #expect(old.map(\.id) == [-3])
        let highlighted = old.items[0].highlighted("title")
        #expect(String(highlighted.characters) == "White whale")
        let matches = highlighted.runs.filter { $0[SearchMatchAttribute.self] == true }
        #expect(matches.map { String(highlighted[$0.range].characters) } == ["whale"])
        #expect(old.items[0].highlighted("none").characters.isEmpty)
        // Query text reads the attributes, too.
        #expect(try await index.search("whale rating:>3").map(\.id) == [7])
        try await index.shutdown()
    }

    @Test("Fields restrict words and steps, alone and several together")
    func fields() async throws {
        let folder = try TemporaryFolder("paths")
        let index = try await Self.open(folder("index"))
        func ids(_ text: String, _ fields: [String]) throws -> [Int] {
            try index.search(text, fields: fields).map(\.id).sorted()
        }
        #expect(try ids("whale", ["body"]) == [40_000])
        #expect(try ids("whale", ["title"]) == [-3, 7])
        #expect(try ids("whale", ["title", "body"]) == [-3, 7, 40_000])
        // A typing error is found by the steps, in these fields alone.
        #expect(try ids("ishmeal", ["title", "body"]) == [-3])
        #expect(try ids("ishmeal", ["title", "tags"]) == [])
        #expect(
            try await index.search(.term("sea"), fields: ["tags", "body"]).map(\.id).sorted() == [
                -3, 7,
            ])
        try await index.shutdown()
    }

    @Test("What names its own field counts once; synonyms are found beside a typing error")
    func parts() async throws {
        let folder = try TemporaryFolder("paths")
        let index = try await Self.open(folder("index"))
        let alone = try await index.search("title:whale")
        let within = try await index.search("title:whale", fields: ["body", "tags"])
        let (expected, found) = (alone.map { $0.score }, within.map { $0.score })
        #expect(expected.count == 2 && found == expected)
        // Words of an alternative may be in different fields, too.
        let either = try await index.search(
            "(gardens whale) OR zebra", fields: ["title", "body"], steps: .exact)
        #expect(either.map { $0.id } == [40_000])
        try await index.shutdown()

        var configuration = TextIndexConfiguration()
        configuration.synonyms = [.equivalent("car", "automobile")]
        let notes = try TextIndex(
            at: folder("synonyms"), id: \Note.id, text: [\.title], configuration: configuration)
        _ = try await notes.indexObject(Note(id: 1, title: "Automobile running")).value()
        let steps = try await notes.search("car runing").map { $0.matchedBy }
        #expect(steps == [SearchSteps.typos])
        try await notes.shutdown()
    }

    @Test("Facets come with the results, of texts, queries and awaited searches")
    func facets() async throws {
        let folder = try TemporaryFolder("paths")
        let index = try await Self.open(folder("index"))
        let facet = Facet.values(of: "tags")
        let text = try await index.search("whale*", limit: 1, facets: [facet])
        let query = try await index.search(.prefix("whale"), limit: 1, facets: [facet])
        let awaited = try await index.search("whale*", limit: 1, facets: [facet])
        for found in [text, query, awaited] {
            #expect(found.count == 1 && found.totalCount == 3)
            #expect(found.facets.count == 1)
            let counts = found.facets[0].buckets.map { "\($0.key): \($0.count)" }
            #expect(counts == ["\"sea\": 2", "\"news\": 1"])
        }
        #expect(try await index.search("whale").facets.isEmpty)
        try await index.shutdown()
    }

    @Test(
        "Other types than text and attributes are refused, and a computed property has a place for a name"
    )
    func types() throws {
        let folder = try TemporaryFolder("paths")
        #expect(throws: TextIndexError.self) {
            _ = try TextIndex(at: folder("index"), id: \Note.id, text: [\Note.year])
        }
        struct Odd: Sendable {
            var id = ""
            var text = ""
            var place = 0..<3
        }
        #expect(throws: TextIndexError.self) {
            _ = try TextIndex(
                at: folder("index"), id: \Odd.id, text: [\Odd.text], attributes: ["at": \.place])
        }
        let index = try TextIndex(at: folder("index"), id: \Note.id, text: [\Note.title, \.shout])
        #expect(index.configuration.fields == ["title", "1"])
        try index.close()
        let named = try TextIndex(
            at: folder("named"), id: \Note.title, text: [\Note.shout], fields: ["loud"])
        #expect(named.configuration.fields == ["loud"])
        try named.close()
    }
}

/// The binary forms of identifiers.
@Suite("Identifiers of everyday types")
struct IndexIdentifierTests {
    @Test("Integers sort as numbers and are read again", arguments: testSeeds(3))
    func integers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func check<Number: FixedWidthInteger & IndexIdentifier>(_ type: Number.Type) {
            var numbers = (0..<200).map { _ in Number.random(in: .min ... .max, using: &generator) }
            numbers += [.min, .max, 0, 1]
            for number in numbers {
                let bytes = number.indexIdentifier
                #expect(bytes.count == Number.bitWidth / 8)
                #expect(Number(indexIdentifier: bytes) == number, "seed \(seed)")
            }
            let sorted = numbers.sorted {
                $0.indexIdentifier.lexicographicallyPrecedes($1.indexIdentifier)
            }
            #expect(sorted == numbers.sorted(), "seed \(seed)")
        }
        check(Int.self)
        check(Int8.self)
        check(Int16.self)
        check(Int32.self)
        check(Int64.self)
        check(UInt.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        check(UInt64.self)
    }

    @Test("Strings, UUIDs and bytes are read again; bytes of other lengths are taken as they are")
    func others() {
        let uuid = UUID()
        #expect(UUID(indexIdentifier: uuid.indexIdentifier) == uuid)
        #expect(uuid.indexIdentifier.count == 16)
        #expect(String(indexIdentifier: "naïve 北".indexIdentifier) == "naïve 北")
        #expect(Data(indexIdentifier: Data([1, 2]).indexIdentifier) == Data([1, 2]))
        #expect(UInt16(indexIdentifier: Data([1])) == 256)
        #expect(UInt16(indexIdentifier: Data([1, 2, 3])) == 258)
        #expect(UUID(indexIdentifier: Data()).uuidString.allSatisfy { $0 == "0" || $0 == "-" })
    }
}

/// Attributes and comparisons of everyday types.
@Suite("Attributes of everyday types")
struct AttributeConvertibleTests {
    @Test("Values of everyday types become attributes; what is nil is left out")
    func values() {
        let (price, name): (Double, String) = (4.5, "Lamp")
        let none: Int? = nil
        let day = Date(timeIntervalSinceReferenceDate: 9)
        let object = IndexedObject(
            strings: [],
            attributes: [
                "price": price, "name": name, "none": none, "day": day, "sizes": [1, 2],
                "new": true,
                "some": Optional(3), "value": AttributeValue.number(1),
            ])
        let expected: [String: AttributeValue] = [
            "price": 4.5, "name": "Lamp", "day": .date(day), "sizes": [1, 2], "new": true,
            "some": 3, "value": 1,
        ]
        #expect(object.attributes == expected)
    }

    @Test("Comparisons with everyday types are those with attribute values")
    func comparisons() {
        let (number, text) = (7, "red")
        #expect(AttributeComparison.equal(text) == .equal(.string("red")))
        #expect(AttributeComparison.notEqual(number) == .notEqual(7))
        #expect(AttributeComparison.less(number) == .less(7))
        #expect(AttributeComparison.lessOrEqual(number) == .lessOrEqual(7))
        #expect(AttributeComparison.greater(number) == .greater(7))
        #expect(AttributeComparison.greaterOrEqual(number) == .greaterOrEqual(7))
        #expect(AttributeComparison.in([text, "blue"]) == .in([.string("red"), .string("blue")]))
        #expect(AttributeComparison.range(1..<number) == .range(AttributeValue.number(1)..<7))
        #expect(AttributeComparison.range(1...number) == .range(AttributeValue.number(1)...7))
        let none: Int? = nil
        #expect(AttributeComparison.equal(none) == .in([AttributeValue]()))
    }
}
