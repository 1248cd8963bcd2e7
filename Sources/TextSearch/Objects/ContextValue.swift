public import Foundation

/// A value that is stored with an object and handed back with every hit, never searched.
///
/// ```swift
/// IndexedObject(strings: [title], context: ["title": .string(title), "pages": 12])
/// ```
public enum ContextValue: Hashable, Sendable {
    /// No value, as `null` in JSON.
    case null
    /// A truth value, true or false.
    case bool(Bool)
    /// A whole number of 64 bits.
    case int(Int64)
    /// A floating-point number of 64 bits.
    case double(Double)
    /// A text, returned as it was given.
    case string(String)
    /// Bytes, returned as they were given.
    case data(Data)
    /// A moment in time, independent of time zones.
    case date(Date)
    /// Several values in their order.
    case array([ContextValue])
    /// Several values by their names.
    case dictionary([String: ContextValue])
}

extension ContextValue: ExpressibleByNilLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes ``null`` of a literal.
    public init(nilLiteral: ()) { self = .null }
    /// Makes a ``string(_:)`` of a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an ``int(_:)`` of a literal.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Makes a ``double(_:)`` of a literal.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Makes a ``bool(_:)`` of a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes an ``array(_:)`` of a literal.
    public init(arrayLiteral elements: ContextValue...) { self = .array(elements) }
    /// Makes a ``dictionary(_:)`` of a literal; of equal keys the last wins.
    public init(dictionaryLiteral elements: (String, ContextValue)...) {
        self = .dictionary(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension ContextValue: CustomStringConvertible {
    /// The value for people to read. Dates are in UTC; of bytes only the number is shown.
    public var description: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .int(let value): return "\(value)"
        case .double(let value): return "\(value)"
        case .string(let value): return value.debugDescription
        case .data(let value): return "\(value.count) bytes"
        // Foundation's own description of a date traps for what is not finite.
        case .date(let value): return AttributeText.text(value)
        case .array(let values): return "\(values)"
        case .dictionary(let values): return "\(values)"
        }
    }
}

// MARK: - Codable

extension ContextValue: Codable {
    private enum Kind: String, CodingKey {
        case null, bool, int, double, string, data, date, array, dictionary, special
    }

    /// Decodes a value written by ``encode(to:)``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` for anything but exactly one known kind.
    public init(from decoder: any Decoder) throws {
        let (container, kind) = try decoder.singleKind(
            Kind.self, depth: 256, "a context value has exactly one known kind")
        switch kind {
        case .null: self = .null
        case .bool: self = .bool(try container.decode(Bool.self, forKey: kind))
        case .int: self = .int(try container.decode(Int64.self, forKey: kind))
        case .double: self = .double(try container.decode(Double.self, forKey: kind))
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .data: self = .data(try container.decode(Data.self, forKey: kind))
        case .date:
            self = .date(
                Date(
                    timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: kind))
            )
        case .array: self = .array(try container.decode([ContextValue].self, forKey: kind))
        case .dictionary:
            self = .dictionary(try container.decode([String: ContextValue].self, forKey: kind))
        case .special:
            let name = try container.decode(String.self, forKey: kind)
            let isDate = name.hasPrefix("date ")
            let value = Double(isDate ? String(name.dropFirst(5)) : name) ?? .nan
            self = isDate ? .date(Date(timeIntervalSinceReferenceDate: value)) : .double(value)
        }
    }

    /// Encodes the value as a container with one key, its kind. Dates are seconds since 2001.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .null: try container.encodeNil(forKey: .null)
        case .bool(let value): try container.encode(value, forKey: .bool)
        case .int(let value): try container.encode(value, forKey: .int)
        case .double(let value) where value.isFinite: try container.encode(value, forKey: .double)
        case .date(let value) where value.timeIntervalSinceReferenceDate.isFinite:
            try container.encode(value.timeIntervalSinceReferenceDate, forKey: .date)
        // JSON has no word for these, so they are written as text.
        case .double(let value): try container.encode("\(value)", forKey: .special)
        case .date(let value):
            try container.encode(
                "date \(value.timeIntervalSinceReferenceDate)", forKey: .special)
        case .string(let value): try container.encode(value, forKey: .string)
        case .data(let value): try container.encode(value, forKey: .data)
        case .array(let values): try container.encode(values, forKey: .array)
        case .dictionary(let values): try container.encode(values, forKey: .dictionary)
        }
    }
}
