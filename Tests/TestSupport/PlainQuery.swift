import Foundation

@testable import TextSearch

/// A query beside the plainest way of answering it.
///
/// A part that asks for nothing, having stop words only, answers nil: it neither matches nor rules
/// out.
indirect enum PlainQuery: CustomStringConvertible {
    case everything
    case keyword([TestWord])
    case phrase([TestWord], slop: Int, lastIsPrefix: Bool = false)
    case exactly([TestWord])
    case near([TestWord], within: Int, ordered: Bool)
    case nearPatterns([String], within: Int, ordered: Bool)
    case prefix(TestWord)
    case suffix(TestWord)
    case infix(TestWord)
    case fuzzy(TestWord, distance: Int)
    case wildcard(String)
    /// Any of some words, as a regular expression.
    case either([TestWord])
    case field(String, PlainQuery)
    case all([PlainQuery])
    case any([PlainQuery])
    case none([PlainQuery])
    case atLeast(Int, [PlainQuery])
    case first([PlainQuery])
    case matching(TestWord, MatchModes)
    case boost(PlainQuery, Double)
    case constantScore(PlainQuery, Double)
    case filter(PlainQuery)
    case attribute(String, PlainComparison)
    case weight(from: Double?, through: Double?)
    case objects([Int])

    var query: Query {
        switch self {
        case .everything: .everything
        case .keyword(let words): .keyword(Self.text(words))
        case .phrase(let words, let slop, let lastIsPrefix):
            words.count == 1 && !lastIsPrefix
                ? .term(Self.text(words))
                : .phrase(Self.text(words), slop: slop, lastWordIsPrefix: lastIsPrefix)
        case .exactly(let words): .exactly(Self.text(words))
        case .near(let words, let distance, let ordered):
            .near(words.map(\.source), within: distance, ordered: ordered)
        case .nearPatterns(let patterns, let distance, let ordered):
            .near(patterns.map { .wildcard($0) }, within: distance, ordered: ordered)
        case .prefix(let word): .prefix(word.source)
        case .suffix(let word): .suffix(word.source)
        case .infix(let word): .infix(word.source)
        case .fuzzy(let word, let distance): .fuzzy(word.source, distance: distance)
        case .wildcard(let pattern): .wildcard(pattern)
        case .either(let words):
            .regularExpression(words.map(\.folded).joined(separator: "|"))
        case .field(let name, let part): .field(name, part.query)
        case .all(let parts): .all(of: parts.map(\.query))
        case .any(let parts): .any(of: parts.map(\.query))
        case .none(let parts): .none(of: parts.map(\.query))
        case .atLeast(let count, let parts): .atLeast(count, of: parts.map(\.query))
        case .first(let parts): .first(of: parts.map(\.query))
        case .matching(let word, let modes): .matching(word.source, modes)
        case .boost(let part, let factor): .boost(part.query, factor)
        case .constantScore(let part, let score): .constantScore(part.query, score)
        case .filter(let part): .filter(part.query)
        case .attribute(let name, let comparison): .attribute(name, comparison.comparison)
        case .weight(let lower, let upper): .weight(from: lower, through: upper)
        case .objects(let ids): .identifiers(ids.map { Data("object-\($0)".utf8) })
        }
    }

    var description: String { query.description }

    /// Of fields in fields the innermost counts.
    var isField: Bool { if case .field = self { true } else { false } }

    static func text(_ words: [TestWord]) -> String { words.map(\.source).joined(separator: " ") }

    /// The ways in which a word is looked for, the best first.
    static func ways(_ word: TestWord, _ modes: MatchModes) -> [PlainQuery] {
        var ways: [PlainQuery] = []
        if modes.contains(.exact) { ways.append(.phrase([word], slop: 0)) }
        if modes.contains(.prefix) { ways.append(.prefix(word)) }
        if modes.contains(.infix) { ways.append(.infix(word)) }
        let length = word.source.unicodeScalars.count
        var distance = 0
        if modes.contains(.fuzzy), length > 2 { distance = length > 5 ? 2 : 1 }
        if modes.contains(.oneEdit) { distance = max(distance, 1) }
        if modes.contains(.twoEdits) { distance = 2 }
        for edits in 1...2 where edits <= distance { ways.append(.fuzzy(word, distance: edits)) }
        return ways.isEmpty ? [.phrase([word], slop: 0)] : ways
    }

    /// The words that are looked for inside others when the whole query asks for nothing.
    var words: [TestWord] {
        switch self {
        case .phrase(let words, _, _), .near(let words, _, _), .exactly(let words): words
        case .field(_, let part), .boost(let part, _), .constantScore(let part, _),
            .filter(let part):
            part.words
        case .all(let parts), .any(let parts), .atLeast(_, let parts): parts.flatMap(\.words)
        case .first(let parts): parts.first?.words ?? []
        case .matching(let word, let modes): Self.ways(word, modes).first?.words ?? []
        default: []
        }
    }
}

/// What an attribute must be, over values without NaN.
enum PlainComparison {
    case equal(AttributeValue)
    case notEqual(AttributeValue)
    case less(AttributeValue)
    case lessOrEqual(AttributeValue)
    case greater(AttributeValue)
    case greaterOrEqual(AttributeValue)
    case isIn([AttributeValue])
    case between(AttributeValue, AttributeValue, includesUpper: Bool)
    case exists

    var comparison: AttributeComparison {
        switch self {
        case .equal(let value): .equal(value)
        case .notEqual(let value): .notEqual(value)
        case .less(let value): .less(value)
        case .lessOrEqual(let value): .lessOrEqual(value)
        case .greater(let value): .greater(value)
        case .greaterOrEqual(let value): .greaterOrEqual(value)
        case .isIn(let values): .in(values)
        case .between(let lower, let upper, let includesUpper):
            includesUpper ? .range(lower...upper) : .range(lower..<upper)
        case .exists: .exists
        }
    }

    func holds(for value: AttributeValue?) -> Bool {
        guard let value else { return false }
        let members = Self.members(value)
        func some(_ test: (Int) -> Bool, _ other: AttributeValue) -> Bool {
            members.contains { Self.order($0, other).map(test) ?? false }
        }
        switch self {
        case .equal(let other): return Self.members(other).contains { some({ $0 == 0 }, $0) }
        case .notEqual(let other): return !Self.members(other).contains { some({ $0 == 0 }, $0) }
        case .less(let other): return some({ $0 < 0 }, other)
        case .lessOrEqual(let other): return some({ $0 <= 0 }, other)
        case .greater(let other): return some({ $0 > 0 }, other)
        case .greaterOrEqual(let other): return some({ $0 >= 0 }, other)
        case .isIn(let others):
            return others.flatMap(Self.members).contains { some({ $0 == 0 }, $0) }
        case .between(let lower, let upper, let includesUpper):
            return members.contains { member in
                guard let low = Self.order(member, lower), let high = Self.order(member, upper)
                else { return false }
                return low >= 0 && (includesUpper ? high <= 0 : high < 0)
            }
        case .exists: return true
        }
    }

    /// A value's own values.
    static func members(_ value: AttributeValue) -> [AttributeValue] {
        if case .array(let values) = value { values.flatMap(members) } else { [value] }
    }

    /// Negative, zero or positive; nil for values of two kinds, arrays, and what is not a number.
    static func order(_ a: AttributeValue, _ b: AttributeValue) -> Int? {
        func order<T: Comparable>(_ a: T, _ b: T) -> Int? {
            a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
        }
        switch (a, b) {
        case (.number(let a), .number(let b)): return order(a, b)
        case (.date(let a), .date(let b)): return order(a, b)
        case (.string(let a), .string(let b)):
            // Letters, then small ones before capital ones.
            let letters = order(a.lowercased(), b.lowercased())
            return letters == 0 ? order(b, a) : letters
        case (.bool(let a), .bool(let b)): return order(a ? 1 : 0, b ? 1 : 0)
        default: return nil
        }
    }
}
