internal import Foundation

/// One of the keys that results are sorted by; see ``Ranking/sorted(by:)``.
public struct SortKey: Hashable, Sendable {
    /// Which values of a key come first.
    public enum Direction: Hashable, Sendable, Codable {
        /// The lowest values come first.
        case ascending
        /// The highest values come first.
        case descending
    }

    enum Kind: Hashable, Sendable {
        case attribute(String)
        case weight
        case relevance
    }

    let kind: Kind
    let direction: Direction

    /// A key that sorts by an attribute.
    ///
    /// Objects without it come last in both directions, as do those where it is an empty array or
    /// not a number. Of an array its least member counts, or its greatest when descending. Values
    /// of different kinds come by their kind: booleans, numbers, dates, strings. Strings come in
    /// the order of dictionaries; see ``AttributeValue``.
    ///
    /// - Parameters:
    ///   - name: the attribute's name.
    ///   - direction: which values come first.
    /// - Returns: The key.
    public static func attribute(
        _ name: String, _ direction: Direction = .ascending
    ) -> SortKey {
        SortKey(kind: .attribute(name), direction: direction)
    }

    /// A key that sorts by the objects' weights, the greatest first.
    public static let weight = weight(.descending)

    /// A key that sorts by the objects' weights, in either direction.
    ///
    /// - Parameter direction: which values come first.
    /// - Returns: The key.
    public static func weight(_ direction: Direction) -> SortKey {
        SortKey(kind: .weight, direction: direction)
    }

    /// A key that sorts by relevance, the most relevant first.
    public static let relevance = relevance(.descending)

    /// A key that sorts by relevance, in either direction.
    ///
    /// - Parameter direction: which values come first.
    /// - Returns: The key.
    public static func relevance(_ direction: Direction) -> SortKey {
        SortKey(kind: .relevance, direction: direction)
    }

    /// The value of an object's attribute that this key compares; nil comes last.
    func value(of attribute: AttributeValue?) -> AttributeValue? {
        guard let attribute else { return nil }
        let values = attribute.scalars.filter { !$0.isNotANumber }
        return direction == .ascending ? values.min() : values.max()
    }

    /// Negative, zero or positive as a value comes before, with or after another.
    func order<Value: Comparable>(_ a: Value?, _ b: Value?) -> Int {
        guard let a, let b else { return (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
        if a == b { return 0 }
        return (a < b) == (direction == .ascending) ? -1 : 1
    }
}

extension AttributeValue {
    var isNotANumber: Bool {
        switch self {
        case .number(let value): value.isNaN
        case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }
}
