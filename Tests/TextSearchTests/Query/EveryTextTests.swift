import Foundation
import Testing

@testable import TextSearch

/// Laws of searching for text: any text is a query, and what it comes to is said.
@Suite("Every text can be searched for") struct EveryTextTests {
    private static let words = [
        "peking", "duck", "ducks", "orange", "the", "and", "鴨肉", "café", "3.5", "c++", "naïve",
        "DUCK", "a", "x1",
    ]

    @Test("Nothing throws, and nothing is empty without a word about it", arguments: testSeeds(10))
    func everyText(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let notes = try PlainNoteIndex { $0.fields = ["title", "method"] }
        try notes.add(
            (0..<20).map { number in
                var note = PlainNote("\(number)")
                note.strings = (0..<2).map { _ in
                    (0..<random.int(0...6)).map { _ in random.element(Self.words) }
                        .joined(separator: " ")
                }
                return note
            })
        for round in 0..<120 {
            if round == 60 { try notes.enter(.flushed) }
            let text = random.string(of: QueryRandom.pieces + Self.words, upTo: random.int(0...20))
            var parser = notes.index.queryParser
            parser.options.defaultOperator = random.bool() ? .all : .any
            parser.options.lastWordIsPrefix = random.bool()
            parser.options.matchModes = MatchModes(rawValue: random.int(0...63))
            let note: Comment = "seed \(seed): \(text.debugDescription)"
            let results = try notes.index.search(text, reading: parser)
            let plain = try notes.index.search(text)
            for found in [results, plain] {
                // What was run prints as text that is read as the same.
                let again = QueryParser(fields: parser.fields).parse(found.query.description).query
                #expect(again == found.query.normalized(), note)
                #expect(found.totalCount.value >= found.count, note)
                for diagnostic in found.diagnostics {
                    #expect(diagnostic.range(in: text) != nil, note)
                }
                if found.isEmpty { #expect(!found.diagnostics.isEmpty, note) }
            }
        }
    }

    @Test(arguments: [
        "duck peking-orange", "\"orange duck\"", "duck -duck", "-*", "@weight:>3", "/z+/",
    ])
    func whatFindsNothingIsSaid(_ text: String) throws {
        let notes = try PlainNoteIndex()
        #expect(try notes.index.search("").diagnostics.map(\.kind) == [.noMatch])
        try notes.add([PlainNote("1", "duck"), PlainNote("2", "peking, orange")])
        let results = try notes.index.search(text)
        #expect(results.isEmpty == (text != "duck peking-orange"))
        #expect(results.diagnostics.count == 1)
        #expect(try notes.index.search(Query.nothing).diagnostics.isEmpty)
    }
}
