import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Strings that are a text as a whole")
struct ExactlyTests {
    private static let titles = [
        "The Whale", "the whale!", "The White Whale", "Whale", "The Whale, or so", "whale the",
        "„The – Whale“", "Moby-Dick", "moby dick", "北京大学", "在北京大学", "Elle et lui",
    ]

    private func makeIndex(
        at directory: URL, _ configuration: TextIndexConfiguration = .init()
    ) throws -> TextIndex<Int> {
        var configuration = configuration
        configuration.fields = ["title", "body"]
        let index = try TextIndex<Int>(at: directory, configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            IndexedObject(strings: [Self.titles[number], "White whale. Whale"])
        }
        for number in Self.titles.indices { index.indexObject(number).waitUntilFinished() }
        return index
    }

    private func found(_ query: Query, _ index: TextIndex<Int>) throws -> [Int] {
        let items = try index.search(query, limit: 100).items
        return items.compactMap { Int(String(decoding: $0.identifier, as: UTF8.self)) }.sorted()
    }

    @Test("Words in their order and no others, in memory, flushed and reopened")
    func cases() throws {
        let folder = try TemporaryFolder("exactly")
        var index = try makeIndex(at: folder("index"))
        for stage in 0..<3 {
            if stage == 1 { try index.flush() }
            if stage == 2 {
                try index.close()
                var configuration = TextIndexConfiguration()
                configuration.fields = ["title", "body"]
                index = try TextIndex<Int>(at: folder("index"), configuration: configuration)
            }
            #expect(try found(.exactly("the whale", field: "title"), index) == [0, 1, 6])
            #expect(try found(.exactly("WHALE"), index) == [3])
            #expect(try found(.exactly("whale", field: "body"), index) == [])
            #expect(
                try found(.exactly("white whale whale"), index) == Array(Self.titles.indices))
            #expect(try found(.exactly("北京大学"), index) == [9])
            #expect(try found(.exactly("elle et lui"), index) == [11])
            #expect(try found(.exactly(""), index) == [])
            #expect(try found(.exactly("moby dick"), index).contains(8))
            // As a filter, read from text, and without what is excluded.
            #expect(
                try index.search("whale", limit: 9, filter: .exactly("whale", field: "title"))
                    .map(\.identifier) == [Data("3".utf8)])
            let parsed = try index.search("title:@exactly(\"the whale\") -title:whale", limit: 9)
            #expect(parsed.items.isEmpty)
            let item = try #require(
                try index.search(.exactly("the whale", field: "title"), limit: 1).items.first)
            #expect(item.resultTokens.map(\.wordIndex) == [0, 1])
        }
        try index.close()
    }

    @Test("Where stop words are not indexed they are places all the same")
    func stopWords() throws {
        let folder = try TemporaryFolder("exactly")
        var configuration = TextIndexConfiguration()
        configuration.indexesStopWords = false
        let index = try makeIndex(at: folder("index"), configuration)
        #expect(try found(.exactly("the whale", field: "title"), index) == [0, 1, 6])
        #expect(try found(.exactly("whale", field: "title"), index) == [3])
        #expect(try found(.exactly("whale the", field: "title"), index) == [5])
        try index.close()
    }

    @Test("A stored query of a whole string matches the objects that a search finds")
    func stored() throws {
        let folder = try TemporaryFolder("exactly")
        let index = try makeIndex(at: folder("index"))
        let queries = index.makeStoredQueries(named: String.self)
        try queries.add(.exactly("the whale", field: "title"), as: "whale")
        let matching = try Self.titles.indices.filter { try queries.matches($0) == ["whale"] }
        #expect(matching == [0, 1, 6])
        try index.close()
    }
}
