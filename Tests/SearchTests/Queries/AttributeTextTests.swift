import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Attributes in query text")
struct AttributeTextTests {
    @Test("Attributes named in the configuration are compared; others are text")
    func comparisons() throws {
        let directory = temporaryDirectory("attributes")
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title"]
        configuration.attributes = ["stars", "kind", "new"]
        let index = try TextIndex<Int>(at: directory, configuration: configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { stars, _ in
            IndexedObject(
                strings: ["duck \(stars)"],
                attributes: [
                    "stars": .number(Double(stars)),
                    "kind": .string(stars % 2 == 0 ? "even" : "odd"),
                    "new": .bool(stars > 3), "hidden": .number(1),
                ])
        }
        for stars in 0..<6 { index.indexObject(stars).waitUntilFinished() }
        func found(_ text: String) throws -> [Int] {
            try index.search(text).compactMap {
                Int(String(decoding: $0.identifier, as: UTF8.self))
            }
            .sorted()
        }
        for _ in 0..<2 {
            #expect(try found("duck stars:>3") == [4, 5])
            #expect(try found("stars:[1 TO 3]") == [1, 2, 3])
            #expect(try found("duck stars:<=1") == [0, 1])
            #expect(try found("kind:odd") == [1, 3, 5])
            #expect(try found("duck -kind:odd") == [0, 2, 4])
            #expect(try found("new:true") == [4, 5])
            #expect(
                try index.explain(missing: Data("1".utf8), for: "stars:>3").reason == .notMatched)
            #expect(try index.results(for: "stars:>3").count == 2)
            // Not named: words.
            let unknown = try index.search("hidden:>0")
            #expect(!unknown.diagnostics.isEmpty)
            try index.flush()
        }
    }
}
