import Foundation
import TextIndexInterface
import TextSearch

/// What some shards found, as their node answers it.
struct ShardReply: Sendable {
    struct Rank: Sendable {
        let shard: Int
        let rank: ShardRank
    }

    let mark: IndexGeneration
    let total: Int
    let isTotalExact: Bool
    let isComplete: Bool
    let steps: SearchSteps
    let diagnostics: [JSON]
    /// Of all hits, in order.
    let ranks: [Rank]
    /// The hits that are shown, in JSON.
    let hits: [ArraySlice<UInt8>]
    /// What was counted, with all buckets; empty where nothing was.
    let facets: [FacetCounts<Never>]
    /// The words that none of the shards has; nil where that is not known.
    let unknownWords: [UnknownWord]?

    /// Reads an answer; nil for what is none.
    ///
    /// - Parameters:
    ///   - body: the answer.
    ///   - facets: what the node was asked to count.
    init?(_ body: [UInt8], counting facets: [Facet] = []) {
        do { self = try Self(reading: body, facets) } catch { return nil }
    }

    private init(reading body: [UInt8], _ facets: [Facet]) throws {
        var reader = try ShardMessage.reader(body)
        guard let mark = IndexGeneration(try reader.text()) else { throw MalformedMessage() }
        self.mark = mark
        total = try reader.number()
        let flags = try reader.byte()
        guard total >= 0, flags < 4 else { throw MalformedMessage() }
        isTotalExact = flags & 1 != 0
        isComplete = flags & 2 != 0
        var names: [String] = []
        for _ in 0..<(try reader.count()) { names.append(try reader.text()) }
        steps = SearchSteps(names: names) ?? []
        diagnostics = try Self.diagnostics(try reader.slice())
        var ranks: [Rank] = []
        for _ in 0..<(try reader.count(ofAtLeast: 18)) { ranks.append(try Self.rank(&reader)) }
        self.ranks = ranks
        var hits: [ArraySlice<UInt8>] = []
        for _ in 0..<(try reader.count(ofAtLeast: 3)) {
            let hit = try reader.slice()
            // A hit has one member at least, which its place is put before.
            guard hit.count > 2, hit.first == UInt8(ascii: "{"), hit.last == UInt8(ascii: "}")
            else { throw MalformedMessage() }
            hits.append(hit)
        }
        self.hits = hits
        guard try reader.number() == facets.count else { throw MalformedMessage() }
        self.facets = try facets.map { try FacetCounts(of: $0, reading: &reader) }
        let isKnown = try reader.byte()
        guard isKnown < 2 else { throw MalformedMessage() }
        var words: [UnknownWord] = []
        for _ in 0..<(try reader.count(ofAtLeast: 4)) {
            words.append(try UnknownWord(reading: &reader))
        }
        unknownWords = isKnown == 1 ? words : nil
        guard reader.isAtEnd else { throw MalformedMessage() }
    }

    /// None, most of the time.
    private static func diagnostics(_ bytes: ArraySlice<UInt8>) throws -> [JSON] {
        if bytes.elementsEqual("[]".utf8) { return [] }
        guard case .array(let all)? = try? JSONReader.value(of: Array(bytes)) else {
            throw MalformedMessage()
        }
        return all
    }

    private static func rank(_ reader: inout MessageReader) throws -> Rank {
        let shard = try reader.number()
        let (score, relevance) = (try reader.double(), try reader.double())
        guard !score.isNaN, !relevance.isNaN else { throw MalformedMessage() }
        guard try reader.byte() != 0 else {
            return Rank(shard: shard, rank: ShardRank(score: score, relevance: relevance))
        }
        let weight = try reader.double()
        guard !weight.isNaN,
            let values = try? JSONDecoder().decode(
                [AttributeValue?].self, from: Data(try reader.slice()))
        else { throw MalformedMessage() }
        return Rank(
            shard: shard,
            rank: ShardRank(score: score, relevance: relevance, weight: weight, values: values))
    }
}
