import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Steps of a search")
struct LadderTests {
    private static let notes = [
        PlainNote("shoes", "Running shoes for trails"), PlainNote("whale", "The white whale"),
        PlainNote("wifi", "Set up wifi"), PlainNote("wi-fi", "A wi-fi router"),
        PlainNote("dont", "dont panic"), PlainNote("don't", "Don't panic"),
        PlainNote("10:30 am", "Trains at 10:30 am"), PlainNote("10:30am", "Trains at 10:30am"),
        PlainNote("knights", "The knights of the round table"),
        PlainNote("hatter", "The mad hatter"), PlainNote("alice", "Alice's adventures"),
    ]

    private func index() throws -> PlainNoteIndex {
        try PlainNoteIndex(Self.notes) { $0.steps = .all }
    }

    @Test(
        "A text that is nearly right finds what was meant first",
        arguments: [
            ("runing shoe", "shoes"), ("whitewhale", "whale"), ("knight round tables", "knights"),
            ("wifi", "wifi"), ("wi-fi", "wi-fi"), ("dont panic", "dont"), ("don't panic", "don't"),
            ("whitewhlae", "whale"), ("wihtewhale", "whale"), ("mad hater", "hatter"),
            ("alice", "alice"), ("white wha", "whale"),
            ("round elephant", "knights"),
        ])
    func nearlyRight(_ text: String, _ id: String) throws {
        let notes = try index()
        for stage in Stage.allCases {
            try notes.enter(stage)
            #expect(try notes.index.search(text).items.first?.id == id)
        }
    }

    @Test(
        "Two spellings of a word find each other",
        arguments: [
            ("wifi", ["wifi", "wi-fi"]), ("wi-fi", ["wi-fi", "wifi"]),
            ("dont panic", ["dont", "don't"]), ("don't panic", ["don't", "dont"]),
            ("trains 10:30 am", ["10:30 am", "10:30am"]),
            ("trains 10:30am", ["10:30am", "10:30 am"]),
        ])
    func spellings(_ text: String, _ ids: [String]) throws {
        let notes = try index()
        #expect(try Array(notes.index.search(text).map(\.id).prefix(2)) == ids)
        try notes.index.close()
    }

    @Test(
        "Pages go on where any part was enough, or a minus was text",
        arguments: ["\"alpha beta\" \"gamma delta\"", "gamma -9", "alpha delta"])
    func laterPages(text: String) throws {
        let notes = try PlainNoteIndex { $0.steps = .all }
        for number in 0..<7 {
            try notes.add([
                PlainNote("a\(number)", "alpha beta, and \(number) other words"),
                PlainNote("g\(number)", "gamma delta 9"),
            ])
        }
        for stage in Stage.allCases {
            try notes.enter(stage)
            for steps in [SearchSteps.exact, .all] {
                let all = try notes.index.search(text, limit: 100, steps: steps)
                #expect(all.count >= 7)
                var page = try notes.index.search(text, limit: 3, steps: steps)
                var pages: [String] = []
                while !page.isEmpty {
                    pages += page.map(\.id)
                    page = try notes.index.search(after: page.cursor, limit: 3)
                }
                #expect(pages == all.map(\.id), "\(stage), \(steps)")
            }
        }
    }

    @Test("Scores do not depend on how many results are asked for, and explanations say them")
    func scores() throws {
        let notes = try index()
        for stage in Stage.allCases {
            try notes.enter(stage)
            let all = try notes.index.search("don't panic", limit: 9)
            #expect(all.count > 1 && Set(all.map(\.matchedBy)).count > 1)
            var pages: [(String, Double)] = []
            var page = try notes.index.search("don't panic", limit: 1)
            while !page.isEmpty {
                pages += page.map { ($0.id, $0.score) }
                page = try notes.index.search(after: page.cursor, limit: 1)
            }
            #expect(pages.map(\.0) == all.map(\.id))
            #expect(pages.map(\.1) == all.map(\.score))
            for item in all {
                #expect(try item.explain()?.evaluated() == item.score)
                let missing = try notes.index.explain(
                    missing: Data(item.id.utf8), for: "don't panic")
                #expect(missing.reason == .found && missing.score?.value == item.score)
            }
        }
    }

    @Test("What was chosen comes higher within its step, and never above an earlier one")
    func learned() throws {
        let notes = try PlainNoteIndex([
            PlainNote("one", "shoe"), PlainNote("two", "shoe and more words"),
            PlainNote("many", "shoes"), PlainNote("chosen", "shoes and more words"),
        ]) { $0.steps = .all }
        for id in ["two", "chosen"] {
            notes.index.recordEngagement(withIdentifier: Data(id.utf8), for: "shoe", strength: 50)
        }
        notes.index.indexingQueue.waitUntilAllOperationsAreFinished()
        var boost = EngagementBoost()
        boost.maximum = 1e6
        boost.date = Date()
        let ranking = Ranking.relevance.learning(boost)
        for stage in Stage.allCases {
            try notes.enter(stage)
            let plain = try notes.index.search("shoe")
            #expect(plain.map(\.id) == ["one", "two", "many", "chosen"])
            let learned = try notes.index.search("shoe", ranking: ranking)
            #expect(learned.map(\.id) == ["two", "one", "chosen", "many"])
            #expect(learned.map(\.matchedBy) == [.exact, .exact, .variants, .variants])
            for item in learned { #expect(try item.explain()?.evaluated() == item.score) }
            let both = try FederatedSearch([notes.index]).search("shoe", ranking: ranking)
            #expect(both.hits.map(\.item.id) == learned.map(\.id))
            #expect(both.hits.map(\.item.score) == learned.map(\.score))
            #expect(both.hits.map(\.item.matchedBy) == learned.map(\.matchedBy))
            let counted = try notes.index.search(
                "shoe", ranking: ranking, facets: [.values(of: "none")])
            #expect(counted.map(\.score) == learned.map(\.score))
            #expect(counted.map(\.matchedBy) == learned.map(\.matchedBy))
        }
    }

    @Test("A typed query takes no steps")
    func typedQueries() throws {
        let notes = try index()
        let results = try notes.index.search(.term("runing"))
        #expect(results.isEmpty)
        #expect(results.steps == .exact)
    }

    @Test("An index takes all steps unless it is told not to")
    func defaults() throws {
        let notes = try PlainNoteIndex(Self.notes)
        #expect(try notes.index.search("runing shoe").items.first?.id == "shoes")
        #expect(try notes.index.search("runing shoe", steps: .exact).isEmpty)
    }

    @Test("Phrases, exclusions and filters hold in every step")
    func restrictions() throws {
        let notes = try index()
        #expect(try notes.index.search("whit whale -white").isEmpty)
        #expect(try notes.index.search("knigts \"table round\"").isEmpty)
        #expect(try notes.index.search("knigts \"round table\"").map(\.id) == ["knights"])
    }

    @Test("A search of several indexes takes the same steps")
    func federated() throws {
        let half = Self.notes.count / 2
        let a = try PlainNoteIndex(Array(Self.notes[..<half])) { $0.steps = .all }
        let b = try PlainNoteIndex(Array(Self.notes[half...])) { $0.steps = .all }
        let whole = try index()
        let both = try FederatedSearch([a.index, b.index])
        for text in [
            "runing shoe", "whitewhale", "knight round tables", "round elephant", "dont panic",
        ] {
            let found = try both.search(text, limit: 3).hits.map(\.item.id)
            #expect(try found == whole.index.search(text, limit: 3).map(\.id), "\(text)")
        }
    }

    private static let apart = [
        PlainNote("max", "max value"), PlainNote("amour", "amour toujours"),
        PlainNote("library", "北京大学的图书馆"), PlainNote("knights", "knights in armour"),
        PlainNote("version", "version 1.10.2"), PlainNote("million", "1000000"),
        PlainNote("rock", "rock'n'roll"), PlainNote("form", "a form for all"),
        PlainNote("connor", "Sinéad O'Connor"),
    ]

    @Test(
        "Words that are written apart, runs and beginnings name the step that finds them",
        arguments: [
            ("max_value", "max", SearchSteps.variants), ("l'amour", "amour", .someWords),
            ("北京大学图书馆", "library", .someWords), ("knigth", "knights", .typos),
            ("v1.10.2", "version", .someWords), ("1,000,000", "million", .variants),
            ("1 000 000", "million", .variants), ("rock n roll", "rock", .variants),
            ("fork", "form", .typos), ("o connor", "connor", .variants),
        ])
    func apart(_ text: String, _ id: String, _ step: SearchSteps) throws {
        let half = Self.apart.count / 2
        let a = try PlainNoteIndex(Array(Self.apart[..<half])) { $0.steps = .all }
        let b = try PlainNoteIndex(Array(Self.apart[half...])) { $0.steps = .all }
        let both = try FederatedSearch([a.index, b.index])
        try PlainNoteIndex.inAllStages(Self.apart) {
            $0.steps = .all
        } _: { notes in
            let found = try notes.index.search(text)
            #expect(found.map(\.id) == [id])
            #expect(found.map(\.matchedBy) == [step])
            for item in found { #expect(try item.explain()?.evaluated() == item.score) }
            #expect(try both.search(text).hits.map(\.item.id) == [id])
        }
    }

    @Test("An unfinished word is the beginning of parts of joined words, too")
    func beginningsOfParts() throws {
        let notes = [
            PlainNote("joined", "my_document"), PlainNote("plain", "documents"),
            PlainNote("inside", "undocked"), PlainNote("doc", "the doc"),
        ]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            let found = try index.index.search("doc")
            #expect(found.items.first?.id == "doc")
            #expect(Set(found.dropFirst().map(\.id)) == ["joined", "plain"])
            #expect(found.map(\.matchedBy) == [.exact, .unfinished, .unfinished])
            let steps: SearchSteps = [.exact, .unfinished]
            let alone = try index.index.search("doc", steps: steps)
            #expect(alone.map(\.id) == ["doc", "plain"])
        }
    }

    @Test("A facet counts the objects of the steps that were taken")
    func facets() throws {
        let notes = try index()
        let found = try notes.index.search("runing shoe", limit: 5, facets: [.values(of: "none")])
        #expect(found.items.first?.id == "shoes")
    }

    @Test("A search that is cut short keeps the steps that were done")
    func budget() throws {
        let notes = try index()
        for checks in 0..<200 {
            let clock = SearchClock(checks: checks)
            var request = SearchRequest(
                query: notes.index.queryParser.parse("white elephant").query)
            request.steps = .all
            let found = try notes.index.search(request, clock)
            if clock.isComplete {
                #expect(found.items.first?.id == "whale")
            } else {
                #expect(!found.isComplete)
            }
        }
    }

    @Test("The name of a step is its own")
    func names() {
        #expect(
            SearchSteps.all.description
                == "exact, variants, unfinished, typos, insideWords, someWords")
        for step in SearchSteps.inOrder { #expect(SearchSteps(named: step.description) == step) }
        #expect(SearchSteps(named: "none") == nil)
    }
}
