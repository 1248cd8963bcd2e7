import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Stop words in the index")
struct IndexedStopWordTests {
    private static let words = ["the", "of", "who", "whale", "sea", "ship", "it", "white"]
    private static let lowValueWords: Set = ["the", "of", "who", "it"]

    private static func notes(_ count: Int, _ generator: inout SeededGenerator) -> [PlainNote] {
        (0..<count).map { number in
            let words = (0..<generator.int(1...7)).map { _ in generator.element(Self.words) }
            return PlainNote("\(number)", words.joined(separator: " "))
        }
    }

    /// The rule as it is said: beside other words those of little value are not required; alone
    /// they are words.
    private static func isMatch(_ text: [String], _ note: PlainNote) -> Bool {
        let others = text.filter { !lowValueWords.contains($0) }
        let needed = others.isEmpty ? text : others
        let words = Set(note.strings[0].split(separator: " ").map(String.init))
        return needed.allSatisfy(words.contains)
    }

    @Test(
        "Stop words beside other words only add to the score; alone they are words",
        arguments: testSeeds(6))
    func oracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = Self.notes(60, &generator)
        try PlainNoteIndex.inAllStages(notes, { $0.steps = .exact }) {
            (index: PlainNoteIndex) throws in
            for _ in 0..<40 {
                let text = (0..<generator.int(1...4)).map { _ in generator.element(Self.words) }
                let query = text.joined(separator: " ")
                let comment: Comment = "seed \(seed): \(query)"
                let expected = Set(notes.filter { Self.isMatch(text, $0) }.map(\.id))
                guard !expected.isEmpty else { continue }
                let all = try index.index.search(query, limit: 20_000)
                #expect(Set(all.map(\.id)) == expected, comment)
                let best = try index.index.search(query, limit: 5)
                expectBest(best, among: all, limit: 5, comment)
                for item in best { #expect(try item.explain()?.evaluated() == item.score, comment) }
            }
        }
    }

    @Test("Words of little value add to a score, and are not marked")
    func scores() throws {
        let notes = [
            PlainNote("without", "white whale ship"), PlainNote("with", "the white whale"),
        ]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            let found = try index.index.search("the whale")
            #expect(found.map(\.id) == ["with", "without"])
            #expect(found.map(\.resultTokens.count) == [1, 1])
            #expect(try index.index.search("+the whale", steps: .exact).map(\.id) == ["with"])
            #expect(try index.index.search("the", steps: .exact).map(\.resultTokens.count) == [1])
            let both = try index.index.search("the -whale")
            #expect(both.map(\.id) == ["with", "without"])
            #expect(both.diagnostics.map(\.kind) == [.minusReadAsText])
            let unknown = try index.index.search("of whale").diagnostics
            #expect(unknown.isEmpty)
        }
    }

    @Test("In a text of stop words alone each of them is marked")
    func alone() throws {
        let notes = [PlainNote("hamlet", "to be or not to be"), PlainNote("other", "it is not")]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            let found = try index.index.search("to be or to be", steps: .exact)
            let marked = Dictionary(
                uniqueKeysWithValues: found.map { ($0.id, $0.resultTokens.map(\.wordIndex)) })
            #expect(marked == ["hamlet": [0, 1, 2, 4, 5]])
        }
    }

    @Test("What only adds to a score lets everything match where nothing else asks for anything")
    func onlyBonuses() throws {
        let notes = [PlainNote("1", "white whale"), PlainNote("2", "ship")]
        try PlainNoteIndex.inAllStages(
            notes, { $0.indexesStopWords = false }
        ) { (index: PlainNoteIndex) throws in
            let query: Query = .all(of: [.term("the"), .atLeast(0, of: [.prefix("whal")])])
            let found = try index.index.search(query)
            #expect(found.map(\.id) == ["1", "2"])
            #expect(try index.index.search(query, limit: 20_000).map(\.score) == found.map(\.score))
        }
    }

    @Test(
        "Stop words beside signs alone are words, count once, and keep their positions between words"
    )
    func reviewed() throws {
        let notes = [
            PlainNote("the", "the whale"), PlainNote("book", "a notebook"),
            PlainNote("bone", "whalebone"), PlainNote("sea", "sea"),
        ]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            func ids(_ text: String) throws -> [String] {
                try index.index.search(text, steps: .exact).map(\.id)
            }
            for text in ["the \u{1F600}", "the \"-\"", "the €"] {
                #expect(try ids(text) == ["the"], "\(text)")
            }
            let once = try index.index.search("the whale", steps: .exact).items.first?.score
            let often = try index.index.search("The whale the THE", steps: .exact).items.first?
                .score
            #expect(once == often)
            // In an "any" what is not required lets everything match.
            #expect(try ids("whale OR @atleast/0(the)").count == 4)
            #expect(try ids("@atleast/0(the) OR whale").count == 4)
            #expect(try ids("sea OR @atleast/0(zzz)").count == 4)
            let steps: SearchSteps = [.exact, .variants, .unfinished]
            #expect(try index.index.search("note the book", steps: steps).isEmpty)
            #expect(try index.index.search("whale the", steps: steps).map(\.id) == ["the"])
            let marked = try index.index.search("sea OR (the whale)", steps: .exact)
            #expect(marked.first { $0.id == "the" }?.resultTokens.count == 1)
        }
    }

    @Test("Beside filters alone a stop word is a word, whatever they filter by")
    func restricted() throws {
        let folder = temporaryDirectory("restricted")
        var configuration = TextIndexConfiguration()
        configuration.attributes = ["year", "kind"]
        let index = try TextIndex<PlainNote>(at: folder, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings,
                attributes: ["year": .number(note.weight < 1 ? 2023 : 2024), "kind": .string("a")])
        }
        for note in [
            PlainNote("who", "the Who", weight: 1), PlainNote("other", "a whale", weight: 1),
            PlainNote("earlier", "Doctor Who"),
        ] {
            index.indexObject(note).waitUntilFinished()
        }
        for stage in Stage.allCases {
            if stage != .memory { try index.flush() }
            for filter in [
                "year:2024", "year:2024..", "year:2023..2024 kind:a", "kind:a year:>2023",
            ] {
                let found = try index.search("who \(filter)", steps: .exact)
                #expect(found.items.first?.id == "who", "\(filter)")
                #expect(!found.contains { $0.id == "other" }, "\(filter)")
            }
            let both = try index.search("the whale year:2024", steps: .exact)
            #expect(both.map(\.id) == ["other"])
        }
        try index.closeVerified()
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A minus is a sign of the text only after the steps that need all words")
    func minus() throws {
        let notes = [
            PlainNote("other", "tails log"), PlainNote("n", "tail n"), PlainNote("m", "head m"),
        ]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            #expect(try index.index.search("tail -n").map(\.id) == ["other"])
            let read = try index.index.search("head -m")
            #expect(read.map(\.id) == ["m"])
            #expect(read.diagnostics.contains { $0.kind == .minusReadAsText })
            #expect(try index.index.search("head -head").isEmpty)
        }
    }

    @Test("A keyword of several words does not need its stop words")
    func keywords() throws {
        let notes = [PlainNote("1", "white whale"), PlainNote("2", "other ship")]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            #expect(try index.ids("the whale") == ["1"])
            #expect(try index.ids("the") == ["2"])
        }
    }

    @Test(
        "An index that was made without stop words is read as it was, and takes them in with a rebuild"
    )
    func earlier() async throws {
        let notes = [PlainNote("1", "to be or not to be"), PlainNote("2", "the white whale")]
        var earlier = TextIndexConfiguration()
        earlier.indexesStopWords = false
        let directory = temporaryDirectory("earlier")
        let made = try TextIndex<PlainNote>.ofTexts(at: directory, earlier)
        for note in notes { made.indexObject(note).waitUntilFinished() }
        try made.closeVerified()

        let index = try TextIndex<PlainNote>.ofTexts(at: directory, TextIndexConfiguration())
        #expect(try index.needsRebuild)
        #expect(try await index.search("the whale", steps: .exact).map(\.id) == ["2"])
        #expect(try await index.search(.term("the")).isEmpty)
        index.indexObject(PlainNote("3", "the ship")).waitUntilFinished()
        #expect(try await index.search(.term("the")).isEmpty)
        index.objectGetter = { identifier in
            (notes + [PlainNote("3", "the ship")]).first { $0.identifier == identifier }
        }
        try await index.rebuild()
        #expect(try !index.needsRebuild)
        #expect(try await index.search("\"to be or not to be\"", steps: .exact).map(\.id) == ["1"])
        #expect(try await Set(index.search(.term("the")).map(\.id)) == ["2", "3"])
        try index.closeVerified()
        // Nothing of it is left that an opening without them would take for its own.
        #expect(throws: TextIndexError.self) {
            try TextIndex<PlainNote>.ofTexts(at: directory, earlier)
        }
        try TextIndex<PlainNote>.destroy(at: directory)
    }

    @Test("Suggestions are no words of little value, and need none of them")
    func suggestions() throws {
        let notes = [
            PlainNote("1", "the whale"), PlainNote("2", "then there"), PlainNote("3", "theory"),
        ]
        let index = try PlainNoteIndex(notes)
        let found = try index.index.suggestions(for: "th").completions.map(\.text)
        #expect(found == ["theory"])
    }
}
