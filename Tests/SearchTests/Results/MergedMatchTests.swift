import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Matches that overlap or touch")
struct MergedMatchTests {
    private static let texts = [
        "北京大学", "东京都北京大学院 and 北京大学", "コンピュータ", "Schindler's List", "iPhone充電器",
        "duck duck",
    ]

    private func found(
        _ query: String, _ index: PlainNoteIndex
    ) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for item in try index.index.search(query, steps: [.exact, .variants]) {
            #expect(!item.hasMoreMatches && item.failure == nil)
            found[item.id] = try item.resultTokens.map {
                String(item.id[try #require(item.range(of: $0, in: item.id))])
            }
            // They are what is marked.
            #expect(
                item.highlights(in: [item.id])[0].map { String(item.id[$0.range]) }
                    == found[item.id])
        }
        return found
    }

    @Test("A place of a query is one match with one range", arguments: Stage.allCases)
    func onePlace(stage: Stage) throws {
        let notes = try PlainNoteIndex(Self.texts.map { PlainNote($0, $0) })
        try notes.enter(stage)
        for query in ["北京大学", "\"北京大学\""] {
            #expect(
                try found(query, notes) == [
                    Self.texts[0]: ["北京大学"], Self.texts[1]: ["北京大学", "北京大学"],
                ])
        }
        #expect(try found("コンピュータ", notes) == ["コンピュータ": ["コンピュータ"]])
        #expect(
            try found("schindlers list", notes) == ["Schindler's List": ["Schindler's", "List"]])
        #expect(try found("iphone充電器", notes) == ["iPhone充電器": ["iPhone充電器"]])
        #expect(try found("duck", notes) == ["duck duck": ["duck", "duck"]])
        let item = try #require(try notes.index.search("北京大学院").first { _ in true })
        let token = try #require(item.resultTokens.first)
        #expect(token.word == 3 && token.wordIndex == 3)
        #expect(token.token == 0 && token.length == 5)
    }

    @Test("A match of several words is whole where only so many are found")
    func limit() throws {
        let text = Array(repeating: "北京大学", count: 9).joined(separator: " and ")
        let notes = try PlainNoteIndex([PlainNote("a", text)]) {
            $0.queryLimits.maximumMatchesPerItem = 2
        }
        let item = try #require(try notes.index.search("北京大学").first { _ in true })
        #expect(item.hasMoreMatches)
        #expect(
            item.resultTokens.map { item.range(of: $0) } == [
                NSRange(location: 0, length: 4), NSRange(location: 9, length: 4),
            ])
    }

    @Test("A match that goes on where no more are found is left out")
    func cutMatch() throws {
        let text = Array(repeating: "北京大学院生", count: 3).joined(separator: " and ")
        let notes = try PlainNoteIndex([PlainNote("a", text)]) {
            $0.queryLimits.maximumMatchesPerItem = 2
        }
        // Each has five pairs of characters, and eight are looked at.
        let item = try #require(try notes.index.search("北京大学院生").first { _ in true })
        #expect(item.hasMoreMatches)
        #expect(
            item.resultTokens.map { item.range(of: $0) } == [NSRange(location: 0, length: 6)])
    }

    @Test("Each match of a keyword is one, in words where it occurs several times, too")
    func keywords() throws {
        let notes = try PlainNoteIndex([PlainNote("a", "banana")])
        let item = try #require(try notes.index.searchResults(forKeyword: "an").first)
        #expect(item.resultTokens.map(\.token) == [1, 3])
    }
}
