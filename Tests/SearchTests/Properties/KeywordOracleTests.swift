import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// The engine against the model, under random work.
@Suite("Keyword search against the posting relation written out")
struct KeywordOracleTests {
    private struct Setting {
        var configuration = TextIndexConfiguration()
        var model = ReferenceModel()

        init(_ generator: inout SeededGenerator) {
            let length = Int.random(in: 1...3, using: &generator)
            let discards = Bool.random(using: &generator)
            let words = ["ab", "e", "sse", "a"].filter { _ in Bool.random(using: &generator) }
            configuration.minimalTokenLength = length
            configuration.discardDuplicateTokens = discards
            configuration.indexesStopWords = false
            configuration.stopWords = words.isEmpty ? .none : .words(words)
            generator.drawStorage(of: &configuration)
            configuration.bufferSize = Bool.random(using: &generator) ? 1 << 16 : 1 << 20
            model.minimalTokenLength = length
            model.discardsDuplicates = discards
            model.stopWords = Set(words)
        }
    }

    private func open(_ directory: URL, _ configuration: TextIndexConfiguration) throws
        -> TextIndex<TestObject>
    {
        let index = try TextIndex<TestObject>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { object, _ in object.indexed }
        return index
    }

    @Test(
        "Keywords of every length find what a plain model finds after random work",
        arguments: testSeeds(24))
    func randomWork(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var setting = Setting(&generator)
        let directory = temporaryDirectory("oracle")
        var index = try open(directory, setting.configuration)
        for _ in 0..<40 {
            switch Int.random(in: 0..<14, using: &generator) {
            case 0..<6:
                let objects = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                    TestObject.random(Int.random(in: 0..<14, using: &generator), &generator)
                }
                let operations = objects.map { index.indexObject($0) }
                for object in objects { setting.model.index(object) }
                for operation in operations { _ = try await operation.value() }
            case 6..<8:
                let objects = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    TestObject.random(Int.random(in: 0..<40, using: &generator), &generator)
                }
                for object in objects { setting.model.index(object) }
                let report = try await index.indexObjects(objects)
                #expect(report.indexedCount == objects.count, "seed \(seed)")
            case 8..<10:
                let id = Int.random(in: 0..<40, using: &generator)
                setting.model.remove(id)
                _ = try await index.removeIndex(
                    forIdentifier: TestObject(id: id, strings: [], weight: 0).identifier
                ).value()
            case 10: try await index.flush()
            case 11: try await index.optimize()
            case 12:
                try index.closeVerified()
                index = try open(directory, setting.configuration)
            default:
                guard Int.random(in: 0..<5, using: &generator) == 0 else { continue }
                setting.model.removeAll()
                try await index.removeAll()
            }
            try compare(index, setting.model, &generator, seed)
        }
        try index.closeVerified()
        try TextIndex<TestObject>.destroy(at: directory)
    }

    private func compare(
        _ index: TextIndex<TestObject>, _ model: ReferenceModel,
        _ generator: inout SeededGenerator, _ seed: UInt64
    ) throws {
        #expect(index.count == model.objects.count, "seed \(seed)")
        let identifiers = try index.identifiers()
        #expect(identifiers == model.objects.map(\.identifier), "seed \(seed)")
        for _ in 0..<6 {
            let words = (0..<Int.random(in: 1...4, using: &generator) / 2 + 0).map { _ in
                TestWord.random(&generator)
            }
            guard !words.isEmpty else { continue }
            let keyword = words.map(\.source).joined(separator: " ")
            let expected = model.search(words.map(\.folded))
            let found = try index.searchResults(forKeyword: keyword)
            let actual = found.map { item in
                ReferenceModel.Result(
                    identifier: item.identifier,
                    matches: item.resultTokens.map {
                        .init(
                            string: $0.string, word: $0.word, wordIndex: $0.wordIndex,
                            token: $0.token, length: $0.length)
                    })
            }
            #expect(actual == expected, "seed \(seed), keyword \(keyword.debugDescription)")
            #expect(
                try index.resultCount(forKeyword: keyword) == expected.count, "seed \(seed)")
            let reversed = try index.searchResults(forKeyword: keyword, options: .reverse)
            #expect(
                reversed.map(\.identifier) == expected.reversed().map(\.identifier),
                "seed \(seed)")
            try compareRanges(found, model, seed)
            try compareEnumerations(index, keyword, expected.map(\.identifier), seed)
        }
    }

    /// The text under each range folds to something that holds the keyword's characters: it is
    /// there, and whole.
    private func compareRanges(
        _ items: [SearchResultItem<TestObject>], _ model: ReferenceModel, _ seed: UInt64
    ) throws {
        for item in items {
            let object = try #require(model.objects.first { $0.identifier == item.identifier })
            for token in item.resultTokens {
                let source = object.strings[token.string].source
                let range = try #require(item.range(of: token, in: source), "seed \(seed)")
                #expect(
                    NSRange(range, in: source) == item.range(of: token), "seed \(seed)")
            }
        }
    }

    private func compareEnumerations(
        _ index: TextIndex<TestObject>, _ keyword: String, _ expected: [Data], _ seed: UInt64
    ) throws {
        for options in [EnumerationOptions(), .concurrent, .reverse] {
            let lock = NSLock()
            nonisolated(unsafe) var seen: [Int: Data] = [:]
            try index.enumerateResults(forKeyword: keyword, options: options) {
                item, rank, count, _ in
                lock.withLock {
                    #expect(seen[rank] == nil && count == expected.count && item.rank == rank)
                    seen[rank] = item.identifier
                }
            }
            let ordered = seen.sorted { $0.key < $1.key }.map(\.value)
            #expect(
                ordered == (options == .reverse ? expected.reversed() : expected), "seed \(seed)")
        }
        nonisolated(unsafe) var calls = 0
        try index.enumerateResults(forKeyword: keyword) { _, _, _, stop in
            calls += 1
            stop()
        }
        #expect(calls == min(expected.count, 1), "seed \(seed)")
    }
}
