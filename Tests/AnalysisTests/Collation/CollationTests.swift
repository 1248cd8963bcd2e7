import CUnicode
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Collation: the order of texts")
struct CollationTests {
    /// Texts of CLDR's conformance test, in their order. What no string can be is left out.
    private static func texts(_ lines: [String]) -> [String] {
        lines.compactMap { line in
            let scalars = line.prefix { $0 != ";" && $0 != "#" }.split(separator: " ").map {
                UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
            }
            guard !scalars.isEmpty, scalars.allSatisfy({ $0 != nil }) else { return nil }
            var text = String.UnicodeScalarView()
            for case .some(let scalar) in scalars { text.append(scalar) }
            return String(text)
        }
    }

    /// The weights alone, by which the test has its order.
    private static func weights(_ text: String) -> [UInt8] {
        var elements = CollationElements()
        elements.read(text.unicodeScalars)
        var key: [UInt8] = []
        elements.appendKey(to: &key)
        return key
    }

    /// How many texts come before the one before them.
    private func misplaced(_ texts: [String]) -> [Int] {
        let keys = texts.map(Self.weights)
        return keys.indices.dropFirst().filter {
            keys[$0].lexicographicallyPrecedes(keys[$0 - 1])
        }
    }

    @Test("Texts of CLDR's conformance test are in its order")
    func conformance() throws {
        let texts = Self.texts(try AnalysisFixture.lines("unicode/CollationTest.txt"))
        #expect(texts.count > 14_000)
        let misplaced = misplaced(texts)
        #expect(misplaced.isEmpty, "\(misplaced.prefix(5).map { texts[$0].unicodeScalars })")
    }

    @Test(
        "The whole conformance test, where `COLLATION_TEST` names it",
        .enabled(if: ProcessInfo.processInfo.environment["COLLATION_TEST"] != nil))
    func wholeConformance() throws {
        let path = try #require(ProcessInfo.processInfo.environment["COLLATION_TEST"])
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let texts = Self.texts(lines.map(String.init))
        let misplaced = misplaced(texts)
        print("\(texts.count) texts of \(lines.count) lines, \(misplaced.count) misplaced")
        #expect(misplaced.isEmpty, "\(misplaced.prefix(5).map { texts[$0].unicodeScalars })")
    }

    @Test("Every place in the tables is there")
    func tables() throws {
        let blocks = cunicode_collation_blocks()
        #expect(blocks.count == 0x110000 / 128)
        let valueCount = cunicode_collation_values().count
        for block in UnsafeBufferPointer(start: blocks.numbers, count: blocks.count) {
            #expect((Int(block) + 1) * 128 <= valueCount)
        }
        let pool = Array(CollationTables.shared.pool)
        for scalar in 0..<0x110000 as Range<UInt32> {
            let entry = CollationTables.shared.entry(scalar)
            let place = Int(entry & CollationTables.placeMask)
            switch try #require(CollationTables.Kind(rawValue: entry >> 30)) {
            case .single: continue
            case .expansion, .decomposition:
                try #require(place < pool.count && place + Int(pool[place]) < pool.count)
            case .contractions:
                var end = place + 1 + Int(pool[place])
                try #require(end < pool.count)
                let count = Int(pool[end])
                #expect(count > 0)
                end += 1
                for _ in 0..<count {
                    for _ in 0..<2 {
                        try #require(end < pool.count)
                        end += 1 + Int(pool[end])
                    }
                }
                try #require(end <= pool.count)
            }
        }
        let ascii = CollationTables.shared.ascii
        #expect(ascii.allSatisfy { $0 == 0 || $0 >> 5 & 0x1ff == 0x20 }, "one secondary weight")
    }

    @Test("People's words are in the order of dictionaries")
    func words() {
        for words in [
            ["Äpfel", "apple", "banana", "éclair", "Zebra"],
            ["cote", "coté", "côte", "côté", "cotes"],
            ["a b", "a-b", "ab", "aB", "Ab", "AB", "abc"],
            ["", " ", "-", "$", "1", "10", "2", "a", "ß", "st", "α", "б", "א", "あ", "丁", "中"],
            ["strasse", "straße", "strasser"], ["ll", "l·l", "lm"],
        ] {
            #expect(words.shuffled().sorted { TextOrder.precedes($0, $1) } == words)
        }
    }

    // MARK: Against a plain model

    private static let alphabet: [String] = [
        "a", "A", "b", "z", "é", "e\u{301}", "E", "ß", "-", " ", "1", "9", "\u{0}", "\u{7f}", "l",
        "L", "\u{b7}", "\u{387}", "\u{300}", "\u{323}", "\u{34f}", "中", "\u{20000}", "각",
        "\u{1100}", "\u{1161}", "เ", "ก", "\u{f71}", "\u{f72}", "\u{f73}", "\u{fb2}", "\u{f80}",
        "\u{10ffff}", "\u{17000}", "ﷺ", "Å", "\u{212b}", "🙂",
    ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<generator.int(0...5)).map { _ in generator.element(alphabet) }.joined()
    }

    @Test(
        "Texts compare as their keys do, and equal ones are at one place", arguments: testSeeds(6))
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<150).map { _ in Self.text(&generator) }
        for a in texts {
            for b in texts {
                let keys = (Self.weights(a), Self.weights(b))
                let order = TextOrder.compare(a, b)
                let what: Comment =
                    "seed \(seed): \(Array(a.unicodeScalars)) \(Array(b.unicodeScalars))"
                #expect((order == 0) == (a == b), what)
                #expect(order == -TextOrder.compare(b, a), what)
                if keys.0 != keys.1 {
                    #expect((order < 0) == keys.0.lexicographicallyPrecedes(keys.1), what)
                }
            }
        }
    }

    @Test(
        "Hostile rows of marks are read in time",
        arguments: ["\u{f71}", "\u{301}", "\u{fb2}\u{323}"])
    func marks(_ mark: String) {
        let text = "a" + String(repeating: mark, count: 20_000) + "\u{f72}"
        #expect(!Self.weights(text).isEmpty)
    }

    @Test("Objects sort by text as the order says, in every state", arguments: testSeeds(4))
    func sorted(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<120).map { _ in Self.text(&generator) }
        let index = try Self.index(texts)
        defer { index.removeFiles() }
        let inOrder = texts.enumerated().sorted { a, b in
            a.element == b.element
                ? a.offset < b.offset : TextOrder.precedes(a.element, b.element)
        }.map { Data("\($0.offset)".utf8) }
        let bound = generator.element(texts)
        for stage in Stage.allCases {
            try index.enter(stage)
            let found = try index.index.search(
                .everything, limit: .max, ranking: .sorted(by: [.attribute("name")]))
            #expect(found.map(\.identifier) == inOrder, "seed \(seed), \(stage)")
            let last = try index.index.search(
                .everything, limit: 5, ranking: .sorted(by: [.attribute("name", .descending)]))
            let greatest = texts.max { TextOrder.precedes($0, $1) }
            #expect(last.map { texts[Int($0.id) ?? 0] }.first == greatest, "seed \(seed), \(stage)")
            let less = try index.index.search(
                .attribute("name", .less(.string(bound))), limit: .max)
            #expect(
                less.count == texts.count { TextOrder.precedes($0, bound) },
                "seed \(seed), \(stage): \(bound)")
        }
    }

    /// An index of objects with a name each.
    private static func index(_ names: [String]) throws -> NamedIndex {
        let index = try NamedIndex()
        // Of several segments.
        for (number, name) in names.enumerated() {
            index.index.indexObject((number, name)).waitUntilFinished()
            if number % 40 == 39 { try index.index.flush() }
        }
        return index
    }
}

/// An index of numbers and names, which removes its files.
private struct NamedIndex {
    let index: TextIndex<(Int, String)>

    init() throws {
        index = try TextIndex(at: temporaryDirectory("collation"))
        index.identifier = { Data("\($0.0)".utf8) }
        index.indexer = { object, _ in
            IndexedObject(strings: ["thing"], attributes: ["name": .string(object.1)])
        }
    }

    func enter(_ stage: Stage) throws {
        switch stage {
        case .memory: break
        case .flushed: try index.flush()
        case .optimized: try index.optimize()
        }
    }

    func removeFiles() {
        try? index.close()
        try? FileManager.default.removeItem(at: index.directory)
    }
}
