import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What searches remember of words must be what a new index would find out.
@Suite("Words that are remembered between searches")
struct RecentWordsTests {
    private static let words = [
        "whale", "whales", "while", "white", "whitewhale", "database", "databases", "data", "base",
        "season", "seasons", "o'connor", "oconnor", "wi-fi", "wifi", "stone", "tones", "café",
    ]
    private static let texts = [
        "whael", "white wale", "whitewhale", "databse", "data bases", "seson", "oconnors", "wi fi",
        "stoen tones", "tone", "cafe\u{301}", "café", "title:whael", "title:white wale", "xhite",
        "seasn whil",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<random.int(1...4)).map { _ in words[random.int(0...(words.count - 1))] }
            .joined(separator: " ")
    }

    private static func configure(_ configuration: inout TextIndexConfiguration) {
        configuration.fields = ["title", "body"]
    }

    /// What a text finds, with the steps: as a set, since numbers of documents decide between equal
    /// scores.
    private static func found(_ text: String, _ index: TextIndex<PlainNote>) throws -> Set<String> {
        let results = try index.search(text, limit: 50)
        return Set(
            results.map { "\($0.id) \($0.matchedBy)" }
                + results.diagnostics.map { "\($0.kind) \($0.message)" })
    }

    @Test(
        "Each state of an index is answered as by a new index of the same objects",
        arguments: testSeeds(4))
    func states(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex([], Self.configure)
        var living: [String: PlainNote] = [:]
        for round in 0..<6 {
            for _ in 0..<random.int(1...6) {
                let id = "\(random.int(0...20))"
                let note = PlainNote(id, Self.text(&random), Self.text(&random))
                living[id] = note
                try notes.add([note])
            }
            if let id = living.keys.sorted().first, random.once(in: 2) {
                living[id] = nil
                _ = try await notes.index.removeObjects(
                    matching: Query.identifiers([Data(id.utf8)]))
            }
            try notes.enter(Stage.allCases[random.int(0...2)])
            for text in Self.texts.shuffled(using: &random).prefix(5) {
                let note: Comment = "seed \(seed), round \(round), \"\(text)\""
                let fresh = try PlainNoteIndex(
                    living.values.sorted { $0.id < $1.id }, Self.configure)
                let wanted = try Self.found(text, fresh.index)
                #expect(try Self.found(text, notes.index) == wanted, note)
                #expect(try Self.found(text, notes.index) == wanted, note)
            }
        }
    }

    @Test("Spellings with other scalars are questions of their own")
    func scalars() throws {
        // Alef with madda, in one scalar and in two: only the second begins with a letter alone.
        for texts in [["\u{622}", "\u{627}\u{653}"], ["\u{627}\u{653}", "\u{622}"]] {
            let notes = try PlainNoteIndex([
                PlainNote("1", "\u{627}\u{644}\u{627}\u{653} word"), PlainNote("2", "word"),
            ])
            let found = try texts.map { try Self.found($0, notes.index) }
            for (text, found) in zip(texts, found) {
                let fresh = try PlainNoteIndex([
                    PlainNote("1", "\u{627}\u{644}\u{627}\u{653} word"), PlainNote("2", "word"),
                ])
                #expect(try Self.found(text, fresh.index) == found)
            }
        }
    }

    @Test("A pattern that stands for too many terms says so each time")
    func tooManyTerms() throws {
        let notes = try PlainNoteIndex(
            (0..<40).map { PlainNote("\($0)", "prefix\($0)inner \($0)innerly") }
        ) { $0.queryLimits.maximumExpansions = 5 }
        try notes.index.flush()
        let results = try (0..<3).map { _ in try notes.index.search("inner", limit: 50) }
        #expect(results[0].isComplete == false)
        for again in results.dropFirst() {
            #expect(again.isComplete == results[0].isComplete)
            #expect(again.map(\.id) == results[0].map(\.id))
            #expect(again.diagnostics == results[0].diagnostics)
        }
    }

    @Test("A search that was cancelled leaves nothing behind that is taken for an answer")
    func cancelled() throws {
        let notes = try PlainNoteIndex((0..<30).map { PlainNote("\($0)", "whale\($0) databases") })
        let cancellation = SearchCancellation()
        cancellation.cancel()
        for text in ["databse", "atabas", "whalee databses"] {
            _ = try notes.index.search(text, limit: 50, budget: .cancelled(by: cancellation))
            let fresh = try PlainNoteIndex(
                (0..<30).map { PlainNote("\($0)", "whale\($0) databases") })
            #expect(try Self.found(text, notes.index) == Self.found(text, fresh.index))
        }
    }
}
