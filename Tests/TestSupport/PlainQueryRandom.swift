import Foundation

@testable import TextSearch

/// Random queries over the words of a corpus.
struct PlainQueryRandom {
    var generator: SeededGenerator
    var corpus: [TestWord] = []
    /// How many strings each object has, if all have as many.
    var stringCount: Int?

    mutating func word() -> TestWord {
        if !generator.once(in: 4), !corpus.isEmpty {
            var word = generator.element(corpus)
            // Written otherwise, the same word.
            if generator.once(in: 2) {
                word.characters = word.folded.map {
                    TestCharacter(source: String($0), folded: String($0))
                }
            }
            return word
        }
        return .random(&generator)
    }

    mutating func words(_ count: ClosedRange<Int>) -> [TestWord] {
        (0..<generator.int(count)).map { _ in word() }
    }

    /// A part of a word.
    mutating func piece() -> TestWord {
        let word = word()
        let start = generator.int(0...(word.characters.count - 1))
        let length = generator.int(1...(word.characters.count - start))
        return TestWord(characters: Array(word.characters[start..<(start + length)]))
    }

    mutating func pattern() -> String {
        var letters = word().folded.map { String($0) }
        for _ in 0..<generator.int(1...3) {
            let place = generator.int(0...(letters.count - 1))
            if generator.once(in: 2) {
                letters[place] = generator.element(["?", "*"])
            } else {
                letters.insert(generator.element(["?", "*"]), at: place)
            }
        }
        return letters.joined()
    }

    mutating func query(depth: Int) -> PlainQuery {
        guard depth > 0, !generator.once(in: 3) else { return leaf() }
        switch generator.int(0...8) {
        case 0: return .all(queries(depth))
        case 1: return .any(queries(depth))
        case 2: return .all([query(depth: depth - 1), .none(queries(depth))])
        case 3: return .atLeast(generator.int(0...3), queries(depth))
        case 4:
            return .boost(query(depth: depth - 1), generator.element([0, 0.5, 1, 3, 1e6]))
        case 5: return .constantScore(query(depth: depth - 1), generator.element([0, 0.5, 1]))
        case 6: return .filter(query(depth: depth - 1))
        case 7: return .first(queries(depth))
        default:
            return .field(
                generator.element(["title", "body", "absent"]), query(depth: depth - 1))
        }
    }

    private mutating func queries(_ depth: Int) -> [PlainQuery] {
        (0..<generator.int(1...3)).map { _ in query(depth: depth - 1) }
    }

    private mutating func leaf() -> PlainQuery {
        switch generator.int(0...19) {
        case 0, 1: .phrase(words(1...1), slop: 0)
        case 2, 3: .phrase(words(2...3), slop: 0)
        case 4: .keyword((0..<generator.int(1...2)).map { _ in piece() })
        case 18: .exactly(words(1...2))
        case 5: .prefix(piece())
        case 6: .suffix(piece())
        case 7: .infix(piece())
        case 8: .fuzzy(word(), distance: generator.int(0...2))
        case 9: .wildcard(pattern())
        case 10:
            .near(
                words(2...3), within: generator.int(0...3), ordered: generator.once(in: 2))
        case 11: .either(words(1...3))
        case 17: .matching(word(), MatchModes(rawValue: generator.int(0...63)))
        case 12: .phrase(words(1...3), slop: 0, lastIsPrefix: true)
        case 13: .phrase(words(2...3), slop: generator.int(1...3))
        case 14: .attribute(attributeName(), comparison())
        case 15: .weight(from: bound(), through: bound())
        case 16: .objects((0..<generator.int(0...6)).map { _ in generator.int(0...29) })
        default: .everything
        }
    }

    // MARK: Attributes

    private mutating func attributeName() -> String { generator.element(["x", "y", "z"]) }

    private mutating func bound() -> Double? {
        generator.once(in: 3) ? nil : generator.element([-2, -1, 0, 1, 1.2, 2])
    }

    /// A value of few, so that many are equal.
    mutating func value(depth: Int = 1) -> AttributeValue {
        switch generator.int(0...(depth > 0 ? 10 : 8)) {
        case 0...3: .number(generator.element([-1, -0.0, 0, 1.5, 1e300]))
        case 4, 5: .string(generator.element(["red", "Red", "blue", ""]))
        case 6: .bool(generator.once(in: 2))
        case 7, 8: .date(Date(timeIntervalSinceReferenceDate: generator.element([0, -1e9, 1.5])))
        default: .array((0..<generator.int(0...3)).map { _ in value(depth: depth - 1) })
        }
    }

    private mutating func comparison() -> PlainComparison {
        switch generator.int(0...8) {
        case 0: return .equal(value())
        case 1: return .notEqual(value())
        case 2: return .less(value())
        case 3: return .lessOrEqual(value())
        case 4: return .greater(value())
        case 5: return .greaterOrEqual(value())
        case 6: return .isIn((0..<generator.int(0...3)).map { _ in value() })
        case 7:
            let (a, b) = (value(depth: 0), value(depth: 0))
            return .between(min(a, b), max(a, b), includesUpper: generator.once(in: 2))
        default: return .exists
        }
    }

    /// A random object with attributes, of which some are not numbers.
    mutating func object() -> TestObject {
        var object = TestObject.random(generator.int(0...29), &generator)
        if let stringCount {
            object.strings.removeLast(max(object.strings.count - stringCount, 0))
            while object.strings.count < stringCount { object.strings.append(.random(&generator)) }
        }
        for name in ["x", "y", "z"] where !generator.once(in: 3) {
            let value = generator.once(in: 12) ? AttributeValue.number(.nan) : value()
            object.attributes[name] =
                generator.once(in: 8) ? .array([value, .number(.nan)]) : value
        }
        return object
    }

    mutating func parameters() -> BM25Parameters {
        if generator.once(in: 3) { return BM25Parameters() }
        var parameters = BM25Parameters(
            k1: generator.element([0, 0.5, 1.2, 10]), b: generator.element([0, 0.3, 0.75, 0.99]))
        for name in PlainCorpus.fields {
            if generator.once(in: 2) {
                parameters.fieldWeights[name] = generator.element([0, 0.5, 1, 3])
            }
            if generator.once(in: 3) { parameters.fieldB[name] = generator.element([0, 0.5, 1]) }
        }
        return parameters
    }
}
