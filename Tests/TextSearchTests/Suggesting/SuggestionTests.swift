import Foundation
import Testing

@testable import TextSearch

@Suite("Suggestions")
struct SuggestionTests {
    private static let notes = [
        PlainNote("1", "The white whale swims."), PlainNote("2", "White whales of the sea"),
        PlainNote("3", "A white WHALE. Ships", weight: 3), PlainNote("4", "Wheel of fortune"),
        PlainNote("5", "Peking duck"), PlainNote("6", "北京大学"), PlainNote("7", "北京大使"),
    ]

    private func make() throws -> PlainNoteIndex {
        let index = try PlainNoteIndex(Self.notes)
        index.index.objectGetter = { identifier in Self.notes.first { $0.identifier == identifier }
        }
        return index
    }

    @Test func completionsAreRankedByWhatTheRestMatches() throws {
        let index = try make()
        for stage in Stage.allCases {
            try index.enter(stage)
            let alone = try index.index.suggestions(for: "wh")
            #expect(alone.completions.map(\.text) == ["white", "whale", "whales", "wheel"])
            #expect(alone.completions.map(\.objectCount) == [3, 2, 1, 1])
            #expect(alone.completions.map(\.score) == [6, 5, 1, 1])
            let rest = try index.index.suggestions(for: "Fortune  WH")
            #expect(rest.completions.map(\.text) == ["Fortune  wheel"])
            let edit = try #require(rest.completions.first?.edits.first)
            #expect(edit.utf8Range == 9..<11)
            #expect(edit.typedUTF8Range == 0..<2)
            var options = SuggestionOptions()
            options.filter = .term("sea")
            let filtered = try index.index.suggestions(for: "wh", options: options)
            #expect(filtered.completions.map(\.text) == ["whales", "white"])
            #expect(try index.index.suggestions(for: "北京大").completions.count == 2)
            #expect(try index.index.suggestions(for: "wh ").completions.isEmpty)
        }
    }

    @Test func phrasesAreWrittenAsInTheObjects() throws {
        let index = try make()
        let one = try index.index.suggestions(for: "white wha")
        #expect(one.phrases.map(\.text) == ["white whale swims", "white whales of the sea"])
        #expect(one.phrases.first?.edits.first?.typedUTF8Range == 0..<3)
        // Nothing follows the end of a sentence.
        let two = try index.index.suggestions(for: "white ")
        #expect(two.phrases.first?.text.lowercased() == "white whale")
        #expect(
            two.phrases.dropFirst().map(\.text) == [
                "white whale swims", "white whales", "white whales of the sea",
            ])
        #expect(two.phrases.first?.objectCount == 2)
        #expect(two.phrases.first?.edits.first?.utf8Range == 6..<6)
        // Without the text of objects there are none.
        index.index.objectGetter = nil
        #expect(try index.index.suggestions(for: "white ").phrases.isEmpty)
        let given = try index.index.suggestions(for: "peking ") { _ in ["Peking  Duck"] }
        #expect(given.phrases.map(\.text) == ["peking Duck"])
    }

    @Test func correctionsOfSeveralWords() throws {
        let index = try make()
        func texts(_ text: String) throws -> [String] {
            try index.index.suggestions(for: text).corrections.map(\.text)
        }
        #expect(try texts("pekng duvk") == ["peking duck"])
        #expect(try texts("peknig duck!") == ["peking duck!"])
        #expect(try texts("white whsle").first == "white whale")
        // What is there is never corrected, nor what may become something.
        #expect(try texts("wheel").isEmpty)
        #expect(try texts("whe").isEmpty)
        #expect(try texts("whal").isEmpty)
        #expect(try texts("whal ").first == "whale ")
        // A word that nothing is near to stays.
        #expect(try texts("qqqqqqqq duvk") == ["qqqqqqqq duck"])
        #expect(try texts("qqqqqqqq ").isEmpty)
        #expect(try texts("北海道").isEmpty)
    }

    @Test func neighbouringKeysAreLikelier() throws {
        let index = try PlainNoteIndex([PlainNote("1", "word"), PlainNote("2", "ward")])
        func first(_ text: String, _ keyboard: KeyboardLayout) throws -> String? {
            var options = SuggestionOptions()
            options.keyboard = keyboard
            return try index.index.suggestions(for: text, options: options).corrections.first?.text
        }
        #expect(try first("wprd ", .qwerty) == "word ")
        #expect(try first("wsrd ", .qwerty) == "ward ")
        #expect(try first("wsrd ", .none) == "ward ")
        #expect(try first("wprd ", .none) == "ward ")
    }

    @Test func layouts() {
        func areNear(_ layout: KeyboardLayout, _ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Bool {
            let pairs = layout.neighbours
            #expect(pairs.contains([a.value, b.value]) == pairs.contains([b.value, a.value]))
            return pairs.contains([a.value, b.value])
        }
        for (a, b) in [("g", "h"), ("g", "t"), ("g", "y"), ("g", "v"), ("g", "b"), ("p", "0")]
            as [(Unicode.Scalar, Unicode.Scalar)]
        {
            #expect(areNear(.qwerty, a, b), "\(a) \(b)")
        }
        for (a, b) in [("g", "n"), ("g", "u"), ("q", "z"), ("a", "a"), ("t", "b")]
            as [(Unicode.Scalar, Unicode.Scalar)]
        {
            #expect(!areNear(.qwerty, a, b), "\(a) \(b)")
        }
        #expect(areNear(.qwertz, "z", "t") && areNear(.qwertz, "y", "x"))
        #expect(!areNear(.qwertz, "y", "t"))
        #expect(areNear(.azerty, "a", "z") && areNear(.azerty, "q", "s"))
        #expect(areNear(.azerty, "l", "m") && !areNear(.azerty, "n", "m"))
        #expect(KeyboardLayout.none.neighbours.isEmpty)
    }

    @Test func nothingIsSuggestedForNothing() throws {
        let index = try make()
        for text in ["", " ", "?!", "\0"] {
            #expect(try index.index.suggestions(for: text).isEmpty, "\(text.debugDescription)")
        }
        var options = SuggestionOptions()
        options.limit = 0
        #expect(try index.index.suggestions(for: "wh", options: options).isEmpty)
        options.limit = .max
        #expect(try index.index.suggestions(for: "wh", options: options).completions.count == 4)
        options.kinds = []
        #expect(try index.index.suggestions(for: "wh", options: options).isEmpty)
        options.field = "absent"
        #expect {
            try index.index.suggestions(for: "wh", options: options)
        } throws: {
            ($0 as? TextIndexError)?.code == .invalidArgument
        }
    }

    @Test func cutShortIsSaid() throws {
        let index = try make()
        try index.index.flush()
        var options = SuggestionOptions()
        options.budget = .time(.zero)
        #expect(try !index.index.suggestions(for: "wh", options: options).isComplete)
    }
}
