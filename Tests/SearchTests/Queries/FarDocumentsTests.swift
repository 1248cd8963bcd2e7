import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Segments of more documents than a window of scores has, words that stand far apart, and long
/// runs of dead documents.
@Suite("The best documents where they lie far apart", .timeLimit(.minutes(30)))
struct FarDocumentsTests {
    private static func text(_ id: Int, _ generator: inout SeededGenerator) -> String {
        var words = ["all"]
        if id % 2 == 0 { words.append("half") }
        if id % 700 == 3 { words += [String](repeating: "rare", count: generator.int(1...4)) }
        if id % 1024 == 1023 || id % 1024 == 0 { words.append("edge") }
        if (2000..<2060).contains(id) { words += ["dense", "dense"] }
        if id % 37 == 0 { words += ["some", "words"] }
        if id % 53 == 0 { words.append("somehow") }
        for _ in 0..<generator.int(0...6) { words.append("w\(generator.int(0...9))") }
        return words.shuffled(using: &generator).joined(separator: " ")
    }

    private static func leaf(_ generator: inout SeededGenerator) -> Query {
        let word = generator.element([
            "all", "half", "rare", "edge", "dense", "some", "words", "w1", "w7", "nowhere",
        ])
        switch generator.int(0...9) {
        case 0: return .boost(.term(word), generator.element([0, 0.25, 4, 1e9]))
        case 1: return .constantScore(.term(word), generator.element([0, 2, -1]))
        case 2: return .prefix("some")
        case 3: return .phrase("some words")
        case 4: return .filter(.term(word))
        case 5: return .field("title", .term(word))
        default: return .term(word)
        }
    }

    private static func query(_ generator: inout SeededGenerator) -> Query {
        let parts = (0..<generator.int(1...5)).map { _ in leaf(&generator) }
        return generator.once(in: 4) ? .all(of: Array(parts.prefix(2))) : .any(of: parts)
    }

    private func compare(
        _ index: TextIndex<PlainNote>, _ generator: inout SeededGenerator, _ note: String
    ) throws {
        let query = Self.query(&generator)
        let all = try index.search(query, limit: 100_000)
        #expect(all.totalCount.isExact && all.totalCount.value == all.count, "\(note): \(query)")
        for (offset, limit) in [(0, 1), (0, 10), (generator.int(0...40), 25)] {
            let best = try index.search(query, limit: limit, offset: offset)
            let expected = all.items.dropFirst(offset).prefix(limit)
            #expect(best.map(\.id) == expected.map(\.id), "\(note): \(query), \(limit)")
            #expect(best.map(\.score) == expected.map(\.score), "\(note): \(query), \(limit)")
            let limitOfCount = index.configuration.exactCountLimit
            let total = all.totalCount.value
            if best.totalCount.isExact {
                #expect(best.totalCount.value == total, "\(note): \(query)")
            } else {
                #expect(
                    (min(limitOfCount, total)...total).contains(best.totalCount.value),
                    "\(note): \(query), \(best.totalCount) of \(total)")
            }
        }
    }

    @Test("The best documents are found, whatever lies between them", arguments: testSeeds(3))
    func far(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex {
            $0.fields = ["body", "title"]
            $0.exactCountLimit = [0, 50, 10_000][Int(seed % 3)]
        }
        let index = notes.index
        let objects = (0..<4200).map { id in
            PlainNote("\(id)", Self.text(id, &generator), id % 11 == 0 ? "half rare" : "all")
        }
        try await index.indexObjects(objects)
        try await index.flush()
        for _ in 0..<25 { try compare(index, &generator, "seed \(seed), whole") }
        // A whole window and more is dead, and some of each block.
        let gone = Array(900..<2040) + (0..<120).map { _ in generator.int(0...4199) }
        let identifiers = gone.map { Data("\($0)".utf8) }
        for operation in identifiers.map({ index.removeIndex(forIdentifier: $0) }) {
            operation.waitUntilFinished()
            #expect(operation.error == nil)
        }
        for _ in 0..<25 { try compare(index, &generator, "seed \(seed), partly dead") }
        // Newer versions in a segment of their own, in memory and then flushed.
        try await index.indexObjects((0..<1500).map { _ in objects[generator.int(0...4199)] })
        for _ in 0..<15 { try compare(index, &generator, "seed \(seed), two segments") }
        try await index.flush()
        for _ in 0..<15 { try compare(index, &generator, "seed \(seed), both flushed") }
        try await index.optimize()
        for _ in 0..<15 { try compare(index, &generator, "seed \(seed), merged") }
        try index.closeVerified()
    }
}
