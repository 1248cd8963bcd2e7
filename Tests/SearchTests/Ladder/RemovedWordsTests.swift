import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Words that only removed objects have")
struct RemovedWordsTests {
    /// An index of some texts, in segments that have also had others, which were removed.
    private static func index(
        _ living: [String], without removed: [String], _ stage: Stage
    ) async throws -> PlainNoteIndex {
        let notes = try PlainNoteIndex(
            removed.enumerated().map { PlainNote("removed \($0)", $1) }
                + living.enumerated().map { PlainNote("\($0)", $1) })
        try notes.enter(stage)
        let ids = removed.indices.map { Data("removed \($0)".utf8) }
        let report = try await notes.index.removeObjects(matching: Query.identifiers(ids))
        #expect(report.removedCount == removed.count)
        return notes
    }

    /// How a text is read, and what it finds by which step; sorted, since numbers of documents
    /// decide between equal scores.
    private static func answer(_ text: String, _ notes: PlainNoteIndex) throws -> [String] {
        let results = try notes.index.search(text, limit: 50)
        return ["\(results.query)"] + results.map { "\($0.id) \($0.matchedBy)" }.sorted()
    }

    @Test(
        "No spelling, part or beginning is one that only removed objects have",
        arguments: [Stage.memory, .flushed])
    func readings(stage: Stage) async throws {
        let living = [
            "commodity prices", "whale", "o'connor street", "data-base", "sea son", "scissors",
        ]
        let removed = [
            // Beginnings near "comun" that would come before others.
            "communism", "communist", "commune comune", "conundrum", "coming",
            // A longer word begins with it, which has another beginning near "scits".
            "scis",
            // The same word alone and in a joined word, spelled otherwise.
            "connor", "rock-salt", "rocksalt-mine", "whales", "whalebone-corset", "season",
        ]
        let texts = [
            "comun", "commod", "comodi", "cannor", "conor", "rocksalt", "roksalt", "whales",
            "whalebone", "wale", "seasons", "oconor", "databse", "corset street", "corsett",
            "scits",
        ]
        let notes = try await Self.index(living, without: removed, stage)
        let fresh = try PlainNoteIndex(
            living.enumerated().map { PlainNote("\($0)", $1) })
        for text in texts {
            let wanted = try Self.answer(text, fresh)
            for _ in 0..<2 { #expect(try Self.answer(text, notes) == wanted, "\(text)") }
        }
    }

    @Test(
        "Random texts are read as by an index without the removed objects",
        arguments: testSeeds(12))
    func randomTexts(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        func word() -> String {
            let length = random.int(3...7)
            return String((0..<length).map { _ in random.element(["a", "b", "c", "-"]) })
        }
        let texts = (0..<40).map { _ in (0..<random.int(1...3)).map { _ in word() } }
            .map { $0.joined(separator: " ") }
        let removed = Array(texts.prefix(random.int(10...30)))
        let living = Array(texts.dropFirst(removed.count))
        let notes = try await Self.index(
            living, without: removed, random.element([.memory, .flushed]))
        let fresh = try PlainNoteIndex(
            living.enumerated().map { PlainNote("\($0)", $1) })
        for _ in 0..<40 {
            let text = "\(word()) \(word())"
            #expect(
                try Self.answer(text, notes) == Self.answer(text, fresh), "seed \(seed): \(text)")
        }
    }
}
