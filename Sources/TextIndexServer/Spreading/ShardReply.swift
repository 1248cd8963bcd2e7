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

    /// Nil for what is no answer of a node.
    init?(_ body: [UInt8]) {
        // Quotation marks within strings have a sign before them.
        let mark = Array(",\"hits\":[".utf8)
        guard let place = body.firstRange(of: mark),
            case .object(let members)? = try? JSONReader.value(
                of: Array(body[..<place.lowerBound]) + [UInt8(ascii: "}")])
        else { return nil }
        var found: [String: JSON] = [:]
        for (name, value) in members { found[name] = value }
        guard case .string(let text)? = found["mark"], let generation = IndexGeneration(text),
            case .int(let total)? = found["total"], total >= 0,
            case .bool(let isExact)? = found["isTotalExact"],
            case .bool(let isComplete)? = found["isComplete"],
            case .array(let ranks)? = found["ranks"], case .array(let lengths)? = found["lengths"]
        else { return nil }
        self.mark = generation
        self.total = total
        isTotalExact = isExact
        self.isComplete = isComplete
        steps = Self.steps(found["steps"])
        diagnostics = if case .array(let all)? = found["diagnostics"] { all } else { [] }
        self.ranks = ranks.compactMap { Self.rank($0) }
        guard self.ranks.count == ranks.count,
            let hits = Self.hits(body[place.upperBound...], lengths)
        else { return nil }
        self.hits = hits
    }

    private static func steps(_ json: JSON?) -> SearchSteps {
        guard case .array(let names)? = json else { return [] }
        let texts = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return SearchSteps(names: texts) ?? []
    }

    private static func number(_ json: JSON) -> Double? {
        switch json {
        case .int(let value): Double(value)
        case .number(let value): value
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        default: nil
        }
    }

    private static func rank(_ json: JSON) -> Rank? {
        guard case .array(let parts) = json, parts.count == 3 || parts.count == 5,
            case .int(let shard) = parts[0], let score = number(parts[1]),
            let relevance = number(parts[2])
        else { return nil }
        guard parts.count == 5 else {
            return Rank(shard: shard, rank: ShardRank(score: score, relevance: relevance))
        }
        guard let weight = number(parts[3]),
            let values = try? JSONDecoder().decode(
                [AttributeValue?].self, from: Data(parts[4].bytes))
        else { return nil }
        return Rank(
            shard: shard,
            rank: ShardRank(score: score, relevance: relevance, weight: weight, values: values))
    }

    /// Cuts a list by the lengths of its elements.
    private static func hits(
        _ list: ArraySlice<UInt8>, _ lengths: [JSON]
    ) -> [ArraySlice<UInt8>]? {
        var hits: [ArraySlice<UInt8>] = []
        var rest = list
        for length in lengths {
            // A hit has one member at least, which its place is put before.
            guard case .int(let count) = length, count > 2, count < rest.count else { return nil }
            let hit = rest.prefix(count)
            guard hit.first == UInt8(ascii: "{"), hit.last == UInt8(ascii: "}") else { return nil }
            hits.append(hit)
            rest = rest.dropFirst(count)
            if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst() }
        }
        return rest.elementsEqual("]}".utf8) ? hits : nil
    }
}
