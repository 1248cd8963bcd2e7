import Foundation

@testable import TestSupport
@testable import TextSearch

/// Draws queries, and what they are made of.
struct QueryRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    mutating func int(_ range: ClosedRange<Int>) -> Int { generator.int(range) }

    mutating func bool() -> Bool { next() & 1 == 0 }

    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[int(0...elements.count - 1)]
    }

    /// A word with some edits: inserted, missing, swapped or replaced characters.
    mutating func edited(_ word: String, upTo count: Int) -> String {
        var scalars = Array(word.unicodeScalars)
        for _ in 0..<int(0...count) {
            let place = int(0...scalars.count)
            switch int(0...3) {
            case 0: scalars.insert(element(["a", "b", "鴨"]), at: place)
            case 1 where place < scalars.count: scalars.remove(at: place)
            case 2 where place + 1 < scalars.count: scalars.swapAt(place, place + 1)
            case 3 where place < scalars.count: scalars[place] = element(["a", "c", "é"])
            default: break
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    mutating func string(of pieces: [String], upTo count: Int) -> String {
        (0..<int(0...count)).map { _ in element(pieces) }.joined()
    }
}

// MARK: - Random queries

extension QueryRandom {
    static let fields = ["title", "method", "two words", "a:b", "@odd", "OR", "东"]
    static let attributes = ["stars", "tag", "a-b", "@weight", "x\"y"]

    static let parser = QueryParser(fields: fields) { attributes.contains($0) }

    /// What words are made of, with everything that could be taken for syntax.
    static let pieces = [
        "a", "b", "duck", "é", "ß", "鴨", "👍🏽", "\u{301}", " ", "\t", "\u{A0}", "\u{3000}", "\"",
        "”", "＂", "'", "(", ")", "[", "]", "{", "}", "*", "?", "~", "^", "^2", "~1", ":", "title:",
        "stars:", ">", "<", "=", "!", "+", "-", "@", "@filter(", "@near/2(", "/", "\\", "AND", "OR",
        "NOT", " OR ", " AND ", " NOT ", "TO", ",", ".", "#", "\0", "\u{7F}", "\n", "\r\n", "1",
        "-2.5",
        "2024-05-01", "true", "0x", "@weight:", "@keyword(\"", "@exactly(\"", "\")", "=*",
        "[1 TO 5]",
    ]

    mutating func text(_ count: Int = 4) -> String { string(of: Self.pieces, upTo: count) }

    mutating func query(depth: Int) -> Query {
        let leafCount = 13
        switch int(0...(depth > 0 ? leafCount + 12 : leafCount)) {
        case 0: return .everything
        case 1: return .nothing
        case 2: return .keyword(text())
        case 3: return .prefix(text())
        case 4: return .infix(text())
        case 5: return .suffix(text())
        case 6: return .fuzzy(text(), distance: int(-1...3), exactPrefix: int(0...3))
        case 7: return .wildcard(text())
        case 8: return .regularExpression(text())
        case 9: return .phrase(text(), slop: int(0...3), lastWordIsPrefix: bool())
        case 10: return .attribute(element(Self.attributes), comparison())
        case 11: return .identifiers((0..<int(0...3)).map { _ in Data(text().utf8) })
        case 12: return .weight(from: bool() ? number() : nil, through: bool() ? number() : nil)
        case 13:
            if bool() { return .exactly(text()) }
            return bool() ? .term(text()) : .matching(text(), MatchModes(rawValue: int(0...63)))
        case 14: return .near(queries(depth), within: int(0...20), ordered: bool())
        case 15, 16: return .all(of: queries(depth))
        case 17, 18: return .any(of: queries(depth))
        case 19: return .none(of: queries(depth))
        case 20: return .atLeast(int(0...3), of: queries(depth))
        case 21: return .field(element(Self.fields), query(depth: depth - 1))
        case 22: return .boost(query(depth: depth - 1), element([0, 0.5, 1, 2, 1e9, 0.1, 1e-7]))
        case 24: return .first(of: queries(depth))
        case 23: return .constantScore(query(depth: depth - 1), element([0, 0.5, 1, 3]))
        default: return .filter(query(depth: depth - 1))
        }
    }

    private mutating func queries(_ depth: Int) -> [Query] {
        (0..<int(0...4)).map { _ in query(depth: depth - 1) }
    }

    private mutating func number() -> Double {
        element([0, -0.0, 1, -2.5, 1e300, 1e-300, 0.1, .nan, .infinity, -.infinity, 123_456_789])
    }

    mutating func value(depth: Int = 1) -> AttributeValue {
        switch int(0...(depth > 0 ? 4 : 3)) {
        case 0: return .bool(bool())
        case 1: return .number(number())
        case 2:
            let seconds = element([0, 1.5, -1e10, 1e12, 700_000_000.123, number()])
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case 3: return .string(text())
        default: return .array((0..<int(0...3)).map { _ in value(depth: depth - 1) })
        }
    }

    private mutating func comparison() -> AttributeComparison {
        switch int(0...8) {
        case 0: return .equal(value())
        case 1: return .notEqual(value())
        case 2: return .less(value())
        case 3: return .lessOrEqual(value())
        case 4: return .greater(value())
        case 5: return .greaterOrEqual(value())
        case 6: return .in((0..<int(0...3)).map { _ in value() })
        case 7:
            let (a, b) = (value(), value())
            return bool() ? .range(min(a, b)...max(a, b)) : .range(min(a, b)..<max(a, b))
        default: return .exists
        }
    }
}
