import Foundation
import HTTPTypes
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// What a node expects of the sums of a search, and what it finds by that.
@Suite(.timeLimit(.minutes(10))) struct ExpectedSumsTests {
    /// The sums of a search for words.
    private func sum(
        _ frequencies: [Int], generation: UInt64 = 1, objects: Int = 9, count: Int? = nil,
        enough: Int = 0, fields: Int = 1, isEnded: Bool = false
    ) throws -> QueryStatistics {
        let digits = String(generation, radix: 16)
        let mark = String(repeating: "0", count: 16 - digits.count) + digits
        let lengths = [Int](repeating: 9, count: fields)
        let least = isEnded ? "" : ",\"enough\":\(enough)"
        let counts = count.map { "\"counts\":[\($0)]\(least)" } ?? "\"counts\":[]"
        let json =
            """
            {"version":1,"analysis":"a","generation":"\(mark)","indexCount":2,\(counts),
            "words":{"frequencies":{},"parts":{},"nearTerms":{},"nearParts":{}},
            "isEnded":\(isEnded || count == nil),"readings":[{"way":"best","roundsLeft":0,"shared":
            {"objects":\(objects),"words":\(lengths),"strings":\(lengths),
            "frequencies":\(frequencies)}}]}
            """
        return try JSONDecoder().decode(QueryStatistics.self, from: Data(json.utf8))
    }

    private func word(_ number: Int) -> [UInt8] { Array("word \(number)".utf8) }

    /// What is expected of a search for words that ends with the first round.
    private func sums(_ expected: ExpectedSums, of words: Int...) throws -> QueryStatistics? {
        try expected.sums(of: words.map(word), [sum(words.map { _ in 1 }, generation: 5)]).first
    }

    // MARK: The tables

    @Test func theyAreBounded() throws {
        let expected = ExpectedSums(most: 10_000)
        for number in 0..<500 {
            expected.note([word(number), word(0)], try sum([number, 7]))
            #expect((1...10_000).contains(expected.size))
            let frequencies = number == 0 ? [7, 7] : [7, number]
            #expect(try sums(expected, of: 0, number) == sum(frequencies))
        }
        #expect(try sums(expected, of: 1, 0) == nil)
        #expect(try sums(expected, of: 0) == sum([7]))
        // Numbers that are not those of so many words.
        expected.note([word(2)], try sum([3, 4]))
        #expect(try sums(expected, of: 2) == nil)
        // Of ever other contents.
        for number in 1...200 {
            expected.note(
                (0..<20).map(word),
                try sum([Int](repeating: 3, count: 20), generation: UInt64(number)))
            #expect((1...10_000).contains(expected.size))
        }
    }

    /// Words of other shards or another content say nothing, and do not take the place of others.
    @Test func answersOfOtherShards() throws {
        let expected = ExpectedSums(most: 10_000)
        expected.note([word(0)], try sum([7]))
        // Some shard was missing.
        expected.note([word(1)], try sum([3], generation: 2, objects: 5))
        #expect(try sums(expected, of: 0) == nil)
        #expect(try sums(expected, of: 1) == sum([3], generation: 2, objects: 5))
        expected.note([word(2)], try sum([4]))
        #expect(try sums(expected, of: 0) == sum([7]))
        #expect(try sums(expected, of: 1) == nil)
        // Older ones are forgotten.
        for generation in 3...5 {
            expected.note([word(1)], try sum([3], generation: UInt64(generation)))
        }
        expected.note([word(2)], try sum([4]))
        #expect(try sums(expected, of: 0) == nil)
        #expect(try sums(expected, of: 2) == sum([4]))
    }

    /// What is told of very many fields is not kept.
    @Test func longStatistics() throws {
        let expected = ExpectedSums(most: 1 << 20)
        expected.note([word(0)], try sum([7], fields: 5_000))
        #expect(expected.size == 0)
        #expect(try sums(expected, of: 0) == nil)
        expected.note([word(0)], try sum([7], fields: 2))
        #expect(expected.size > 96 + word(0).count)
        #expect(try sums(expected, of: 0) == sum([7], fields: 2))
    }

    /// Where too few objects have all words, a further step is likely.
    @Test(arguments: [
        // As many as are enough, in proportion.
        ([50, 40], [5, 4], 1, 10, true), ([50, 40], [5, 4], 0, 10, false),
        ([500, 400], [50, 40], 3, 40, false), ([500, 400], [50, 40], 4, 40, true),
        // Fewer have a word than are enough, of which all are needed, or any.
        ([50, 9], [5, 1], 1, 10, false), ([50, 9], [5, 1], 5, 10, true),
        // Others may have one.
        ([50, 40], [5, 4], 0, 1, true), ([50, 40], [0, 0], 0, 1, true),
        ([50, 0], [5, 0], 0, 1, false),
        // In how many objects one word is is known.
        ([50], [0], 0, 10, true), ([9], [3], 3, 10, false),
    ])
    func tooFewObjects(
        all: [Int], own: [Int], count: Int, enough: Int, isExpected: Bool
    ) throws {
        let expected = ExpectedSums(most: 10_000)
        expected.note(all.indices.map(word), try sum(all, objects: 9_000))
        let told = try sum(own, generation: 5, objects: 900, count: count, enough: enough)
        let found = expected.sums(of: all.indices.map(word), [told])
        #expect(found.count == (isExpected ? 1 : 0))
    }

    /// Where any words are enough if no object has all, either may be, as far as it is not known.
    @Test(arguments: [
        ([50, 40], [5, 4], 2, [1]), ([50, 40], [5, 4], 0, [1, 0]), ([50, 40], [0, 0], 0, [1, 0]),
        ([50, 0], [5, 0], 0, [0]), ([8, 9], [2, 2], 0, [0]), ([8, 9], [2, 2], 1, [1]),
    ])
    func anyOfTheWords(all: [Int], own: [Int], count: Int, counts: [Int]) throws {
        let expected = ExpectedSums(most: 10_000)
        expected.note(all.indices.map(word), try sum(all, objects: 9_000))
        let told = try sum(own, generation: 5, objects: 900, count: count, isEnded: true)
        let found = expected.sums(of: all.indices.map(word), [told])
        let wanted = try counts.map {
            try #require(try sum(all, objects: 9_000, count: $0, isEnded: true).essence)
        }
        #expect(found == wanted)
    }

    // MARK: In a node

    private func note(_ number: Int, _ body: String) -> Note {
        Note(
            identifier: "note \(number)", title: "", body: body, cuisine: "", minutes: 1, shelf: "")
    }

    /// Asks for statistics, as for a search that shows three hits.
    private func told(
        _ node: LocalNode<Note>, _ text: String, limit: Int = 3
    ) async throws -> [UInt8] {
        let asked = Array("{\"q\":\"\(text)\",\"limit\":\(limit),\"steps\":\"exact\"}".utf8)
        let request = ShardMessage.Request(
            deadline: 60_000, generation: "g1", shards: "0-1", asked: asked[...],
            shown: Array("{\"from\":0,\"count\":3}".utf8)[...])
        let reply = try await node.send(
            "/v1/shard/statistics", request.bytes, until: .now + .seconds(60))
        #expect(reply.status == 200)
        return reply.body
    }

    /// The next round, and what is found by expected sums, are told once any sums are known; and an
    /// answer that is cut short anywhere is none.
    @Test func whatIsToldEarly() async throws {
        let notes = (0..<20).map { note($0, $0 % 2 == 0 ? "duck whale" : "goose whale") }
        try await ShardedNotes.use(notes, shards: 2) { shards in
            let service = try ShardService(shards.source(), ServerOptions())
            let node = LocalNode(service: service, client: "test")
            let first = try #require(StatisticsReply(try await told(node, "duck goose")))
            #expect(first.statistics.isComplete)
            #expect(first.next == nil && first.early.isEmpty)
            // Whether any words are enough beside a filter takes another round.
            let filter = "\",\"filter\":\"minutes:>0"
            let filtered = try #require(
                StatisticsReply(try await told(node, "duck goose" + filter)))
            #expect(!filtered.statistics.isComplete && filtered.next == nil)
            for word in ["duck", "goose"] {
                let sum = try QueryStatistics.sum(
                    of: shards.shards.map { try $0.statistics(of: word, steps: .exact) })
                let request = try shards.shards[0].request(word, limit: 1, ranking: .relevance)
                let words = try #require(shards.shards[0].words(of: request))
                service.expected.note(words, sum)
            }
            let body = try await told(node, "duck goose")
            let reply = try #require(StatisticsReply(body))
            #expect(reply.statistics == first.statistics && reply.next == nil)
            #expect(reply.early.map(\.reply.ranks.count) == [0, 3])
            #expect(reply.early.last?.sums == reply.statistics.essence?.bytes)
            let again = try #require(
                StatisticsReply(try await told(node, "duck goose" + filter)))
            let next = try #require(again.next)
            #expect(again.statistics == filtered.statistics && next.isComplete)
            #expect(again.early.last?.sums == next.essence?.bytes)
            #expect(again.early.last?.reply.ranks.count == 3)
            for count in body.indices {
                #expect(StatisticsReply(Array(body[..<count])) == nil)
            }
            // Nobody knows the words, or there are none.
            for text in ["duck whale", "duck gees*", "\\\"duck whale\\\""] {
                let reply = try #require(StatisticsReply(try await told(node, text)))
                #expect(reply.early.isEmpty)
            }
        }
    }

    /// The order of words is that of the query alone where none is a bonus.
    @Test func wordsOfQueries() async throws {
        try await ShardedNotes.use([note(0, "duck"), note(1, "goose")], shards: 1) { shards in
            let index = shards.shards[0]
            let (duck, goose) = (Query.term("duck"), Query.term("goose"))
            let queries: [(Query, Int?)] = [
                (duck, 1), (.all(of: [duck, goose]), 2), (.any(of: [duck, goose]), 2),
                (.all(of: [.atLeast(0, of: [duck]), goose]), nil),
                (.all(of: [duck, .atLeast(0, of: [goose])]), nil), (.prefix("duck"), nil),
            ]
            for (query, count) in queries {
                let request = try index.request(query, limit: 1, ranking: .relevance)
                #expect(index.words(of: request)?.count == count)
            }
        }
    }
}
