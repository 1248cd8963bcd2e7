import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Pages of more results than those whose records are kept.
@Suite("Large pages of results")
struct LargePageTests {
    @Test(
        "All results at once are those of small pages, with every match", arguments: testSeeds(4))
    func largePages(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let directory = temporaryDirectory("large-pages")
        let index = try TextIndex<PlainNote>(at: directory)
        defer { try? FileManager.default.removeItem(at: directory) }
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in
            IndexedObject(strings: note.strings, weight: note.weight, context: note.context)
        }
        let words = ["duck", "ducks", "goose", "swan", "heron"]
        let notes = (0..<900).map { id in
            PlainNote(
                "\(id)", words[generator.int(0...4)],
                (0..<generator.int(1...12)).map { _ in words[generator.int(0...4)] }
                    .joined(separator: " "), weight: Double(id % 7),
                context: ["id": .int(Int64(id))])
        }
        _ = try await index.indexObjects(notes[..<700])
        try await index.flush()
        for note in notes[700...] { _ = try await index.indexObject(note).value() }
        for id in stride(from: 3, to: 900, by: 11) {
            _ = try await index.removeIndex(for: notes[id]).value()
        }
        for query in [
            Query.term("duck"), .prefix("duck"), .any(of: [.term("swan"), .infix("oo")]),
        ] {
            let all = try await index.search(query, limit: .max)
            #expect(all.count > 256 && all.totalCount.value == all.count, "seed \(seed)")
            var pages: [SearchResultItem<PlainNote>] = []
            while pages.count < all.count {
                pages += try await index.search(query, limit: 100, offset: pages.count).items
            }
            for (large, small) in zip(all, pages) {
                #expect(large.identifier == small.identifier, "seed \(seed): \(query)")
                #expect(large.score == small.score && large.weight == small.weight)
                #expect(large.context == small.context && large.failure == nil)
                #expect(
                    large.resultTokens == small.resultTokens && !large.resultTokens.isEmpty,
                    "seed \(seed): \(query)")
            }
        }
        try await onThread { try index.closeVerified() }
    }
}
