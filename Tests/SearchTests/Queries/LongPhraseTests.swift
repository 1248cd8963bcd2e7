import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Phrases and words close together, of very many words")
struct LongPhraseTests {
    private static func repeated(_ word: String, _ count: Int) -> String {
        Array(repeating: word, count: count).joined(separator: " ")
    }

    @Test("An exact phrase is found whatever the number of its words")
    func exact() throws {
        let counts = [33, 65, 1_024, 1_025]
        // Distinct words, one word, and few words.
        let texts = counts.flatMap { count in
            [
                (0..<count).map { "w\($0)" }.joined(separator: " "),
                Self.repeated("same", count),
                (0..<count).map { "v\($0 % 7)" }.joined(separator: " "),
            ]
        }
        let notes = texts.enumerated().map { PlainNote("\($0)", "begin \($1) end") }
        try PlainNoteIndex.inAllStages(notes) { _ in
        } _: { index in
            for (number, text) in texts.enumerated() {
                let whole = try index.ids(.phrase("begin \(text) end"))
                #expect(whole == ["\(number)"], "\(number)")
                #expect(try index.ids(.phrase(text)).contains("\(number)"), "\(number)")
                #expect(try index.ids(.phrase("begin \(text) begin")).isEmpty, "\(number)")
                #expect(try index.ids(.phrase("end \(text)")).isEmpty, "\(number)")
                if number >= 6 { continue }
                let loose = Query.phrase("begin \(text) end", slop: 1)
                #expect(try index.ids(loose).contains("\(number)"), "\(number)")
            }
        }
    }

    @Test("Words that are the same have places of their own, however many they are")
    func places() throws {
        let counts = [1, 2, 3, 63, 64, 65, 66, 100, 130]
        let notes = counts.map { PlainNote("\($0)", Self.repeated("zz", $0) + " qq") }
        try PlainNoteIndex.inAllStages(notes) { _ in
        } _: { index in
            for count in counts {
                let expected = counts.filter { $0 >= count }.map(String.init).sorted()
                let words = Array(repeating: "zz", count: count)
                for ordered in [false, true] where count > 1 {
                    let near = Query.near(words, within: 500, ordered: ordered)
                    #expect(try index.ids(near) == expected, "\(count)")
                }
                for slop in [0, 1, 400] {
                    let phrase = Query.phrase(words.joined(separator: " "), slop: slop)
                    #expect(try index.ids(phrase) == expected, "\(count), slop \(slop)")
                }
                // Words whose places overlap have to make way for each other.
                let mixed: [Query] = words.map { .term($0) } + [.wildcard("??")]
                let found = try index.ids(Query.near(mixed, within: 500))
                #expect(found == expected, "\(count)")
            }
        }
    }

    /// Whether all words can have places of their own among some positions, by trying all.
    private static func fits(_ words: [[Int]], _ taken: Set<Int> = []) -> Bool {
        guard let first = words.first else { return true }
        return first.contains {
            !taken.contains($0) && fits(Array(words.dropFirst()), taken.union([$0]))
        }
    }

    @Test("Places are given to words as trying all of them does", arguments: testSeeds(20))
    func matching(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let clock = SearchClock(.unlimited, longest: nil)
        for _ in 0..<60 {
            let lists = (0..<generator.int(1...3)).map { _ in
                (0..<6).filter { _ in generator.once(in: 2) }.map {
                    Hit(document: 1, string: 0, position: UInt32($0), term: 0)
                }
            }
            let words = (0..<generator.int(lists.count...5)).map {
                $0 < lists.count ? $0 : generator.int(0...(lists.count - 1))
            }
            let isFound = Self.fits(words.map { lists[$0].map { Int($0.position) } })
            var groups: [Proximity.Group] = []
            try Proximity(lists, words: words, clock).near(within: 10, ordered: false) {
                groups.append($0)
            }
            let note: Comment = "seed \(seed): \(words) \(lists.map { $0.map(\.position) })"
            #expect(groups.isEmpty == !isFound, note)
            for group in groups {
                #expect(Set(group.map(\.position)).count == words.count, note)
                for (word, hit) in zip(words, group) {
                    #expect(lists[word].contains { $0.position == hit.position }, note)
                }
            }
        }
    }
}
