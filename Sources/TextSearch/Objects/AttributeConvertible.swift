public import Foundation

/// A type that an attribute can be made from: strings, numbers, booleans, dates, UUIDs, and
/// optionals and arrays of them.
///
/// ```swift
/// IndexedObject(strings: [item.name], attributes: ["price": item.price, "sold": item.soldOn])
/// index.search("lamp", filter: .attribute("price", .less(limit)))
/// ```
public protocol AttributeConvertible {
    /// The value; nil if the object has none.
    var attributeValue: AttributeValue? { get }
}

extension AttributeValue: AttributeConvertible {
    /// The value itself, without any conversion.
    public var attributeValue: AttributeValue? { self }
}

extension String: AttributeConvertible {
    /// The text, unchanged, as a string.
    public var attributeValue: AttributeValue? { .string(self) }
}

extension Bool: AttributeConvertible {
    /// The truth value, as a boolean.
    public var attributeValue: AttributeValue? { .bool(self) }
}

extension Double: AttributeConvertible {
    /// The number itself, as a number.
    public var attributeValue: AttributeValue? { .number(self) }
}

extension Float: AttributeConvertible {
    /// The number as it is printed: 0.1 stays 0.1, not the nearest `Double` of the `Float`.
    public var attributeValue: AttributeValue? { .number(Double(description) ?? Double(self)) }
}

extension Date: AttributeConvertible {
    /// The moment itself, as a date.
    public var attributeValue: AttributeValue? { .date(self) }
}

extension UUID: AttributeConvertible {
    /// The UUID in its usual form, in capitals.
    public var attributeValue: AttributeValue? { .string(uuidString) }
}

extension BinaryInteger {
    /// The number; beyond 2⁵³ the nearest `Double`.
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
    /// The attribute value of the wrapped value; nil without one.
    public var attributeValue: AttributeValue? { flatMap(\.attributeValue) }
}

extension Array: AttributeConvertible where Element: AttributeConvertible {
    /// The values of the elements; nil if there are none.
    public var attributeValue: AttributeValue? {
        let values = compactMap(\.attributeValue)
        return values.isEmpty ? nil : .array(values)
    }
}

extension IndexedObject {
    /// Creates the description of an object, with attributes of everyday types.
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
