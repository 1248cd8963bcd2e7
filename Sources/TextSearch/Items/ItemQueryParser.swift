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
        let first = place
        if take("InRange"), take("(") { return try range() }
        place = first
        let subject = try subject()
        let start = place
        guard let comparison = Comparison.allCases.first(where: { take($0.rawValue) }) else {
            throw error("expected a comparison such as ==")
        }
        let value = try value()
        guard let query = ItemComparison.query(subject, comparison, value) else {
            throw impossible(subject, start)
        }
        return query
    }

    private mutating func range() throws -> Query {
        let subject = try subject()
        let start = place
        guard take(",") else { throw error("expected a comma") }
        let low = try bound()
        guard take(",") else { throw error("expected a comma") }
        let high = try bound()
        guard take(")") else { throw error("expected a closing bracket") }
        guard case .attribute(let name) = subject else { throw impossible(subject, start) }
        guard let query = ItemComparison.range(name, low, high) else {
            throw error("bounds of different kinds")
        }
        return query
    }

    private mutating func impossible(
        _ subject: ItemComparison.Subject, _ start: Int
    ) -> TextIndexError {
        place = start
        return error("this comparison is not possible for \(subject.name) and such a value")
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

    private mutating func subject() throws -> ItemComparison.Subject {
        if take("**") || take("*") { return .allTexts }
        let start = place
        let name = try isAtQuotationMark ? quotedName() : plainName()
        guard !name.isEmpty else {
            place = start
            throw error("expected the name of an attribute")
        }
        return ItemComparison.Subject(name)
    }

    private mutating func quotedName() throws -> String {
        var name = String.UnicodeScalarView()
        name.append(contentsOf: try quoted().map(\.scalar))
        return String(name)
    }

    private mutating func plainName() -> String {
        let name = takeWhile { scalar in
            scalar.properties.isAlphabetic || scalar == "_" || scalar == "."
                || ("0"..."9").contains(scalar)
        }
        for prefix in ["_kMDItem", "kMDItem"] where name.hasPrefix(prefix) && name != prefix {
            let rest = name.dropFirst(prefix.count)
            return rest.prefix(1).lowercased() + rest.dropFirst()
        }
        return name
    }

    private mutating func value() throws -> Value {
        skipSpace()
        guard place < scalars.count else { throw error("expected a value") }
        if isAtQuotationMark { return .text(try pattern()) }
        if scalars[place] == "$" { return .other(.date(try moment())) }
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
        var pieces: [StringPattern.Piece] = []
        for (scalar, isEscaped) in try quoted() {
            switch scalar {
            case "*" where !isEscaped: if pieces.last != .any { pieces.append(.any) }
            case "?" where !isEscaped: pieces.append(.one)
            default: pieces.append(.character(scalar.value))
            }
        }
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

    private var isAtQuotationMark: Bool {
        place < scalars.count && (scalars[place] == "\"" || scalars[place] == "'")
    }

    /// What is between quotation marks, and whether a backslash takes its meaning.
    private mutating func quoted() throws -> [(scalar: Unicode.Scalar, isEscaped: Bool)] {
        let (start, quote) = (place, scalars[place])
        place += 1
        var found: [(scalar: Unicode.Scalar, isEscaped: Bool)] = []
        while place < scalars.count, scalars[place] != quote {
            let isEscaped = scalars[place] == "\\" && place + 1 < scalars.count
            if isEscaped { place += 1 }
            found.append((scalars[place], isEscaped))
            place += 1
        }
        guard place < scalars.count else {
            place = start
            throw error("a string without its closing quotation mark")
        }
        place += 1
        return found
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
        let text = argument?.trimmingCharacters(in: .whitespaces) ?? ""
        if name == "iso" {
            if case .date(let date) = AttributeValue(dateText: text) { return date }
        } else if let offset = text.isEmpty ? 0 : Int(text), let date = time.date(name, offset) {
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
