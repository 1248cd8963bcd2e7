import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Phrases, counted word by word")
struct PhraseRowsTests {
    private struct Text: Hashable {
        var document: UInt32
        var string: UInt32
    }

    /// Where a word stands in some texts, ascending.
    private static func places(_ generator: inout SeededGenerator) -> [(Text, [UInt32])] {
        var places: [(Text, [UInt32])] = []
        for document in 0..<4 {
            for string in 0..<2 where !generator.once(in: 4) {
                let positions = (0..<generator.int(0...8)).map { _ in
                    UInt32(generator.int(0...9))
                }
                places.append(
                    (
                        Text(document: UInt32(document) * 1000, string: UInt32(string)),
                        positions.sorted()
                    ))
            }
        }
        return places
    }

    @Test(
        "A count of rows is exact, in whatever order the words are taken",
        arguments: testSeeds(30))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var total = 0
        for _ in 0..<40 {
            let words = (0..<generator.int(2...4)).map { _ in Self.places(&generator) }
            // Words that were left out of the index leave gaps.
            var offsets = [generator.int(0...2)]
            while offsets.count < words.count {
                offsets.append(offsets[offsets.count - 1] + generator.int(1...2))
            }
            var expected: [Text: UInt32] = [:]
            for (text, positions) in words[0] {
                for position in Set(positions) {
                    let isRow = words.indices.allSatisfy { word in
                        let wanted = Int(position) - offsets[0] + offsets[word]
                        return words[word].contains {
                            $0.0 == text && $0.1.contains { Int($0) == wanted }
                        }
                    }
                    if isRow { expected[text, default: 0] += 1 }
                }
            }
            var rows = PhraseRows()
            for (number, word) in words.indices.shuffled(using: &generator).enumerated() {
                for (text, positions) in words[word] {
                    positions.withUnsafeBufferPointer {
                        if number == 0 {
                            rows.begin(text.document, text.string, $0, offset: offsets[word])
                        } else {
                            rows.goOn(text.document, text.string, $0, offset: offsets[word])
                        }
                    }
                }
                if number > 0 { rows.endWord() }
            }
            var counts = Buffer<WordCount>()
            rows.append(to: &counts)
            let found = counts.withElements { Array($0) }
            let order = found.map { ($0.document, $0.string) }
            #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
            let byText = Dictionary(
                uniqueKeysWithValues: found.map {
                    (Text(document: $0.document, string: $0.string), $0.count)
                })
            #expect(byText == expected, "seed \(seed): \(offsets)")
            #expect(rows.documents() == Set(expected.keys.map(\.document)).sorted(), "seed \(seed)")
            total += expected.count
        }
        #expect(total > 0, "seed \(seed)")
    }

    @Test(
        "Rows of words with pages of positions, in segments and in memory, are those of plain arrays",
        arguments: testSeeds(3))
    func pages(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("phrases")
        let words = ["red", "green", "blue", "grey", "rare"]
        let texts = (0..<700).map { _ in
            (0..<2).map { _ in
                (0..<generator.int(0...40)).map { _ in
                    words[generator.once(in: 60) ? 4 : generator.int(0...3)]
                }
            }
        }
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        let index = try TextIndex<Int>(at: folder("index"), configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            IndexedObject(strings: texts[number].map { $0.joined(separator: " ") })
        }
        for number in texts.indices {
            index.indexObject(number)
            if number == 300 || number == 600 {
                index.indexingQueue.waitUntilAllOperationsAreFinished()
                try index.flush()
            }
        }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        let removed = Set(texts.indices.filter { _ in generator.once(in: 9) })
        for number in removed { index.removeIndex(for: number) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        for _ in 0..<60 {
            let phrase = (0..<generator.int(2...4)).map { _ in generator.element(words) }
            let string = generator.element([nil, 0, 1])
            let query = Query.phrase(phrase.joined(separator: " "))
            let field = string.map { .field(configuration.fields[$0], query) } ?? query
            let expected = texts.indices.filter { number in
                !removed.contains(number)
                    && (string.map { $0...$0 } ?? 0...1).contains { string in
                        texts[number][string].indices.contains {
                            texts[number][string][$0...].starts(with: phrase)
                        }
                    }
            }
            let found = try index.search(field, limit: 1000).items.map(\.identifier)
            let isSame = Set(found) == Set(expected.map { Data("\($0)".utf8) })
            #expect(isSame && found.count == expected.count, "seed \(seed): \(phrase)")
        }
        try index.close()
    }
}
