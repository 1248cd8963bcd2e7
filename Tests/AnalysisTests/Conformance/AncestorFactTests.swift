import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What the ancestor's own tests state, over names made here.
@Suite("What the ancestor's tests state")
struct AncestorFactTests {
    private static let firstNames = [
        "Jane", "Ethan", "Beth", "Peter", "Robert", "James", "Thea", "Ruth", "Vera", "Ernest",
        "Ajay", "Hannah", "Oscar", "Lucia", "Colette", "Walter", "Gerd", "Nadja", "Simon",
        "Timothy",
    ]
    private static let lastNames = [
        "Smith", "Jackson", "Bennet", "Miller", "Baker", "Keith", "Everett", "Olsen", "Ortega",
        "Banerjee",
    ]
    /// 200 names; the weight of each is its number.
    private static let names = firstNames.flatMap { first in lastNames.map { "\(first) \($0)" } }

    private func makeIndex() throws -> PlainNoteIndex {
        try PlainNoteIndex(
            Self.names.enumerated().map {
                PlainNote("\($0)", $1, weight: Double($0), context: ["name": .string($1)])
            })
    }

    private func names(holding part: String) -> [String] {
        Self.names.filter { $0.lowercased().contains(part) }
    }

    @Test func nameWithAccents() throws {
        let name = "Marc-André Jenkins"
        let notes = [PlainNote("1", name, context: ["name": .string(name)])]
        let index = try PlainNoteIndex(notes)
        let items = try index.index.searchResults(forKeyword: "a")
        #expect(items.map(\.context) == [["name": .string(name)]])
        #expect(try index.texts("a", in: notes) == ["a", "A"])
    }

    @Test func nameMatching() throws {
        let index = try makeIndex()
        let items = try index.index.searchResults(forKeyword: "ja")
        #expect(items.count == names(holding: "ja").count)
        for item in items {
            let name = Self.names[Int(item.weight)]
            #expect(!item.resultTokens.isEmpty)
            for token in item.resultTokens {
                let rest = name.utf16.dropFirst(token.word + token.token)
                #expect(String(rest)?.lowercased().hasPrefix("ja") == true)
                let range = try #require(item.range(of: token, in: name))
                #expect(name[range].lowercased() == "ja")
            }
        }
    }

    @Test func nameOrdering() throws {
        let index = try makeIndex()
        let weights = try index.index.searchResults(forKeyword: "er").map(\.weight)
        #expect(weights.count == names(holding: "er").count)
        #expect(zip(weights, weights.dropFirst()).allSatisfy(>))
    }

    @Test func nameContext() throws {
        let index = try makeIndex()
        index.index.objectGetter = { data in
            PlainNote(Self.names[Int(String(decoding: data, as: UTF8.self)) ?? 0])
        }
        let items = try index.index.searchResults(forKeyword: "th")
        #expect(items.count == names(holding: "th").count)
        for item in items {
            #expect(item.context["name"] == item.object.map { .string($0.id) })
        }
    }

    @Test func removal() throws {
        let index = try makeIndex()
        for item in try index.index.searchResults(forKeyword: "th") {
            index.index.removeIndex(forIdentifier: item.identifier)
        }
        index.index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try index.ids("th").isEmpty)
        #expect(index.index.count == Self.names.count - names(holding: "th").count)
    }

    @Test func update() throws {
        let index = try makeIndex()
        let before = Set(try index.ids("er"))
        var updated: Set<String> = []
        for item in try index.index.searchResults(forKeyword: "et") {
            var name = Self.names[Int(item.weight)]
            for token in item.resultTokens.reversed() {
                name.replaceSubrange(try #require(item.range(of: token, in: name)), with: "er")
            }
            index.index.updateIndex(for: PlainNote(item.id, name, weight: item.weight))
            updated.insert(item.id)
        }
        index.index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try index.ids("et").isEmpty)
        #expect(!updated.isEmpty)
        #expect(Set(try index.ids("er")) == before.union(updated))
    }

    @Test(
        "Large texts are indexed with and without every occurrence of a word",
        arguments: [true, false])
    func largeText(discardsDuplicates: Bool) throws {
        var generator = SeededGenerator(seed: 20)
        let words = ["duck", "goose", "that", "hut", "chant", "hot"]
        let notes = (0..<20).map { number in
            let filler = (0..<3000).compactMap { _ in words.randomElement(using: &generator) }
            let hit = number < 11 ? ["chat", "Chatham", "what", "chat"] : []
            return PlainNote("\(number)", (filler + hit + filler).joined(separator: " "))
        }
        let index = try PlainNoteIndex(notes) {
            $0.discardDuplicateTokens = discardsDuplicates
            $0.indexesStopWords = false
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            let items = try index.index.searchResults(forKeyword: "hat")
            #expect(items.count == 11)
            #expect(items.allSatisfy { $0.resultTokens.count == (discardsDuplicates ? 2 : 3) })
        }
    }
}
