/// What an attribute's value must be for an object to match.
///
/// Values of different kinds are neither equal nor less nor greater. For an array, a comparison
/// holds if it holds for any element; ``notEqual(_:)`` holds if no element is equal.
///
/// ```swift
/// .attribute("stars", .greaterOrEqual(4))
/// .attribute("cuisine", .in(["french", "chinese"]))
/// .attribute("minutes", .range(10...30))
/// ```
public struct AttributeComparison: Hashable, Sendable {
    /// The few operations that all comparisons come down to.
    enum Operation: Hashable, Sendable {
        /// Any of the values; none of them is an array.
        case isIn([AttributeValue])
        /// Present, and no value among these; none of them is an array.
        case isNotIn([AttributeValue])
        case range(AttributeBounds)
        case exists
        /// A text, but for case, accents, width and the like.
        case isLike(String)
        /// A text that a pattern matches.
        case matches(StringPattern)
    }

    let operation: Operation

    /// Equal to a value, or an array with an equal element.
    public static func equal(_ value: AttributeValue) -> AttributeComparison { .in([value]) }

    /// A text that is equal apart from case, accents, width and other differences that the standard
    /// analysis ignores, or an array with such an element. `brand:bosch` in query text means this;
    /// `brand:=Bosch` is ``equal(_:)``.
    ///
    /// Complexity: on first use for a segment, linear in the distinct texts of the attribute.
    public static func like(_ text: String) -> AttributeComparison {
        AttributeComparison(operation: .isLike(text))
    }

    /// A text that a pattern matches, or any member of an array that it does.
    ///
    /// Complexity: the first time for a segment linear in the different texts of the attribute.
    static func matches(_ pattern: StringPattern) -> AttributeComparison {
        if let text = pattern.exactText { return .equal(.string(text)) }
        return AttributeComparison(operation: .matches(pattern))
    }

    /// Present, and not equal to a value, nor to any member of an array.
    public static func notEqual(_ value: AttributeValue) -> AttributeComparison {
        AttributeComparison(operation: .isNotIn(value.scalars))
    }

    /// Less than a value of the same kind.
    public static func less(_ value: AttributeValue) -> AttributeComparison {
        bounds(AttributeBounds(upper: value, includesUpper: false))
    }

    /// Less than or equal to a value of the same kind.
    public static func lessOrEqual(_ value: AttributeValue) -> AttributeComparison {
        bounds(AttributeBounds(upper: value))
    }

    /// Greater than a value of the same kind.
    public static func greater(_ value: AttributeValue) -> AttributeComparison {
        bounds(AttributeBounds(lower: value, includesLower: false))
    }

    /// Greater than or equal to a value of the same kind.
    public static func greaterOrEqual(_ value: AttributeValue) -> AttributeComparison {
        bounds(AttributeBounds(lower: value))
    }

    /// Equal to one of several values.
    public static func `in`(_ values: [AttributeValue]) -> AttributeComparison {
        AttributeComparison(operation: .isIn(AttributeValue.array(values).scalars))
    }

    /// Between two values of the same kind, including both.
    public static func range(_ range: ClosedRange<AttributeValue>) -> AttributeComparison {
        bounds(AttributeBounds(lower: range.lowerBound, upper: range.upperBound))
    }

    /// Between two values of the same kind, excluding the upper one.
    public static func range(_ range: Range<AttributeValue>) -> AttributeComparison {
        bounds(
            AttributeBounds(lower: range.lowerBound, upper: range.upperBound, includesUpper: false))
    }

    /// Present, with any value at all.
    public static var exists: AttributeComparison { AttributeComparison(operation: .exists) }

    private static func bounds(_ bounds: AttributeBounds) -> AttributeComparison {
        AttributeComparison(operation: .range(bounds))
    }
}

/// A range of attribute values, open where a bound is nil. Only values of the bounds' kind are in
/// it.
struct AttributeBounds: Hashable, Sendable {
    var lower: AttributeValue?
    var upper: AttributeValue?
    // A missing bound is included, so that equal ranges have equal fields.
    var includesLower: Bool
    var includesUpper: Bool

    init(
        lower: AttributeValue? = nil, upper: AttributeValue? = nil, includesLower: Bool = true,
        includesUpper: Bool = true
    ) {
        self.lower = lower
        self.upper = upper
        self.includesLower = includesLower || lower == nil
        self.includesUpper = includesUpper || upper == nil
    }

    /// Whether a bound is an array, which no single value compares with.
    var hasArray: Bool {
        [lower, upper].contains { if case .array = $0 { true } else { false } }
    }

    /// Whether a single value lies in the range. NaN lies only where it is a bound itself.
    func contains(_ value: AttributeValue) -> Bool {
        if case .number(let number) = value, number.isNaN {
            return lower == value || upper == value
        }
        if let lower {
            guard value.isComparable(to: lower) else { return false }
            if value < lower || (value == lower && !includesLower) { return false }
        }
        if let upper {
            guard value.isComparable(to: upper) else { return false }
            if upper < value || (value == upper && !includesUpper) { return false }
        }
        return true
    }
}

extension AttributeComparison.Operation {
    /// Whether an attribute with this value satisfies the comparison; nil stands for no attribute.
    ///
    /// Complexity: O(values × compared values).
    func holds(for value: AttributeValue?) -> Bool {
        guard let value else { return false }
        switch self {
        case .exists: return true
        case .isIn(let values): return value.scalars.contains { values.contains($0) }
        case .isNotIn(let values): return !value.scalars.contains { values.contains($0) }
        case .range(let bounds): return value.scalars.contains { bounds.contains($0) }
        case .isLike(let text):
            let wanted = FoldedValues.fold(text)
            return value.scalars.contains {
                if case .string(let own) = $0 { FoldedValues.fold(own) == wanted } else { false }
            }
        case .matches(let pattern):
            let matcher = StringPattern.Matcher(pattern)
            return value.scalars.contains {
                if case .string(let own) = $0 { matcher.matches(own) } else { false }
            }
        }
    }
}
