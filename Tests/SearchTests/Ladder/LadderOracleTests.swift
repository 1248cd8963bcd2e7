import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Steps of a search against their rules")
struct LadderOracleTests {
    /// Words that are plurals, parts, errors and joins of one another, and a letter.
    private static let vocabulary = [
        "whale", "whales", "while", "white", "whitewhale", "hunt", "hunts", "hunter", "shunted",
        "berry", "berries", "box", "boxes", "glass", "glasses", "knight", "night", "nights",
        "round",
        "around", "table", "tables", "tab", "database", "data", "base", "databases", "library",
        "libary", "form", "from", "sea", "seas", "season", "zeta", "kappa", "zeta_kappa", "x",
        "seatabform", "boxhuntsea",
    ]
    private static let unknown = [
        "whael", "databse", "databaes", "hunttable", "nightt", "seaz", "xyz",
        "wihtewh", "databbase", "knihgtround", "seatbale", "glassboxs",
    ]

    private static let settings: [SearchSteps] = [
        .all, [.exact, .variants], [.exact, .typos], [.exact, .unfinished, .insideWords],
        [.exact, .someWords], [.exact, .variants, .someWords],
    ]

    @Test("Each object is found by the first step that its rules give", arguments: testSeeds(12))
    func steps(_ seed: UInt64) throws {
        try check(LadderModel(objects: []), seed)
    }

    @Test("While typing, the same steps follow that of beginnings", arguments: testSeeds(12))
    func typing(_ seed: UInt64) throws {
        try check(LadderModel(objects: [], isTyping: true), seed)
    }

    private func check(_ model: LadderModel, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = model
        let notes = try PlainNoteIndex { $0.stopWords = .none }
        for stage in [Stage.memory, .flushed, .memory, .optimized] {
            for _ in 0..<random.int(3...14) {
                let words = (0..<random.int(1...5)).map { _ in
                    Self.vocabulary[random.int(0...(Self.vocabulary.count - 1))]
                }
                try notes.add([PlainNote("\(model.objects.count)", words.joined(separator: " "))])
                model.objects.append(words)
            }
            try notes.enter(stage)
            for _ in 0..<30 {
                var text = String(text(&random).dropLast(model.isTyping ? random.int(0...2) : 0))
                // A space would end the word.
                if text.last == " " { text.removeLast() }
                try check(text, &random, model, notes.index, seed)
            }
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<random.int(1...4)).map { _ in
            let words = random.once(in: 4) ? Self.unknown : Self.vocabulary
            return words[random.int(0...(words.count - 1))]
        }.joined(separator: " ")
    }

    private func check(
        _ text: String, _ random: inout SeededGenerator, _ model: LadderModel,
        _ index: TextIndex<PlainNote>, _ seed: UInt64
    ) throws {
        let steps = Self.settings[random.int(0...(Self.settings.count - 1))]
        let limit = random.int(1...30)
        let note: Comment = "seed \(seed), \"\(text)\", \(steps), limit \(limit)"
        var parser = index.queryParser
        parser.options.lastWordIsPrefix = model.isTyping
        // What a search leaves behind that ends too early is no answer to the next one.
        if random.once(in: 3) {
            _ = try index.search(
                text, limit: limit, budget: .time(.microseconds(random.int(0...200))),
                steps: steps, parser: parser)
        }
        let results = try index.search(text, limit: limit, steps: steps, parser: parser)
        let wanted = model.places(of: text, steps, until: limit)
        #expect(results.totalCount.value == wanted.count, note)
        #expect(results.count == min(limit, wanted.count), note)
        // Earlier steps first; within a step by score.
        let found = results.map { wanted[Int($0.id) ?? -1]?.tier ?? -1 }
        #expect(found == Array(wanted.values.map(\.tier).sorted().prefix(limit)), note)
        for item in results { #expect(item.matchedBy == wanted[Int(item.id) ?? -1]?.step, note) }
        let scores = results.map(\.score)
        #expect(scores == scores.sorted(by: >), note)
        // What is remembered of its words changes nothing.
        let again = try index.search(text, limit: limit, steps: steps, parser: parser)
        #expect(again.map(\.id) == results.map(\.id), note)
        #expect(again.map(\.score) == scores, note)
        #expect(again.map(\.matchedBy) == results.map(\.matchedBy), note)
        // The page is the beginning of a longer one, and pages of a cursor make it up.
        let more = try index.search(text, limit: limit + 7, steps: steps, parser: parser).map(\.id)
        #expect(Array(more.prefix(limit)) == results.map(\.id), note)
        let rest = try index.search(after: results.cursor, limit: 7).map(\.id)
        #expect(rest == Array(more.dropFirst(limit)), note)
    }
}
