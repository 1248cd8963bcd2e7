import Foundation
import Testing

@testable import TestSupport
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

    @Test("A word that the text has already is a completion only where it stands again")
    func repeatedWords() throws {
        let index = try PlainNoteIndex([
            PlainNote("1", "the white whale"), PlainNote("2", "a white wheel and a white whale"),
            PlainNote("3", "New York, New York", weight: 1), PlainNote("4", "a new newspaper"),
            PlainNote("5", "white and white"),
        ])
        func words(_ text: String) throws -> [String] {
            try index.index.suggestions(for: text).completions.map {
                "\($0.text) \($0.objectCount)"
            }
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try words("white wh") == ["white whale 2", "white wheel 1"])
            #expect(try words("white wheel wh") == ["white wheel whale 1"])
            #expect(try words("new york ne") == ["new york new 1"])
            #expect(try words("new ne") == ["new newspaper 1"])
            #expect(
                try words("white and wh") == [
                    "white and whale 2", "white and wheel 1", "white and white 1",
                ])
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

    @Test("Words that share a position, overlap or are dropped are suggested right")
    func otherAnalyses() throws {
        let code = try PlainNoteIndex([PlainNote("1", "parseHTTPRequest")]) {
            $0.analysis = TextAnalysis(tokenizer: CodeTokenizer())
        }
        let parse = try code.index.suggestions(for: "parse") { _ in ["parseHTTPRequest"] }
        #expect(parse.completions.map(\.text) == ["parsehttprequest"])
        #expect(parse.phrases.map(\.text) == ["parseHTTP", "parseHTTPRequest"])

        let parts = try PlainNoteIndex([PlainNote("1", "whales")]) {
            $0.analysis = TextAnalysis(tokenizer: QuadgramTokenizer())
        }
        // wxal, xale: the first is corrected, and the second overlaps it.
        let corrected = try parts.index.suggestions(for: "wxale ").corrections
        #expect(corrected.map(\.text) == ["whale "])

        let dropping = try PlainNoteIndex([PlainNote("1", "white whale"), PlainNote("2", "whites")])
        {
            $0.analysis = TextAnalysis(filters: [DroppingFilter()])
        }
        #expect(try dropping.index.suggestions(for: "white").completions.count == 1)
        #expect(try dropping.index.suggestions(for: "white dropped").completions.isEmpty)
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

/// Every four characters in a row.
private struct QuadgramTokenizer: Tokenizer {
    let identity = "quadgrams-1"

    func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
        for start in text.indices {
            guard
                let end = text.index(start, offsetBy: 4, limitedBy: text.endIndex)
            else { return }
            if text[start..<end].allSatisfy(\.isLetter) { body(start..<end) }
        }
    }
}

private struct DroppingFilter: TermFilter {
    let identity = "dropping-1"
    func filter(_ term: String) -> String? { term == "dropped" ? nil : term }
}
