import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Live queries against searches of their own")
struct LiveOracleTests {
    typealias Item = SearchResultItem<TestObject>

    /// A live query with the list that somebody keeps by its differences.
    private struct Follower {
        let query: Query
        let plain: PlainQuery?
        let options: LiveOptions
        let live: LiveQuery<TestObject>
        var list: [Item] = []
        /// The versions of what matched when it was asked last, by the plain strings.
        var versions: Set<[Int]>?
        /// What was chosen for the query then.
        var choices: [Engagement] = []
        var count: Int?
    }

    @Test(
        "Applying all differences to the first answer gives the last answer",
        arguments: testSeeds(8))
    func randomChanges(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        try await bench.change()
        var followers: [Follower] = []
        for _ in 0..<16 { followers.append(try follower(&bench)) }
        for _ in 0..<4 { followers.append(try textFollower(&bench)) }
        for _ in 0..<25 {
            let exchanges = bench.random.generator.once(in: 12)
            if exchanges { try await rebuild(bench) } else { try await step(&bench, followers) }
            for number in followers.indices {
                // Who does not ask gets the differences of several commits as one.
                if exchanges || bench.random.generator.once(in: 2) {
                    try ask(&followers[number], bench, exchanges, number)
                }
            }
        }
    }

    // MARK: Changes

    /// A few commits, or one, or none that changes an object.
    private func step(_ bench: inout RandomIndex, _ followers: [Follower]) async throws {
        switch bench.random.generator.int(0...14) {
        case 0...2: try await bench.change()
        case 3: try await bench.index.flush()
        case 4: try await bench.index.optimize()
        case 5:
            if bench.random.generator.once(in: 4) {
                bench.corpus.model.removeAll()
                try await bench.index.removeAll()
            }
        case 6, 7:
            let id = bench.random.generator.int(0...29)
            bench.corpus.model.remove(id)
            let gone = TestObject(id: id, strings: [], weight: 0)
            _ = try await bench.index.removeIndex(for: gone).value()
        case 12...14: await choose(&bench, followers)
        default:
            let object = bench.random.object()
            bench.corpus.model.index(object)
            _ = try await bench.index.indexObject(object).value()
        }
    }

    /// Remembers that an object was chosen for some of the queries, or forgets what was.
    private func choose(_ bench: inout RandomIndex, _ followers: [Follower]) async {
        let chosen = TestObject(id: bench.random.generator.int(0...29), strings: [], weight: 0)
        for follower in followers where bench.random.generator.once(in: 3) {
            if bench.random.generator.once(in: 4) {
                bench.index.forgetEngagements(for: follower.query)
            } else {
                bench.index.recordEngagement(
                    Engagement(
                        identifier: chosen.identifier,
                        query: EngagementQuery.text(follower.query) ?? "",
                        strength: bench.random.generator.element([0.5, 2]),
                        date: Date(timeIntervalSinceReferenceDate: 0)))
            }
        }
        await bench.index.waitUntilAllOperationsAreFinished()
    }

    /// What is remembered of a query whose answer learns.
    private func choices(_ follower: Follower, _ bench: RandomIndex) throws -> [Engagement] {
        guard follower.options.ranking.engagement != nil else { return [] }
        let form = EngagementQuery.text(follower.query)
        var found: [Engagement] = []
        try bench.index.forEachEngagement {
            if $0.query == form { found.append($0) }
            return true
        }
        return found
    }

    private func rebuild(_ bench: RandomIndex) async throws {
        let objects = Dictionary(
            uniqueKeysWithValues: bench.corpus.model.objects.map { ($0.identifier, $0) })
        bench.index.objectGetter = { objects[$0] }
        _ = try await bench.index.rebuild()
    }

    // MARK: Followers

    private func follower(_ bench: inout RandomIndex) throws -> Follower {
        var options = LiveOptions()
        options.limit = bench.random.generator.element([1, 3, 8, 1000])
        options.rescoresAlways = bench.random.generator.once(in: 2)
        options.ranking = bench.random.generator.element([
            .relevance, .relevance, .weight, .combined,
            .sorted(by: [.attribute("x", .descending), .relevance]),
            .custom { $0.relevance - $0.weight },
        ])
        if bench.random.generator.once(in: 5) { options.minimumScore = 0.5 }
        if bench.random.generator.once(in: 2) {
            var boost = EngagementBoost()
            boost.date = Date(timeIntervalSinceReferenceDate: 0)
            boost.factor = 5
            boost.maximum = 100
            options.ranking = options.ranking.learning(boost)
        }
        let plain = bench.random.query(depth: 2)
        return Follower(
            query: plain.query, plain: plain, options: options,
            live: try bench.index.liveQuery(plain.query, options))
    }

    /// Of a text, whose words are all wanted until no object has them.
    private func textFollower(_ bench: inout RandomIndex) throws -> Follower {
        var options = LiveOptions()
        options.limit = bench.random.generator.element([2, 1000])
        options.rescoresAlways = true
        let text = bench.random.words(1...3).map(\.source).joined(separator: " ")
        return Follower(
            query: .phrase(text), plain: nil, options: options,
            live: try bench.index.liveQuery(text, options))
    }

    private func ask(
        _ follower: inout Follower, _ bench: RandomIndex, _ exchanges: Bool, _ number: Int
    ) throws {
        let note: Comment = "seed \(bench.seed), follower \(number): \(follower.query)"
        let before = follower.live.searchCount
        let old = follower.list
        let (difference, _) = try follower.live.poll()
        if let difference {
            follower.list = difference.applied(to: old)
            check(difference, old, follower, note)
        } else {
            #expect(follower.count != nil, "the first difference always comes, \(note)")
        }
        let versions = try follower.plain.map { try self.versions($0, bench) }
        let choices = try choices(follower, bench)
        let isTouched =
            versions == nil || versions != follower.versions || choices != follower.choices
        if isTouched || exchanges || follower.options.rescoresAlways {
            let expected = try search(follower, bench)
            #expect(identities(follower.list) == identities(expected.items), note)
            if let difference {
                #expect(difference.items.map(\.score) == expected.items.map(\.score), note)
                follower.count = difference.totalCount.value
            }
            #expect(follower.count == expected.totalCount.value, note)
        } else {
            #expect(difference == nil, note)
            #expect(
                follower.live.searchCount == before || asksNothing(follower, bench),
                "an object that does not match costs no search, \(note)")
        }
        #expect(follower.live.searchCount <= before + 1, note)
        follower.versions = versions
        follower.choices = choices
    }

    /// What a difference says of itself.
    private func check(
        _ difference: LiveDifference<TestObject>, _ old: [Item], _ follower: Follower,
        _ note: Comment
    ) {
        let (was, now) = (old.map(\.identifier), difference.items.map(\.identifier))
        #expect(identities(follower.list) == identities(difference.items), note)
        #expect(difference.items.map(\.rank) == Array(0..<now.count), note)
        #expect(difference.removed.map(\.identifier) == was.filter { !now.contains($0) }, note)
        #expect(difference.removed.allSatisfy { was[$0.rank] == $0.identifier }, note)
        #expect(difference.inserted.map(\.identifier) == now.filter { !was.contains($0) }, note)
        #expect(difference.moved.allSatisfy { was[$0.oldRank] == $0.item.identifier }, note)
        let documents = Set(old.map(\.document))
        let anew = difference.items.filter {
            was.contains($0.identifier) && !documents.contains($0.document)
        }
        #expect(difference.updated.map(\.identifier) == anew.map(\.identifier), note)
        let movers = Set(difference.moved.map(\.item.identifier))
        let stay = { (list: [Data], other: [Data]) in
            list.filter { other.contains($0) && !movers.contains($0) }
        }
        #expect(stay(was, now) == stay(now, was), note)
    }

    private func search(
        _ follower: Follower, _ bench: RandomIndex
    ) throws -> SearchResults<TestObject> {
        let options = follower.options
        guard follower.plain == nil else {
            return try bench.index.search(
                follower.query, limit: options.limit, ranking: options.ranking,
                minimumScore: options.minimumScore)
        }
        guard case .phrase(let text, _, _) = follower.query.node else {
            return try bench.index.search(follower.query)
        }
        return try bench.index.search(text, limit: options.limit)
    }

    /// What matches, by the plain strings: which object, and which version of it.
    private func versions(_ plain: PlainQuery, _ bench: RandomIndex) throws -> Set<[Int]> {
        let all = try bench.index.search(.everything, limit: .max)
        let documents = Dictionary(
            uniqueKeysWithValues: all.items.map { ($0.number, Int($0.document)) })
        return Set(bench.corpus.answer(plain).map { [$0, documents[$0] ?? -1] })
    }

    private func identities(_ items: [Item]) -> [[UInt8]] {
        items.map { Array($0.identifier) + Array("\($0.document)".utf8) }
    }

    /// Stop words are looked for inside other words, which a single object cannot be asked for.
    private func asksNothing(_ follower: Follower, _ bench: RandomIndex) -> Bool {
        var evaluator = bench.index.evaluator(bench.index.writer.snapshot, .relevance)
        return ((try? evaluator.evaluate(follower.query, .documents)) ?? nil) == nil
    }

    // MARK: The fewest moves

    @Test("A difference moves as few results as possible", arguments: testSeeds(20))
    func fewestMoves(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let numbers = Array(0..<generator.int(0...8)).shuffled(using: &generator)
            let found = LiveDifference<Int>.longestAscent(of: numbers)
            let kept = numbers.filter { found.contains($0) }
            #expect(kept == kept.sorted(), "seed \(seed): \(numbers)")
            var longest = 0
            for bits in 0..<(1 << numbers.count) {
                let some = numbers.indices.filter { bits & 1 << $0 != 0 }.map { numbers[$0] }
                if some == some.sorted() { longest = max(longest, some.count) }
            }
            #expect(found.count == longest, "seed \(seed): \(numbers)")
        }
    }
}
