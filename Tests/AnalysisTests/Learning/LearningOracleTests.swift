import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Searches that learn against plain ones, whose scores a table of engagements raises.
@Suite("Learning from engagement")
struct LearningOracleTests {
    private static let words = ["duck", "goose", "red", "pond", "swan", "teal", "coot", "rail"]

    /// An index, and what it is to remember.
    private struct Bench {
        var generator: SeededGenerator
        var learning = PlainLearning()
        private(set) var index: TextIndex<PlainNote>
        private let folder: TemporaryFolder
        var ids: Set<String> = []
        let settings: LearningSettings

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            var settings = LearningSettings()
            settings.halfLife = generator.element([60, 3600, 86400])
            settings.maximumObjects = generator.element([1, 3, 200])
            settings.maximumQueries = generator.element([1, 2, 1000])
            self.settings = settings
            learning.settings = settings
            folder = try TemporaryFolder("learning")
            index = try Self.open(folder, settings)
        }

        private static func open(
            _ folder: TemporaryFolder, _ settings: LearningSettings
        ) throws -> TextIndex<PlainNote> {
            try openPlainNotes(at: folder("index")) {
                $0.learning = settings
                $0.fields = ["title", "body"]
                $0.steps = .exact
            }
        }

        mutating func reopen() throws {
            try index.closeVerified()
            index = try Self.open(folder, settings)
        }

        mutating func note() -> PlainNote {
            PlainNote(
                "note\(generator.int(0...19))", text(0...2), text(1...6),
                weight: generator.element([-1, 0, 0.5, 2]))
        }

        mutating func text(_ count: ClosedRange<Int>) -> String {
            (0..<generator.int(count)).map { _ in generator.element(LearningOracleTests.words) }
                .joined(separator: " ")
        }

        /// A query text, written somehow, and the form in which it is remembered. Mostly of a few
        /// words, so that the same ones come again.
        mutating func query() -> (text: String, form: String) {
            let isCommon = !generator.once(in: 4)
            let some = LearningOracleTests.words.prefix(isCommon ? 2 : 8)
            let words = (0..<generator.int(1...3)).map { _ in generator.element(some) }
            let written = words.map { generator.element([$0, $0.uppercased(), $0.capitalized]) }
            if words.count > 1, generator.once(in: 4) {
                let quoted = "\"\(written.joined(separator: generator.element([" ", ", "])))\""
                return (quoted, "\"\(words.joined(separator: " "))\"")
            }
            let distinct = Set(words).sorted()
            if distinct.count > 1, generator.once(in: 4) {
                return (
                    written.joined(separator: " OR "), distinct.joined(separator: " OR ")
                )
            }
            return (
                written.joined(separator: generator.element([" ", "  "])),
                distinct.joined(separator: " ")
            )
        }

        mutating func date() -> Date {
            Date(timeIntervalSinceReferenceDate: Double(generator.int(0...200_000)))
        }

        mutating func boost() -> EngagementBoost {
            var boost = EngagementBoost()
            boost.factor = generator.element([0, 0.1, 1, 10])
            boost.maximum = generator.element([1, 1.5, 3, 1e6])
            boost.halfLife = generator.element([nil, 60, 1e6])
            boost.date = date()
            return boost
        }

        // MARK: Changes

        mutating func change() async throws {
            switch generator.int(0...15) {
            case 0...3:
                let note = note()
                _ = try await index.indexObject(note).value()
                ids.insert(note.id)
            case 4:
                let some = (0..<5).map { _ in note() }
                try await index.indexObjects(some)
                ids.formUnion(some.map(\.id))
            case 5:
                let gone = Set((0..<(generator.once(in: 3) ? 4 : 1)).map { _ in note().id })
                if gone.count > 1 {
                    try await index.removeObjects(withIdentifiers: gone.map { Data($0.utf8) })
                } else {
                    for id in gone {
                        _ = try await index.removeIndex(forIdentifier: Data(id.utf8)).value()
                    }
                }
                ids.subtract(gone)
                learning.forget { pair, _ in gone.contains(pair.id) }
            case 6...12: try await record()
            case 13: try await forget()
            case 14: try move()
            default:
                guard generator.once(in: 6) else { return }
                try await index.removeAll()
                ids = []
                learning.forget { _, _ in true }
            }
        }

        private mutating func record() async throws {
            let id = note().id
            let query = query()
            let strength = generator.element([0.5, 1, 4])
            let date = date()
            let operation: IndexingOperation
            if generator.once(in: 4) {
                operation = index.recordEngagement(
                    Engagement(
                        identifier: Data(id.utf8), query: query.form, strength: strength,
                        date: date))
            } else {
                operation = index.recordEngagement(
                    withIdentifier: Data(id.utf8), for: query.text, strength: strength, at: date)
            }
            _ = try await operation.value()
            guard ids.contains(id) else { return }
            learning.record(id, query.form, strength, date.timeIntervalSinceReferenceDate)
        }

        private mutating func forget() async throws {
            switch generator.int(0...6) {
            case 0, 1:
                let id = note().id
                _ = try await index.forgetEngagements(withIdentifier: Data(id.utf8)).value()
                learning.forget { pair, _ in pair.id == id }
            case 2, 3:
                let query = query()
                _ = try await index.forgetEngagements(for: query.text).value()
                learning.forget { pair, _ in pair.query == query.form }
            case 4, 5:
                let date = date().addingTimeInterval(-100_000)
                try await index.forgetEngagements(before: date)
                let time = date.timeIntervalSinceReferenceDate
                learning.forget { _, engagement in engagement.time < time }
            default:
                _ = try await index.forgetAllEngagements().value()
                learning.forget { _, _ in true }
            }
        }

        private mutating func move() throws {
            switch generator.int(0...3) {
            case 0: try index.flush()
            case 1: try index.optimize()
            default: try reopen()
            }
        }

        // MARK: Comparisons

        func compareLists(_ comment: Comment) throws {
            var all: [Engagement] = []
            try index.forEachEngagement {
                all.append($0)
                return true
            }
            #expect(all == learning.list(), comment)
            for id in ids {
                let own = try index.engagements(withIdentifier: Data(id.utf8))
                #expect(own == learning.list { $0.id == id }, comment)
            }
        }

        /// The items of a plain search, raised and put in order here.
        func raised(
            _ items: [SearchResultItem<PlainNote>], _ query: String?, _ boost: EngagementBoost,
            _ score: (Double, Double) -> Double
        ) -> [(id: String, score: Double)] {
            items.map { item in
                let factor = learning.factor(item.id, query, boost)
                let relevance = item.relevance > 0 ? item.relevance * factor : item.relevance
                return (item, relevance, score(relevance, item.weight))
            }.sorted { (a: (SearchResultItem<PlainNote>, Double, Double), b) in
                if a.2 != b.2 { return a.2 > b.2 }
                return a.1 != b.1 ? a.1 > b.1 : a.0.document < b.0.document
            }.map { ($0.0.id, $0.2) }
        }

        mutating func compareSearch(_ comment: Comment) throws {
            let (text, form) = query()
            let boost = boost()
            typealias Score = (Double, Double) -> Double
            let byRelevance: Score = { relevance, _ in relevance }
            let byWeight: Score = { _, weight in weight }
            let combined: Score = { relevance, weight in
                relevance == 0 ? 0 : relevance * max(weight, .leastNormalMagnitude)
            }
            let doubled: Score = { relevance, _ in relevance * 2 }
            let rankings: [(Ranking, Score)] = [
                (.relevance, byRelevance), (.weight, byWeight), (.relevance, byRelevance),
                (.combined, combined), (.custom { $0.relevance * 2 }, doubled),
            ]
            let (ranking, score) = generator.element(rankings)
            let plain = try index.search(text, limit: .max)
            let expected = raised(Array(plain), form, boost, score)
            let learned = ranking.learning(boost)
            let limit = generator.int(1...8)
            let first = try index.search(text, limit: limit, ranking: learned)
            let comment: Comment = "\(comment), \(text), limit \(limit)"
            #expect(first.map(\.id) == expected.prefix(limit).map(\.id), comment)
            #expect(first.map(\.score) == expected.prefix(limit).map(\.score), comment)
            // What is recorded between two pages changes nothing.
            if let id = ids.first {
                index.recordEngagement(
                    withIdentifier: Data(id.utf8), for: text, strength: 1, at: Date.distantPast)
                index.indexingQueue.waitUntilAllOperationsAreFinished()
                learning.record(
                    id, form, 1, Date.distantPast.timeIntervalSinceReferenceDate)
            }
            var pages = Array(first)
            var page = first
            while !page.isEmpty {
                page = try index.search(after: page.cursor, limit: limit)
                pages += page
            }
            #expect(pages.map(\.id) == expected.map(\.id), comment)
            for item in pages {
                #expect(try item.explain()?.value == item.score, comment)
                #expect(try item.explain()?.evaluated() == item.score, comment)
            }
            try compareOthers(text, ranking.learning(boost), boost, form, score, plain, comment)
        }

        /// Counts, facets, typing, misses and several indexes.
        private mutating func compareOthers(
            _ text: String, _ ranking: Ranking, _ boost: EngagementBoost, _ form: String,
            _ score: (Double, Double) -> Double, _ plain: SearchResults<PlainNote>,
            _ comment: Comment
        ) throws {
            let expected = raised(Array(plain), form, boost, score)
            let scores = expected.map(\.score)
            let least = generator.once(in: 2) ? scores.randomElement(using: &generator) ?? 0 : 0.3
            let many = try index.search(text, limit: 2, ranking: ranking, minimumScore: least)
            #expect(many.totalCount.value == scores.count { $0 >= least }, comment)
            let faceted = try index.search(
                text, limit: 3, ranking: ranking, facets: [.values(of: "none", order: .bestHit)],
                minimumScore: least)
            #expect(faceted.prefix(2).map(\.id) == many.map(\.id), comment)
            #expect(faceted.totalCount == many.totalCount, comment)
            let shown = try index.search(
                text, limit: 4, ranking: ranking, facets: [.values(of: "none")])
            #expect(shown.map(\.score) == Array(scores.prefix(4)), comment)
            let both = try FederatedSearch([index]).search(text, limit: 5, ranking: ranking)
            #expect(both.hits.map(\.item.id) == expected.prefix(5).map(\.id), comment)
            #expect(both.hits.map(\.item.score) == Array(scores.prefix(5)), comment)
            for (id, score) in expected.prefix(3) {
                let miss = try index.explain(
                    missing: Data(id.utf8), for: text, ranking: ranking, minimumScore: least)
                #expect(miss.score?.value == score, comment)
                #expect(miss.reason == (score < least ? .belowMinimumScore : .found), comment)
            }
        }

        /// A typing session gives what a search gives that reads the last word as unfinished.
        mutating func compareTyping(_ comment: Comment) throws {
            let (text, _) = query()
            var options = TypingOptions()
            options.ranking = .relevance.learning(boost())
            options.limit = 5
            let session = index.makeTypingSession(options)
            var parser = index.queryParser
            parser.options.lastWordIsPrefix = true
            for length in 1...text.count {
                let typed = String(text.prefix(length))
                let answer = try session.update(typed)
                let fresh = try index.search(
                    typed, limit: 5, ranking: options.ranking, parser: parser)
                #expect(answer.map(\.id) == fresh.map(\.id), comment)
                #expect(answer.map(\.score) == fresh.map(\.score), comment)
            }
        }
    }

    @Test(
        "Random engagements and removals rank random objects as a plain model does",
        arguments: testSeeds(6))
    func random(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        for round in 0..<120 {
            let comment: Comment = "seed \(seed), round \(round)"
            try await bench.change()
            if round % 4 == 3 {
                try bench.compareSearch(comment)
                try bench.compareLists(comment)
            }
            if round % 30 == 29 { try bench.compareTyping(comment) }
        }
        try bench.index.closeVerified()
    }
}
