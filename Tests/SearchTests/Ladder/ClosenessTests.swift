import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Words close together rank higher")
struct ClosenessTests {
    private static func index(_ titles: [String]) throws -> PlainNoteIndex {
        try PlainNoteIndex(titles.enumerated().map { PlainNote("\($0)", $1) }) { _ in }
    }

    private static func first(_ text: String, of titles: [String]) throws -> String? {
        let notes = try index(titles)
        let found = try notes.index.search(text).map(\.id)
        return found.first.flatMap { Int($0) }.map { titles[$0] }
    }

    @Test(
        "A title that is the text as a whole comes first",
        arguments: [
            ("alien", ["Alien Alien", "Alien vs. Alien", "Alien", "Alien Resurrection"]),
            ("the matrix", ["Matrix algebra", "The matrix of the matrix", "Matrix", "The Matrix"]),
            ("her", ["For Her", "Her and her", "Her"]), ("up", ["Up in the Air", "Up, up", "Up"]),
            ("gone with the wind", ["The Wind", "Gone with the Wind", "Wind, gone with the wind"]),
        ])
    func wholeTitles(_ text: String, _ titles: [String]) throws {
        #expect(try Self.first(text, of: titles)?.lowercased() == text)
    }

    @Test("Words side by side in their order come before the same words apart")
    func phrases() throws {
        let promotes = """
            He was led by an invisible hand to promote an end which was no part of his intention
            """
        #expect(
            try Self.first("invisible hand", of: ["The invisible man gave a hand", promotes])
                == promotes)
        let flights = ["flights from London to Paris", "flights to London from Paris"]
        for (text, flight) in [
            ("flights to london", flights[1]), ("flights from london", flights[0]),
            ("flights from london to paris", flights[0]), ("from paris", flights[1]),
        ] {
            for order in [flights, flights.reversed()] {
                #expect(try Self.first(text, of: order) == flight, "\(text)")
            }
        }
    }

    @Test(
        "An unfinished last word counts as one that is side by side, and as a whole",
        arguments: [
            ("star war", ["Star of Wars", "Wars: a star", "Star Wars: A New Hope", "Star Wars"]),
            ("godf", ["The Godfather of all of them", "Godfather and son", "Godfather"]),
            ("gone with the win", ["The winds gone with a wing", "Gone with the Wind"]),
        ])
    func unfinished(_ text: String, _ titles: [String]) throws {
        let notes = try Self.index(titles)
        for steps in [SearchSteps.unfinished, .all] {
            let found = try notes.index.search(text, steps: [.exact, steps])
            #expect(found.map(\.id).first == "\(titles.count - 1)", "\(text), \(steps)")
        }
        let session = notes.index.makeTypingSession()
        for length in (text.count - 1)...text.count {
            let found = try session.update(String(text.prefix(length)))
            #expect(found.map(\.id).first == "\(titles.count - 1)", "\(text), \(length)")
        }
    }

    @Test("Words close together in any of several named fields of more count")
    func severalFields() throws {
        let notes = try PlainNoteIndex([
            PlainNote("apart", "whale white", "", ""),
            PlainNote("close", "white whale x y", "", ""),
            PlainNote("elsewhere", "whale white", "", "white whale"),
        ]) { $0.fields = ["title", "body", "note"] }
        let found = try notes.index.search("white whale", fields: ["title", "body"])
        #expect(found.map(\.id) == ["close", "apart", "elsewhere"])
        let typed = try notes.index.search("white wha", fields: ["title", "body"])
        #expect(typed.map(\.id) == ["close", "apart", "elsewhere"])
    }

    @Test("Without further steps, and for a typed query, closeness makes no difference")
    func exactOnly() throws {
        let notes = try Self.index(["white whale", "whale white"])
        let index = notes.index
        for ranking in [Ranking.relevance, .combined] {
            let scores = try index.search("white whale", ranking: ranking, steps: .exact)
                .map(\.score)
            #expect(Set(scores).count == 1)
        }
        let typed = try index.search(.all(of: [.term("white"), .term("whale")])).map(\.score)
        #expect(Set(typed).count == 1)
        #expect(try index.search("white whale").map(\.id) == ["0", "1"])
    }

    @Test("A search without the time for closeness says that it is not complete")
    func noTime() throws {
        let apart = (0..<2_000).map { "white \($0) whale white whale\($0)" }
        let notes = try Self.index(apart + ["The white whale of them all"])
        let index = notes.index
        // How often the time is looked at depends on the segments.
        try index.optimize()
        let best = try index.search("white whale", limit: 3).map(\.id)
        #expect(best.first == "2000")
        var (incomplete, partial) = (0, 0)
        for checks in 0..<200 {
            var budget = SearchBudget.unlimited
            budget.checks = checks
            let found = try index.search("white whale", limit: 3, budget: budget)
            if found.isComplete { #expect(found.map(\.id) == best, "\(checks) checks") }
            if !found.isComplete { incomplete += 1 }
            // What closeness lacks the time for is found all the same.
            if !found.isComplete, found.count == 3 { partial += 1 }
        }
        #expect((1..<200).contains(incomplete))
        #expect(partial > 0)
    }

    @Test("A page without the time for closeness says nothing of later pages")
    func laterPages() throws {
        let apart = (0..<2_000).map { "white \($0) whale white whale\($0)" }
        let notes = try Self.index(apart + ["The white whale of them all"])
        let index = notes.index
        try index.optimize()
        let all = try index.search("white whale", limit: 6).map(\.id)
        var lacking = 0
        for checks in 0..<200 {
            var budget = SearchBudget.unlimited
            budget.checks = checks
            let found = try index.search("white whale", limit: 3, budget: budget)
            guard found.count == 3, found.map(\.id) != Array(all.prefix(3)) else { continue }
            lacking += 1
            let next = try index.search(after: found.cursor, limit: 3)
            #expect(next.map(\.id) == Array(all.dropFirst(3)), "\(checks) checks")
        }
        #expect(lacking > 0)
    }
}
