import Foundation

/// Reads query strings of items by recursive descent.
struct ItemQueryParser {
    enum Comparison: String, CaseIterable {
        // Longer ones first.
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    enum Value {
        case text(StringPattern)
        case other(AttributeValue)
    }

    /// Deeper brackets are refused.
    private static let mostNesting = 64

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0
    private let time: ItemTime

    init(_ text: String, _ time: ItemTime) {
        scalars = Array(text.unicodeScalars)
        self.time = time
    }

    mutating func parse() throws -> Query {
        let query = try any()
        skipSpace()
        guard place == scalars.count else { throw error("expected && or || or the end") }
        return query
    }

    // MARK: Structure

    private mutating func any() throws -> Query {
        var parts = [try all()]
        while take("||") { parts.append(try all()) }
        return parts.count == 1 ? parts[0] : .any(of: parts)
    }

    private mutating func all() throws -> Query {
        var parts = [try one()]
        while take("&&") { parts.append(try one()) }
        return parts.count == 1 ? parts[0] : .all(of: parts)
    }

    private mutating func one() throws -> Query {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.mostNesting else {
            throw error("more than \(Self.mostNesting) brackets or ! within each other")
        }
        if take("!") { return .none(of: [try one()]) }
        if take("(") {
            let query = try any()
            guard take(")") else { throw error("expected a closing bracket") }
            return query
        }
        let name = try name()
        if name == "InRange", take("(") { return try range() }
        let start = place
        guard let comparison = Comparison.allCases.first(where: { take($0.rawValue) }) else {
            throw error("expected a comparison such as ==")
        }
        let value = try value()
        guard let query = ItemComparison.query(name, comparison, value) else {
            place = start
            throw error("this comparison is not possible for \(name) and such a value")
        }
        return query
    }

    private mutating func range() throws -> Query {
        let name = try name()
        guard take(",") else { throw error("expected a comma") }
        let low = try bound()
        guard take(",") else { throw error("expected a comma") }
        let high = try bound()
        guard take(")") else { throw error("expected a closing bracket") }
        guard low.isComparable(to: high) else { throw error("bounds of different kinds") }
        return low <= high ? .attribute(name, .range(low...high)) : .any(of: [])
    }

    private mutating func bound() throws -> AttributeValue {
        switch try value() {
        case .other(let value): return value
        case .text(let pattern):
            guard let text = pattern.exactText else {
                throw error("a bound has no wild cards and no modifiers")
            }
            return .string(text)
        }
    }

    // MARK: Names and values

    private mutating func name() throws -> String {
        skipSpace()
        if take("**") || take("*") { return "*" }
        let name = takeWhile { scalar in
            scalar.properties.isAlphabetic || scalar == "_" || scalar == "."
                || ("0"..."9").contains(scalar)
        }
        guard !name.isEmpty else { throw error("expected the name of an attribute") }
        for prefix in ["_kMDItem", "kMDItem"] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            return rest.prefix(1).lowercased() + rest.dropFirst()
        }
        return name
    }

    private mutating func value() throws -> Value {
        skipSpace()
        guard place < scalars.count else { throw error("expected a value") }
        switch scalars[place] {
        case "\"", "'": return .text(try pattern())
        case "$": return .other(.date(try moment()))
        default: break
        }
        let start = place
        let word = takeWhile { scalar in
            scalar.properties.isAlphabetic || "+-.".unicodeScalars.contains(scalar)
                || ("0"..."9").contains(scalar)
        }
        if word == "true" || word == "false" { return .other(.bool(word == "true")) }
        guard let number = Double(word), number.isFinite else {
            place = start
            throw error("expected a string in quotation marks, a number, true, false or $time")
        }
        return .other(.number(number))
    }

    private mutating func pattern() throws -> StringPattern {
        let (start, quote) = (place, scalars[place])
        place += 1
        var pieces: [StringPattern.Piece] = []
        while place < scalars.count, scalars[place] != quote {
            var scalar = scalars[place]
            place += 1
            switch scalar {
            case "*":
                if pieces.last != .any { pieces.append(.any) }
                continue
            case "?":
                pieces.append(.one)
                continue
            case "\\":
                guard place < scalars.count else { break }
                scalar = scalars[place]
                place += 1
            default: break
            }
            pieces.append(.character(scalar.value))
        }
        guard place < scalars.count else {
            place = start
            throw error("a string without its closing quotation mark")
        }
        place += 1
        var pattern = StringPattern(pieces: pieces)
        while place < scalars.count, scalars[place].properties.isAlphabetic {
            switch scalars[place] {
            case "c": pattern.ignoresCase = true
            case "d": pattern.ignoresAccents = true
            case "w": pattern.matchesWords = true
            case "t": pattern.matchesTokens = true
            default: throw error("an unknown modifier; c, d, w and t are known")
            }
            place += 1
        }
        return pattern
    }

    private mutating func moment() throws -> Date {
        let start = place
        guard take("$time.") else { throw error("expected $time") }
        let name = takeWhile { $0.properties.isAlphabetic || $0 == "_" }
        var argument: String?
        if place < scalars.count, scalars[place] == "(" {
            place += 1
            argument = takeWhile { $0 != ")" }
            guard take(")") else { throw error("expected a closing bracket") }
        }
        let text = argument?.trimmingCharacters(in: .whitespaces)
        if name == "iso", let text {
            if case .date(let date) = AttributeValue(dateText: text) { return date }
        } else if let offset = text == nil ? 0 : text.flatMap({ Int($0) }),
            let date = time.date(name, offset)
        {
            return date
        }
        place = start
        throw error("an unknown time, or an offset that is no whole number")
    }

    // MARK: Characters

    private mutating func skipSpace() {
        while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
    }

    private mutating func take(_ sign: String) -> Bool {
        skipSpace()
        let wanted = Array(sign.unicodeScalars)
        guard scalars[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private mutating func takeWhile(_ isWanted: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while place < scalars.count, isWanted(scalars[place]) {
            text.append(scalars[place])
            place += 1
        }
        return String(text)
    }

    private func error(_ message: String) -> TextIndexError {
        TextIndexError(.invalidArgument, "The query: \(message) (character \(place + 1)).")
    }
}

/// Comparisons of attributes as queries of the index.
enum ItemComparison {
    private static let textContent = SearchableItem.Names.textContent

    /// Nil for what cannot be compared so.
    static func query(
        _ name: String, _ comparison: ItemQueryParser.Comparison, _ value: ItemQueryParser.Value
    ) -> Query? {
        switch value {
        case .other(let value):
            guard name != "*", name != textContent else { return nil }
            return .attribute(name, self.comparison(comparison, value))
        case .text(let pattern):
            if comparison == .equal { return equal(name, pattern) }
            if comparison == .notEqual {
                guard let equal = equal(name, pattern) else { return nil }
                guard name != "*", name != textContent else { return .none(of: [equal]) }
                return .all(of: [.attribute(name, .exists), .none(of: [equal])])
            }
            guard name != "*", name != textContent, let text = pattern.exactText else { return nil }
            return .attribute(name, self.comparison(comparison, .string(text)))
        }
    }

    private static func comparison(
        _ comparison: ItemQueryParser.Comparison, _ value: AttributeValue
    ) -> AttributeComparison {
        switch comparison {
        case .equal: .equal(value)
        case .notEqual: .notEqual(value)
        case .less: .less(value)
        case .lessOrEqual: .lessOrEqual(value)
        case .greater: .greater(value)
        case .greaterOrEqual: .greaterOrEqual(value)
        }
    }

    private static func equal(_ name: String, _ pattern: StringPattern) -> Query? {
        if name == textContent { return words(pattern) }
        guard name == "*" else {
            return .attribute(name, pattern.pieces == [.any] ? .exists : .matches(pattern))
        }
        let attributes = ItemAttributes.textNames.filter { $0 != textContent }
        return .any(
            of: attributes.map { .attribute($0, .matches(pattern)) }
                + [words(pattern)].compactMap(\.self))
    }

    /// The words of the text; nil where the pattern has none.
    private static func words(_ pattern: StringPattern) -> Query? {
        var queries: [Query] = []
        var plain: [String] = []
        let split = pattern.pieces.split { piece in
            if case .character(let value) = piece, let scalar = Unicode.Scalar(value) {
                return scalar.properties.isWhitespace
            }
            return false
        }
        for pieces in split {
            let text = Self.text(pieces.filter { $0 != .any && $0 != .one })
            guard !text.isEmpty else { continue }
            if !pieces.contains(.any), !pieces.contains(.one) {
                plain.append(text)
                queries.append(.phrase(text))
                continue
            }
            let inner = pieces.dropFirst().dropLast()
            let isSimple = !pieces.contains(.one) && !inner.contains(.any)
            switch (isSimple, pieces.first == .any, pieces.last == .any) {
            case (true, false, true): queries.append(.prefix(text))
            case (true, true, true): queries.append(.infix(text))
            default: queries.append(.wildcard(Self.text(pieces)))
            }
        }
        guard !queries.isEmpty else { return nil }
        if plain.count == queries.count, plain.count > 1, !pattern.matchesTokens {
            return .field(textContent, .phrase(plain.joined(separator: " ")))
        }
        return .field(textContent, queries.count == 1 ? queries[0] : .all(of: queries))
    }

    /// Signs are not indexed, so that wild cards alone stay.
    private static func text(_ pieces: some Sequence<StringPattern.Piece>) -> String {
        var text = String.UnicodeScalarView()
        for piece in pieces {
            switch piece {
            case .any: text.append("*")
            case .one: text.append("?")
            case .character(let value):
                guard let scalar = Unicode.Scalar(value),
                    !"*?\\".unicodeScalars.contains(scalar)
                else { continue }
                text.append(scalar)
            }
        }
        return String(text)
    }
}
