import Foundation

@testable import TestSupport
@testable import TextSearch

/// An object with attributes of all kinds.
struct FilterNote: Sendable {
    var id: Int
    var words: [String]
    var weight: Double
    var attributes: [String: AttributeValue]

    /// Longer than the name of a column may be.
    static let longName = String(repeating: "n", count: AttributeDirectory.longestName + 1)
    static let names = ["number", "few", "text", "when", "flag", "mixed", "list", longName]
    static let words = ["red", "green", "blue", "reds", "grey"]

    static func identifier(_ id: Int) -> Data { Data("note \(id)".utf8) }
    var identifier: Data { Self.identifier(id) }
    var indexed: IndexedObject {
        IndexedObject(
            strings: [words.joined(separator: " ")], weight: weight, attributes: attributes)
    }
}

/// Random objects and queries, and what queries match by the objects' attributes themselves.
struct FilterRandom {
    var generator: SeededGenerator

    mutating func note(_ id: Int) -> FilterNote {
        var attributes: [String: AttributeValue] = [:]
        for name in FilterNote.names where !generator.once(in: 4) {
            attributes[name] = value(of: name)
        }
        return FilterNote(
            id: id,
            words: (0..<generator.int(1...5)).map { _ in generator.element(FilterNote.words) },
            weight: generator.element([-1, -0.0, 0, 1, 2.5, .infinity]), attributes: attributes)
    }

    private mutating func value(of name: String) -> AttributeValue {
        switch name {
        case "number": return .number(Double(generator.int(0...400)) / 4)
        case "few": return .string(generator.element(["a", "b", "c"]))
        case "text": return text()
        case "when": return date()
        case "flag": return .bool(generator.once(in: 2))
        case "list": return .array((0..<generator.int(0...3)).map { _ in scalar() })
        default:
            return generator.once(in: 4)
                ? .array([scalar(), .array([scalar()]), scalar()]) : scalar()
        }
    }

    /// Some differ in composition only.
    private mutating func text() -> AttributeValue {
        .string(
            generator.element([
                "", "e", "\u{e9}", "e\u{301}", "E\u{301}", "f", "ea", "\u{e9}a", "e\u{301}a",
                "z", "\u{1e9b}\u{323}", "\u{1e9b}", "\u{ac00}", "\u{1100}\u{1161}", "\u{10ffff}",
                "\u{ffff}",
            ]))
    }

    private mutating func date() -> AttributeValue {
        .date(
            Date(
                timeIntervalSinceReferenceDate: generator.element([
                    0, -1e9, 1.5, 86_400, .infinity, .nan,
                ])))
    }

    mutating func scalar() -> AttributeValue {
        switch generator.int(0...7) {
        case 0...3:
            return .number(
                generator.element([
                    -1, -0.0, 0, 1.5, 2, .infinity, -.infinity, .nan, 1e300, .leastNonzeroMagnitude,
                    7,
                ]))
        case 4, 5: return text()
        case 6: return date()
        default: return .bool(generator.once(in: 2))
        }
    }

    private mutating func operand(of name: String) -> AttributeValue {
        generator.once(in: 3) ? scalar() : value(of: name)
    }

    private mutating func comparison(of name: String) -> AttributeComparison {
        let (a, b) = (operand(of: name), operand(of: name))
        switch generator.int(0...9) {
        case 0: return .equal(a)
        case 1: return .notEqual(a)
        case 2: return .less(a)
        case 3: return .lessOrEqual(a)
        case 4: return .greater(a)
        case 5: return .greaterOrEqual(a)
        case 6: return .in((0..<generator.int(0...9)).map { _ in operand(of: name) })
        case 7: return .range(min(a, b)...max(a, b))
        case 8: return .range(min(a, b)..<max(a, b))
        default: return .exists
        }
    }

    mutating func attribute() -> Query {
        let name = generator.element(FilterNote.names + ["nobody"])
        return .attribute(name, comparison(of: name))
    }

    /// A query that asks for no words.
    mutating func filter(depth: Int = 3) -> Query {
        guard depth > 0, !generator.once(in: 3) else {
            switch generator.int(0...7) {
            case 0:
                return .weight(
                    from: generator.element([nil, -1, 0, 1]),
                    through: generator.element([nil, 0, 1, .infinity]))
            case 1:
                return .identifiers(
                    (0..<generator.int(0...9)).map { _ in
                        FilterNote.identifier(generator.int(0...99))
                    })
            case 2: return generator.element([.everything, .nothing])
            default: return attribute()
            }
        }
        let part = { (random: inout FilterRandom) in random.filter(depth: depth - 1) }
        let parts = (0..<generator.int(0...3)).map { _ in part(&self) }
        switch generator.int(0...7) {
        case 0: return .all(of: parts)
        case 1: return .any(of: parts)
        case 2: return .none(of: parts)
        case 3: return .atLeast(generator.int(0...4), of: parts)
        case 4: return .boost(part(&self), 2)
        case 5: return .filter(.constantScore(part(&self), 3))
        case 6: return .field(generator.element(["title", "absent"]), part(&self))
        default: return .all(of: [part(&self), .none(of: parts)])
        }
    }

    /// A query for words.
    mutating func wordQuery() -> Query {
        let word = Query.term(generator.element(FilterNote.words))
        let other = Query.term(generator.element(FilterNote.words))
        switch generator.int(0...6) {
        case 0: return .all(of: [word, other])
        case 1: return .any(of: [word, other, .term("unknown")])
        case 2: return .prefix("re")
        case 3:
            return .any(of: [word, .boost(other, 2), .term(generator.element(FilterNote.words))])
        case 4: return .boost(word, 3)
        case 5: return .keyword("e")
        default: return word
        }
    }

    mutating func keys() -> [SortKey] {
        (0..<generator.int(0...3)).map { _ in
            let direction = generator.element([SortKey.Direction.ascending, .descending])
            return switch generator.int(0...5) {
            case 0: .weight(direction)
            case 1: .relevance(direction)
            default: .attribute(generator.element(FilterNote.names + ["nobody"]), direction)
            }
        }
    }
}

extension FilterNote {
    /// Whether a filter lets it pass, by its attributes as they were given: the way that takes no
    /// column.
    func passes(_ query: Query) -> Bool {
        switch query.node {
        case .everything: true
        case .attribute(let name, let operation): operation.holds(for: attributes[name])
        case .weight(let bounds): bounds.contains(.number(weight))
        case .identifiers(let identifiers): identifiers.contains(identifier)
        case .filter(let part), .boost(let part, _), .constantScore(let part, _): passes(part)
        case .field(let name, let part):
            if case .field = part.node { passes(part) } else { name == "title" && passes(part) }
        case .all(let parts): parts.allSatisfy(passes)
        case .any(let parts): parts.contains(where: passes)
        case .none(let parts): !parts.contains(where: passes)
        case .atLeast(let count, let parts): parts.count(where: passes) >= count
        default: false
        }
    }
}
