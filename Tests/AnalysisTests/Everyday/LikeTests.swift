import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Attributes but for case and accents")
struct LikeTests {
    private static let values = [
        "Bosch", "bosch", "BÖSCH", "Boscha", "", "Straße", "STRASSE", "Dark Blue", "dark  blue",
    ]

    private struct Thing: Sendable {
        var id: String
        var value: AttributeValue
    }

    private func index(_ things: [Thing]) throws -> TextIndex<Thing> {
        var configuration = TextIndexConfiguration()
        configuration.attributes = ["brand"]
        let index = try TextIndex<Thing>(
            at: temporaryDirectory("like"), configuration: configuration)
        index.identifier = { Data($0.id.utf8) }
        index.indexer = { thing, _ in
            IndexedObject(strings: ["thing"], attributes: ["brand": thing.value])
        }
        for thing in things { index.indexObject(thing).waitUntilFinished() }
        return index
    }

    /// As it is said, slowly: equal once each is folded.
    private func expected(_ text: String, _ things: [Thing]) -> Set<String> {
        func fold(_ text: String) -> String { Folder().fold(text) }
        return Set(
            things.filter { thing in
                thing.value.scalars.contains {
                    if case .string(let own) = $0 { fold(own) == fold(text) } else { false }
                }
            }.map(\.id))
    }

    @Test(
        "Like finds the objects that a look at each does, in memory, flushed and merged",
        arguments: testSeeds(4)
    )
    func oracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let things = (0..<200).map { number in
            let value: AttributeValue =
                switch generator.int(0...4) {
                case 0: .number(Double(number % 5))
                case 1: .array([.string(generator.element(Self.values)), .number(1)])
                default: .string(generator.element(Self.values))
                }
            return Thing(id: "\(number)", value: value)
        }
        let index = try index(things)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: index.directory)
        }
        for stage in Stage.allCases {
            switch stage {
            case .memory: break
            case .flushed: try index.flush()
            case .optimized: try index.optimize()
            }
            for text in Self.values + ["nothing", "straße"] {
                let comment: Comment = "seed \(seed), \(stage): \(text)"
                let query = Query.attribute("brand", .like(text))
                let found = try index.search(query, limit: 1_000).map {
                    String(decoding: $0.identifier, as: UTF8.self)
                }
                #expect(Set(found) == expected(text, things), comment)
                #expect(index.queryParser.parse(query.description).query == query, comment)
                let coded = try JSONDecoder().decode(Query.self, from: JSONEncoder().encode(query))
                #expect(coded == query, comment)
            }
        }
    }

    @Test("A colon in query text means like; an equals sign is exact")
    func queryText() throws {
        let index = try index(
            ["Bosch", "bosch", "Dark Blue"].enumerated().map {
                Thing(id: "\($0)", value: .string($1))
            })
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: index.directory)
        }
        for (text, count) in [
            ("brand:bosch", 2), ("brand:=bosch", 1), ("brand:=Bosch", 1), ("brand:BOSCH", 2),
            ("brand:\"dark blue\"", 1), ("brand:=\"dark blue\"", 0), ("brand:(bosch OR dark)", 2),
            ("thing -brand:bosch", 1),
        ] {
            #expect(try index.search(text).count == count, "\(text)")
        }
    }

    @Test("What looks like a number or a truth value is a text, too, but for case and width")
    func otherKinds() throws {
        let values: [AttributeValue] = [
            "True", "TRUE", .bool(true), "true", "1E5", .number(100_000), "NAN", .number(12),
            "\u{FF11}\u{FF12}", .bool(false),
        ]
        let index = try index(values.enumerated().map { Thing(id: "\($0)", value: $1) })
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: index.directory)
        }
        for (text, found) in [
            ("brand:true", ["0", "1", "2", "3"]), ("brand:True", ["0", "1", "2", "3"]),
            ("brand:=true", ["2"]), ("brand:1e5", ["4", "5"]), ("brand:NaN", ["6"]),
            ("brand:nan", ["6"]), ("brand:12", ["7", "8"]), ("brand:FALSE", ["9"]),
        ] {
            let ids = try index.search(text, limit: .max).map {
                String(decoding: $0.identifier, as: UTF8.self)
            }
            #expect(ids.sorted() == found, "\(text)")
            let parser = index.queryParser
            let query = parser.parse(text).query
            #expect(parser.parse(query.description).query == query, "\(text)")
        }
    }
}
