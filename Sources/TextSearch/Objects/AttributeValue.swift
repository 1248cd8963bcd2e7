public import Foundation

/// A typed value that an object can be filtered and sorted by.
///
/// Values compare only with values of their kind: a number is never less than a string. An array
/// holds several values of one attribute, and a comparison holds if any of them satisfies it.
///
/// ```swift
/// IndexedObject(strings: [title], attributes: ["stars": 4.5, "tags": ["sweet", "french"]])
/// ```
public enum AttributeValue: Hashable, Sendable {
    /// A truth value, true or false.
    case bool(Bool)
    /// A number; whole numbers are exact up to 2⁵³.
    case number(Double)
    /// A moment in time, independent of time zones.
    case date(Date)
    /// A text. Equality is exact: neither folded nor stemmed. The order is that of dictionaries.
    case string(String)
    /// Several values of one attribute. Arrays inside arrays count as one flat array.
    case array([AttributeValue])

    /// Whether two values are equal: like `==` of their contents, but NaN equals itself.
    public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.bool(let a), .bool(let b)): return a == b
        case (.number(let a), .number(let b)): return Self.order(a, b) == 0
        case (.date(let a), .date(let b)):
            return Self.order(
                a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate) == 0
        case (.string(let a), .string(let b)): return a == b
        case (.array(let a), .array(let b)): return a == b
        default: return false
        }
    }

    /// Feeds the value to a hasher; equal values hash alike.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kindRank)
        switch self {
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(Self.canonical(value))
        case .date(let value):
            hasher.combine(Self.canonical(value.timeIntervalSinceReferenceDate))
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        }
    }
}

// MARK: - Order

extension AttributeValue: Comparable {
    /// A total order over all values: by kind (booleans, numbers, dates, strings, arrays), then by
    /// value. NaN comes after all other numbers; arrays compare element by element.
    ///
    /// Texts have the root order of CLDR (Unicode 15): "Äpfel" is before "apple", and "éclair"
    /// before "Zebra". Accents decide between texts of the same letters, then case. Signs come
    /// before digits, and digits before letters.
    ///
    /// Use ``isComparable(to:)`` first where values of different kinds must not be compared.
    public static func < (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.bool(let a), .bool(let b)): return !a && b
        case (.number(let a), .number(let b)): return order(a, b) < 0
        case (.date(let a), .date(let b)):
            return order(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate) < 0
        case (.string(let a), .string(let b)): return TextOrder.precedes(a, b)
        case (.array(let a), .array(let b)): return a.lexicographicallyPrecedes(b)
        default: return a.kindRank < b.kindRank
        }
    }

    /// Whether two values are of the same kind, so that comparing them makes sense.
    public func isComparable(to other: AttributeValue) -> Bool { kindRank == other.kindRank }

    /// The values of an attribute: the elements of an array, flattened, or the value itself.
    ///
    /// Complexity: O(*n*) in the number of members, O(1) otherwise.
    public var scalars: [AttributeValue] {
        guard case .array(let members) = self else { return [self] }
        var flat: [AttributeValue] = []
        var pending = Array(members.reversed())
        while let next = pending.popLast() {
            if case .array(let inner) = next {
                pending.append(contentsOf: inner.reversed())
            } else {
                flat.append(next)
            }
        }
        return flat
    }

    private var kindRank: Int {
        switch self {
        case .bool: return 0
        case .number: return 1
        case .date: return 2
        case .string: return 3
        case .array: return 4
        }
    }

    /// Negative, zero or positive, as `a` is before, equal to or after `b`; NaN is last.
    private static func order(_ a: Double, _ b: Double) -> Int {
        if a < b { return -1 }
        if a > b { return 1 }
        return (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0)
    }

    /// One representative for all NaNs and one for both zeros.
    private static func canonical(_ value: Double) -> Double {
        value.isNaN ? .infinity : (value == 0 ? 0 : value)
    }
}

extension AttributeValue: CustomStringConvertible {
    /// The value as it is written in query text, dates in UTC, arrays in brackets.
    public var description: String { AttributeText.text(self) }
}

// MARK: - Literals

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// Makes a ``string(_:)`` of a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes a ``number(_:)`` of a literal.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Makes a ``number(_:)`` of a literal.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Makes a ``bool(_:)`` of a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes an ``array(_:)`` of a literal.
    public init(arrayLiteral elements: AttributeValue...) { self = .array(elements) }
}

// MARK: - Codable

extension AttributeValue: Codable {
    private enum Kind: String, CodingKey { case bool, number, date, string, array, special }

    /// Decodes a value written by ``encode(to:)``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` for anything but exactly one known kind.
    public init(from decoder: any Decoder) throws {
        let (container, kind) = try decoder.singleKind(
            Kind.self, depth: 64, "an attribute value has exactly one known kind")
        switch kind {
        case .bool: self = .bool(try container.decode(Bool.self, forKey: kind))
        case .number: self = .number(try container.decode(Double.self, forKey: kind))
        case .date:
            self = .date(
                Date(
                    timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: kind))
            )
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .array: self = .array(try container.decode([AttributeValue].self, forKey: kind))
        case .special:
            let name = try container.decode(String.self, forKey: kind)
            let isDate = name.hasPrefix("date ")
            let value = Double(isDate ? String(name.dropFirst(5)) : name) ?? .nan
            self = isDate ? .date(Date(timeIntervalSinceReferenceDate: value)) : .number(value)
        }
    }

    /// Encodes the value as a container with one key, its kind. Dates are seconds since 2001.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .number(let value) where value.isFinite: try container.encode(value, forKey: .number)
        case .date(let value) where value.timeIntervalSinceReferenceDate.isFinite:
            try container.encode(value.timeIntervalSinceReferenceDate, forKey: .date)
        // JSON has no word for these, so they are written as text.
        case .number(let value): try container.encode("\(value)", forKey: .special)
        case .date(let value):
            try container.encode(
                "date \(value.timeIntervalSinceReferenceDate)", forKey: .special)
        case .string(let value): try container.encode(value, forKey: .string)
        case .array(let values): try container.encode(values, forKey: .array)
        }
    }
}

// MARK: - Dates as text

extension AttributeValue {
    /// Creates a date from its form in query text; nil for any other text.
    ///
    /// The forms are `2024-05-01` and `2024-05-01T12:30`, with or without seconds and their
    /// fraction, then `Z` or an offset such as `+02:00` or `+0200`; the default is UTC. A space may
    /// stand for the T. A day or a month (`2024-05`) stands for its beginning.
    ///
    /// - Parameter iso8601: the text.
    public init?(iso8601: String) {
        switch AttributeText.date(iso8601) {
        case .value(let value): self = value
        case .span(let moments): self = .date(moments.lowerBound)
        case nil: return nil
        }
    }

    /// Creates a date from text in one of the usual forms; nil for any other text.
    ///
    /// It reads what ``init(iso8601:)`` reads, and a year (`2024`) or month (`2024-05`), which
    /// stands for its beginning. It also reads numbers of at least nine digits: seconds since 1970
    /// (`1714521600`, `1714521600.5`), and milliseconds from 100,000,000,000 on (`1714521600000`),
    /// but no microseconds (1e15 and more); dates of mail (`Wed, 1 May 2024 12:30:00 +0200`,
    /// RFC 5322); `May 1, 2024`, `Wed May  1 12:30:00 2024`, `2024/05/01` and `01.05.2024` (the day
    /// is first), with a time or without. It never guesses which number of `05/06/2024` is the
    /// month, nor, but for mail, the offset of a zone that it does not know.
    ///
    /// - Parameter text: the text.
    public init?(dateText text: String) {
        if let date = AttributeValue(iso8601: text) {
            self = date
        } else if let year = AttributeText.year(text) {
            self = .date(year.lowerBound)
        } else if let number = AttributeText.number(text),
            text.drop(while: { $0 == "-" }).prefix(while: \.isNumber).count >= 9
        {
            guard let date = AttributeValue.date(sinceEpoch: number) else { return nil }
            self = date
        } else if let meaning = WrittenDate.meaning(text) {
            switch meaning {
            case .value(let value): self = value
            case .span(let moments): self = .date(moments.lowerBound)
            }
        } else {
            return nil
        }
    }

    /// A date by its seconds since 1970, or milliseconds from 100,000,000,000 on; nil from 1e15 on.
    package static func date(sinceEpoch number: Double) -> AttributeValue? {
        AttributeText.date(sinceEpoch: number).map { .date($0) }
    }
}
