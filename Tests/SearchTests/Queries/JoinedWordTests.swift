import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Words that signs join")
struct JoinedWordTests {
    private func index(_ texts: [String]) throws -> PlainNoteIndex {
        try PlainNoteIndex(texts.map { PlainNote($0, $0) })
    }

    @Test(
        "A word is found where it is a part of a joined one, and marked there",
        arguments: [
            ("alice", ["Alice met", "Alice's dog"]), ("amour", ["amour", "l'amour"]),
            ("acqua", ["acqua", "dell'acqua"]), ("istanbul", ["istanbul", "İstanbul'da"]),
            ("log", ["log", "log.txt"]), ("open", ["open", "status:open"]),
            ("example", ["example", "www.example.com", "jane.doe@example.com"]),
            ("TODO", ["TODO", "TODO:fix"]), ("value", ["value", "max_value"]),
            ("next", ["next", "end of a sentence.Next one"]),
            ("ärger", ["Ärger", "groß_ärger"]),
        ])
    func parts(_ text: String, _ objects: [String]) throws {
        for others in [objects, Array(objects.dropFirst())] {
            let notes = try index(
                others + ["blogs", "xlog.y", "unmaxvalued", "malice", "reopened"])
            for stage in Stage.allCases {
                try notes.enter(stage)
                let found = try notes.index.search(text, steps: [.exact, .variants])
                #expect(Set(found.map(\.id)) == Set(others), "\(text) \(stage)")
                #expect(found.items.first?.id == others.first)
                for item in found {
                    let marked = item.resultTokens.compactMap { item.range(of: $0, in: item.id) }
                    #expect(
                        marked.map { folded(item.id[$0]) } == [folded(text)],
                        "\(item.id)")
                }
            }
        }
    }

    private func folded(_ text: some StringProtocol) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    @Test("What an apostrophe adds to a word is no part")
    func endings() throws {
        let notes = try index(["Alice's dog", "rock'n'roll", "l'amour"])
        for part in ["s", "da"] { #expect(try notes.index.search(.part(part)).isEmpty) }
        #expect(try notes.index.search(.part("roll")).map(\.id) == ["rock'n'roll"])
        #expect(try notes.index.search(.part("rock'n")).map(\.id) == ["rock'n'roll"])
    }

    @Test("Parts of random words, against all of their parts", arguments: testSeeds(12))
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["a", "ab", "b", "ba", "1", "é"]
        let signs = ["_", ".", "'"]
        let words = Set(
            (0..<60).map { _ in
                (1..<generator.int(1...4)).reduce(generator.element(pieces)) { word, _ in
                    word + generator.element(signs) + generator.element(pieces)
                }
            })
        let notes = try index(words.sorted())
        // As the index has them, whole.
        let texts = Set(words.flatMap { Self.words($0, notes.index.writer.snapshot.analyzer) })
        for stage in Stage.allCases {
            try notes.enter(stage)
            for part in pieces + [
                "a_b", "ab.ba", "a'b", "b_é", ".a", "_b", "'ab.", "ba_", "_1_", "é.a_", "aab",
                "bab",
                "a1", "éba",
            ] {
                let expected = words.filter { word in
                    Self.words(word, notes.index.writer.snapshot.analyzer).contains {
                        Self.parts($0).contains(part == "é" ? "e" : part.replacing("é", with: "e"))
                    }
                }
                let found = try notes.index.search(.part(part), limit: .max)
                #expect(Set(found.map(\.id)) == expected, "seed \(seed): \(part) of \(texts)")
            }
        }
    }

    @Test("Parts of times, and of words like them, are the same in memory and flushed")
    func times() throws {
        let texts = [
            "2024-05-01T12:30:05Z", "01T12", "05Z", "v12z.txt", "10_t20", "10_20", "4_5z", "45z",
            "x_01t12", "t12", "12z", "3_5t1", "a_b", "ab",
        ]
        let notes = try index(texts)
        let parts = [
            "01", "12", "05", "t12", "01t", "01t12", "v12z", "v12", "12z", "10t20", "1020", "45z",
            "5z", "z", "t20", "20", "5t1", "35t1", "05z", "ab",
        ]
        func found() throws -> [Set<String>] {
            try parts.map { Set(try notes.index.search(.part($0)).map(\.id)) }
        }
        try notes.enter(.memory)
        let inMemory = try found()
        for stage in Stage.allCases {
            try notes.enter(stage)
            for (part, (own, expected)) in zip(parts, zip(try found(), inMemory)) {
                #expect(own == expected, "\(part) \(stage)")
            }
        }
        #expect(inMemory[1] == ["2024-05-01T12:30:05Z", "01T12", "x_01t12", "12z"])
        #expect(inMemory[3] == ["t12"])
        #expect(inMemory[9] == ["10_t20"])
        #expect(inMemory[19] == ["a_b", "ab"])
    }

    @Test("A word that is only a part is unknown where parts are not looked for")
    func unknown() throws {
        let notes = try index(["l'amour toujours"])
        for (steps, isKnown) in [(SearchSteps.exact, false), ([.exact, .variants], true)] {
            let found = try notes.index.search("amour", steps: steps)
            #expect(found.isEmpty == !isKnown)
            #expect(found.diagnostics.contains { $0.kind == .unknownWord } == !isKnown)
        }
    }

    private static func words(_ text: String, _ analyzer: Analyzer) -> [String] {
        QueryWords(text, analysis: analyzer.analyses[0]).words.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    /// All that begins and ends at signs, or beside them, but for what an apostrophe adds at the
    /// end, and the word without signs.
    private static func parts(_ word: String) -> Set<String> {
        func isSign(_ index: String.Index) -> Bool { "_.'".contains(word[index]) }
        let starts = word.indices.filter {
            $0 == word.startIndex || isSign($0) || isSign(word.index(before: $0))
        }
        let ends = starts.dropFirst() + [word.endIndex]
        var parts: Set<String> = []
        for start in starts {
            for end in ends where end > start {
                let part = word[start..<end]
                var isEnding = false
                if end == word.endIndex, start > word.startIndex, part.utf8.count <= 2,
                    word[word.index(before: start)] == "'"
                {
                    let before = word[..<word.index(before: start)]
                    isEnding = part.count == 1 || before.utf8.count > 2
                }
                if !isEnding { parts.insert(String(part)) }
            }
        }
        return parts.union([word.filter { !"_.'".contains($0) }])
    }

    // MARK: Patterns

    @Test(
        "A pattern goes on across signs",
        arguments: [
            ("well-kn*", ["a well-known fact"]), ("*ell-kno*", ["a well-known fact"]),
            ("w?ll-known", ["a well-known fact"]), ("/well-kn.*/", ["a well-known fact"]),
            ("e-mail~1", ["an e-mail"]), ("*-known", ["a well-known fact", "known-known"]),
            ("spider-m*", ["Spider-Man"]), ("std::vec*", ["std::vector"]),
            ("2024-05*", ["on 2024-05-01"]),
        ])
    func patterns(_ text: String, _ objects: [String]) throws {
        let texts = [
            "a well-known fact", "an e-mail", "well known", "known-known", "Spider-Man",
            "std::vector", "on 2024-05-01", "well", "mail", "wellknown", "2024-06-05", "spider",
        ]
        let notes = try index(texts)
        for stage in Stage.allCases {
            try notes.enter(stage)
            let found = Set(try notes.index.search(text, steps: .exact).map(\.id))
            #expect(found.isSuperset(of: objects), "\(text)")
            #expect(found.isDisjoint(with: ["well", "mail", "spider", "2024-06-05"]), "\(text)")
            let others = try notes.index.search("fact -\(text)", steps: .exact)
            #expect(others.isEmpty == objects.contains("a well-known fact"), "\(text)")
        }
        #expect(try notes.index.search(.prefix("well-kn")).count == 2)
        #expect(try notes.index.search(.infix("ell-kno")).count == 2)
        #expect(try notes.index.search(.suffix("ell-known")).count == 2)
        #expect(try notes.index.search(.fuzzy("e-mail", distance: 1)).map(\.id) == ["an e-mail"])
    }

    @Test(
        "Each beginning of a joined word finds it while it is typed",
        arguments: [
            "well-known", "jane.doe@example.com", "2024-05-01", "std::vector", "Spider-Man",
        ])
    func typing(_ word: String) throws {
        let notes = try index(["about " + word, "something else"])
        for stage in Stage.allCases {
            try notes.enter(stage)
            let session = notes.index.makeTypingSession()
            for count in 2...word.count {
                let results = try session.update(String(word.prefix(count)))
                #expect(results.items.first?.id == "about " + word, "\(word.prefix(count))")
            }
        }
    }
}
