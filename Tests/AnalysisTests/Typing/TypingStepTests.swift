import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Steps of a text while it is typed")
struct TypingStepTests {
    private static let films = [
        "The Godfather", "Spiderman", "X-Men", "Se7en", "Who's Afraid of Virginia Woolf?",
        "Pirates of the Caribbean", "Ocean's Eleven", "Ocean's Twelve", "Weltmeisterschaft",
        "A Painting", "Alien", "Aliens",
    ].map { PlainNote($0, $0) }

    @Test(
        "A text that is nearly right finds while it is typed what a search for it finds",
        arguments: [
            ("godfathr", "The Godfather"), ("spidermna", "Spiderman"), ("xmen", "X-Men"),
            ("seven", "Se7en"), ("virgina wolf", "Who's Afraid of Virginia Woolf?"),
            ("pirate of caribean", "Pirates of the Caribbean"), ("oceans elevn", "Ocean's Eleven"),
            ("ocean twelve", "Ocean's Twelve"), ("meisterschaft", "Weltmeisterschaft"),
            ("paintng", "A Painting"), ("aliens", "Aliens"),
        ])
    func nearlyRight(_ text: String, _ title: String) throws {
        let notes = try PlainNoteIndex(Self.films)
        for stage in Stage.allCases {
            try notes.enter(stage)
            let session = notes.index.makeTypingSession()
            for length in 1..<text.count { _ = try session.update(String(text.prefix(length))) }
            let typed = try session.update(text)
            #expect(typed.items.first?.id == title, "\(stage)")
            let searched = try notes.index.search(text)
            #expect(Set(typed.map(\.id)).isSuperset(of: searched.map(\.id)), "\(stage)")
        }
        #expect(try notes.index.makeTypingSession().update("aliens").map(\.id).contains("Alien"))
    }

    @Test("A full page takes no further step, and hits of beginnings say so")
    func beginnings() throws {
        let notes = try PlainNoteIndex([
            PlainNote("whole", "duck", "roast"), PlainNote("begun", "duckling", "roast"),
            PlainNote("error", "duvk", "roast"), PlainNote("other", "goose", "roast"),
        ]) { $0.fields = ["title", "body"] }
        var parser = notes.index.queryParser
        parser.options.lastWordIsPrefix = true
        for stage in Stage.allCases {
            try notes.enter(stage)
            for (limit, fields) in [(2, []), (3, []), (3, ["title"])] {
                var options = TypingOptions()
                options.limit = limit
                options.fields = fields
                let session = notes.index.makeTypingSession(options)
                for text in limit == 2 ? ["duck", "roast duck"] : ["duck", "title:duck"] {
                    let found = try session.update(text)
                    #expect(found.map(\.id) == Array(["whole", "begun", "error"].prefix(limit)))
                    let steps: [SearchSteps] = [.exact, .unfinished, .typos]
                    #expect(found.map(\.matchedBy) == Array(steps.prefix(limit)), "\(text)")
                    #expect((found.steps == .exact) == (limit == 2), "\(text)")
                    let both = try FederatedSearch([notes.index]).search(
                        text, limit: limit, fields: fields, parser: parser)
                    #expect(both.hits.map(\.item.matchedBy) == found.map(\.matchedBy), "\(text)")
                }
            }
            let query = Query.any(of: [.term("duck"), .prefix("duck")])
            #expect(try notes.index.search(query).map(\.matchedBy) == [.exact, .exact])
        }
    }

    @Test("A minus before a letter or number is read as text if nothing else is found")
    func minus() throws {
        let notes = try PlainNoteIndex([PlainNote("a", "gamma 9"), PlainNote("b", "delta 9")])
        let session = notes.index.makeTypingSession()
        #expect(try session.update("gamma -9").map(\.id) == ["a"])
        #expect(try session.update("gamma -delta").map(\.id) == ["a"])
    }
}
