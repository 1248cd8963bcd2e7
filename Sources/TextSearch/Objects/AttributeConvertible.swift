public import Foundation

/// What an attribute can be made of: strings, numbers, truth values, dates, UUIDs, and optionals and arrays of them.
///
/// ```swift
/// IndexedObject(strings: [item.name], attributes: ["price": item.price, "sold": item.soldOn])
/// index.search("lamp", filter: .attribute("price", .less(limit)))
/// ```
public protocol AttributeConvertible {
    /// The value; nil for an object that has none.
    var attributeValue: AttributeValue? { get }
}

extension AttributeValue: AttributeConvertible {
    /// The value itself.
    public var attributeValue: AttributeValue? { self }
}

extension String: AttributeConvertible {
    /// The text, as it is.
    public var attributeValue: AttributeValue? { .string(self) }
}

extension Bool: AttributeConvertible {
    /// The truth value.
    public var attributeValue: AttributeValue? { .bool(self) }
}

extension Double: AttributeConvertible {
    /// The number.
    public var attributeValue: AttributeValue? { .number(self) }
}

extension Float: AttributeConvertible {
    /// The number as it is written: 0.1 and not the nearest that a `Double` has of it.
    public var attributeValue: AttributeValue? { .number(Double(description) ?? Double(self)) }
}

extension Date: AttributeConvertible {
    /// The moment.
    public var attributeValue: AttributeValue? { .date(self) }
}

extension UUID: AttributeConvertible {
    /// The UUID as it is written, in capitals.
    public var attributeValue: AttributeValue? { .string(uuidString) }
}

extension BinaryInteger {
    /// The number; beyond 2⁵³ the nearest that a `Double` has.
    public var attributeValue: AttributeValue? { .number(Double(self)) }
}

extension Int: AttributeConvertible {}
extension Int8: AttributeConvertible {}
extension Int16: AttributeConvertible {}
extension Int32: AttributeConvertible {}
extension Int64: AttributeConvertible {}
extension UInt: AttributeConvertible {}
extension UInt8: AttributeConvertible {}
extension UInt16: AttributeConvertible {}
extension UInt32: AttributeConvertible {}
extension UInt64: AttributeConvertible {}

extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
    /// The value, if there is one.
    public var attributeValue: AttributeValue? { flatMap(\.attributeValue) }
}

extension Array: AttributeConvertible where Element: AttributeConvertible {
    /// The values of the elements; nil for none.
    public var attributeValue: AttributeValue? {
        let values = compactMap(\.attributeValue)
        return values.isEmpty ? nil : .array(values)
    }
}

extension IndexedObject {
    /// Creates the description of an object of values of everyday types.
    ///
    /// - Parameters:
    ///   - strings: the texts to search.
    ///   - weight: how much the object counts.
    ///   - context: values given back with each hit.
    ///   - attributes: values that queries can compare and sort by; what is nil is left out.
    ///   - language: the language of the text.
    @_disfavoredOverload
    public init(
        strings: [String], weight: Double = 0, context: [String: ContextValue] = [:],
        attributes: [String: any AttributeConvertible], language: StemmerLanguage? = nil
    ) {
        self.init(
            strings: strings, weight: weight, context: context,
            attributes: attributes.compactMapValues(\.attributeValue), language: language)
    }
}
