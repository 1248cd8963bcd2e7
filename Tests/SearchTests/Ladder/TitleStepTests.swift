import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Titles with one wrong word")
struct TitleStepTests {
    private static let vocabulary = [
        "whale", "whales", "while", "white", "whitewhale", "hunt", "hunter", "berry", "berries",
        "knight", "night", "round", "around", "table", "tables", "data", "base", "database", "sea",
    ]
    private static let settings: [SearchSteps] = [
        .all, .all, [.exact, .someWords], [.exact, .typos, .someWords], [.exact, .typos],
        [.exact, .variants, .someWords], [.exact, .unfinished, .insideWords, .someWords],
    ]

    private static func configure(_ configuration: inout TextIndexConfiguration) {
        configuration.fields = ["title", "body"]
        configuration.stopWords = .none
    }

    private static func words(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        (0..<count).map { _ in random.element(vocabulary) }
    }

    @Test("Each object is found by the first step that its rules give", arguments: testSeeds(10))
    func steps(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = LadderModel(objects: [], titles: [])
        let notes = try PlainNoteIndex([], Self.configure)
        for stage in [Stage.memory, .flushed, .memory, .optimized] {
            for _ in 0..<random.int(3...14) {
                let title = Self.words(random.int(1...4), &random)
                let body = Self.words(random.int(0...6), &random)
                let strings = [title, body].map { $0.joined(separator: " ") }
                try notes.add([PlainNote("\(model.objects.count)", strings[0], strings[1])])
                // Nothing is written across strings.
                model.objects.append(title + ["|"] + body)
                model.titles?.append(title)
            }
            try notes.enter(stage)
            for _ in 0..<30 { try check(&random, model, notes.index, seed) }
        }
        try notes.index.close()
        let again = try PlainNoteIndex(at: notes.directory, Self.configure)
        for _ in 0..<30 { try check(&random, model, again.index, seed) }
        try again.index.close()
    }

    private func check(
        _ random: inout SeededGenerator, _ model: LadderModel, _ index: TextIndex<PlainNote>,
        _ seed: UInt64
    ) throws {
        let steps = random.element(Self.settings)
        let text = Self.words(random.int(2...5), &random).joined(separator: " ")
        let limit = random.int(1...30)
        let note: Comment = "seed \(seed), \"\(text)\", \(steps), limit \(limit)"
        let results = try index.search(text, limit: limit, steps: steps)
        let wanted = model.places(of: text, steps, until: limit)
        #expect(results.totalCount.value == wanted.count, note)
        #expect(results.count == min(limit, wanted.count), note)
        let places = results.compactMap { wanted[Int($0.id) ?? -1] }
        #expect(places.map(\.step) == results.map(\.matchedBy), note)
        #expect(places.map(\.tier) == places.map(\.tier).sorted(), note)
        #expect(results.map(\.score) == results.map(\.score).sorted(by: >), note)
        for item in results.prefix(3) {
            #expect(try item.explain()?.evaluated() == item.score, note)
        }
        let more = try index.search(text, limit: limit + 7, steps: steps).map(\.id)
        #expect(Array(more.prefix(limit)) == results.map(\.id), note)
        let both = try FederatedSearch([index]).search(text, limit: limit, steps: steps)
        #expect(both.hits.map(\.item.id) == results.map(\.id), note)
    }

    @Test("The only title with one wrong word comes before words that are unfinished")
    func onlyTitle() throws {
        let longer = (0..<3).map { number in
            PlainNote("\(number)", "About \(number)", "validate an argument, countdown")
        }
        let known = PlainNote("known", "Counts", "a count")
        let meant = PlainNote("meant", "How to validate an argument number", "what it says")
        let second = PlainNote("second", "Validate the argument", "again")
        for isOnly in [true, false] {
            let notes = longer + [known, meant] + (isOnly ? [] : [second])
            try PlainNoteIndex.inAllStages(notes) {
                $0.fields = ["title", "body"]
            } _: { notes in
                let found = try notes.index.search("validate argument count", limit: 5).items
                #expect(found.first?.matchedBy == (isOnly ? .someWords : .unfinished))
                #expect((found.first?.id == "meant") == isOnly)
                #expect(found.contains { $0.id == "meant" })
            }
        }
    }

    @Test("A title with one wrong word comes before what words are typing errors of")
    func wrongWord() throws {
        var notes = (0..<6).map { number in
            PlainNote("\(number)", "About \(number)", "secretly typed hint, types hunts")
        }
        notes.append(PlainNote("meant", "The theory of type hints", "what it says"))
        notes.append(PlainNote("other", "A secret", "kept"))
        try PlainNoteIndex.inAllStages(notes) {
            $0.fields = ["title", "body"]
        } _: { notes in
            let found = try notes.index.search("the secret of type hints", limit: 5)
            #expect(found.items.first?.id == "meant")
            #expect(found.items.first?.matchedBy == .someWords)
            // A word that no object has is a typing error.
            let error = try notes.index.search("secretli typed hint", limit: 5)
            #expect(error.items.first?.matchedBy == .typos)
        }
    }
}
