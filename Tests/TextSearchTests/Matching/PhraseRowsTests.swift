import Testing

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
        "As many rows as there are, in whatever order the words are taken",
        arguments: testSeeds(30))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var rows = PhraseRows()
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
            rows.removeAll()
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
}
