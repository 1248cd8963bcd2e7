import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Prefixes that many terms begin with, over plain strings")
struct PrefixTermsTests {
    /// Objects of many different words, of which a few are in nearly all of them.
    private static func object(_ id: Int, _ generator: inout SeededGenerator) -> TestObject {
        let strings = (0..<generator.int(1...2)).map { _ in
            let words = (0..<generator.int(0...90)).map { _ in word(&generator) }
            return TestString(words: words, separators: words.map { _ in " " })
        }
        return TestObject(id: id, strings: strings, weight: 0)
    }

    private static func word(_ generator: inout SeededGenerator) -> TestWord {
        let letters = generator.once(in: 3) ? ["a", "b"] : ["a", "b", "c", "d", "é"]
        let length = generator.once(in: 3) ? generator.int(1...2) : generator.int(3...9)
        return TestWord(
            characters: (0..<length).map { place in
                let letter = place == 0 ? "a" : generator.element(letters)
                return TestCharacter(source: letter, folded: letter == "é" ? "e" : letter)
            })
    }

    private static func query(_ generator: inout SeededGenerator) -> PlainQuery {
        let word = word(&generator)
        let length = generator.once(in: 4) ? 9 : generator.int(1...3)
        let prefix = PlainQuery.prefix(TestWord(characters: Array(word.characters.prefix(length))))
        switch generator.int(0...5) {
        case 0: return .filter(prefix)
        case 1: return .field(generator.element(["title", "body"]), prefix)
        case 2: return .all([prefix, .prefix(Self.word(&generator))])
        default: return prefix
        }
    }

    @Test(
        "A prefix finds and scores all of its documents, however postings are stored",
        arguments: testSeeds(6))
    func model(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let directory = temporaryDirectory("prefix-terms")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = TextIndexConfiguration()
        configuration.minimalTokenLength = 1
        configuration.stopWords = .words([])
        configuration.fields = PlainCorpus.fields
        configuration.cacheSize = generator.element([0, 64 << 10, configuration.cacheSize])
        configuration.inlinePostingsLimit = generator.element([0, 0, 8, 64])
        var corpus = PlainCorpus(model: ReferenceModel())
        corpus.model.minimalTokenLength = 1
        var index = try TextIndex.ofTestObjects(at: directory, configuration)
        defer { try? index.closeVerified() }
        for round in 0..<3 {
            let objects = (0..<60).map { _ in Self.object(generator.int(0...99), &generator) }
            for object in objects { corpus.model.index(object) }
            try await index.indexObjects(objects)
            for _ in 0..<(10 * round) {
                let gone = TestObject(id: generator.int(0...99), strings: [], weight: 0)
                corpus.model.remove(gone.id)
                _ = try await index.removeIndex(for: gone).value()
            }
            if generator.once(in: 2) { try await index.optimize() } else { try await index.flush() }
            if generator.once(in: 2) {
                try index.closeVerified()
                index = try TextIndex.ofTestObjects(at: directory, configuration)
            }
            for _ in 0..<40 {
                try check(Self.query(&generator), index, corpus, limit: generator.int(1...20), seed)
            }
        }
    }

    private func check(
        _ query: PlainQuery, _ index: TextIndex<TestObject>, _ corpus: PlainCorpus, limit: Int,
        _ seed: UInt64
    ) throws {
        let note: Comment = "seed \(seed): \(query)"
        let expected = corpus.scores(query)
        let best = try index.search(query.query, limit: limit)
        #expect(best.totalCount.value == expected.count, note)
        #expect(best.count == min(limit, expected.count), note)
        let scores = expected.values.sorted(by: >)
        for (item, score) in zip(best, scores) {
            #expect(isClose(item.score, score), note)
            #expect(isClose(item.score, expected[item.number] ?? .nan), note)
        }
        let all = try index.search(query.query, limit: .max)
        #expect(all.map(\.number).sorted() == expected.keys.sorted(), note)
        #expect(all.allSatisfy { isClose($0.score, expected[$0.number] ?? .nan) }, note)
    }

    @Test("A word whose postings are gone is an error for those who ask for it alone")
    func missing() throws {
        let notes = try PlainNoteIndex { $0.inlinePostingsLimit = 0 }
        let words = (0..<200).map { "w\($0 % 10)x\($0)" }
        try notes.add([PlainNote("1", words.joined(separator: " "))])
        try notes.index.flush()
        let store = notes.index.store
        let segment = try #require(notes.index.writer.snapshot.flushed.first)
        var key = Buffer<UInt8>()
        Array(words[17].utf8).withUnsafeBufferPointer {
            Key.term(.postings, $0, segment: segment.number, into: &key)
        }
        #expect(try store.withValue(key, .postings) { _ in true } == true)
        let batch = StoreBatch()
        key.withBytes { batch.delete($0) }
        try store.commit(batch, sync: false)
        for _ in 0..<3 {
            for digit in 0..<10 where digit != 7 {
                #expect(try notes.ids(.prefix("w\(digit)")) == ["1"])
            }
            #expect(throws: TextIndexError.self) { try notes.ids(.prefix("w7")) }
        }
    }
}
