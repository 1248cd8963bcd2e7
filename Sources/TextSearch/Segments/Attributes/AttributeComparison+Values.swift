/// Comparisons with values of everyday types. Nothing compares with a value that is nil.
extension AttributeComparison {
    /// The value is one of some; of a value that is nil, none is.
    private static func with(
        _ value: (some AttributeConvertible)?,
        _ comparison: (AttributeValue) -> AttributeComparison
    ) -> AttributeComparison {
        value?.attributeValue.map(comparison) ?? .in([AttributeValue]())
    }

    /// The value equals this one.
    ///
    /// - Parameter value: what to compare with.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func equal(_ value: some AttributeConvertible) -> AttributeComparison {
        with(value) { .equal($0) }
    }

    /// The value differs from this one.
    ///
    /// - Parameter value: what to compare with.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func notEqual(_ value: some AttributeConvertible) -> AttributeComparison {
        with(value) { .notEqual($0) }
    }

    /// The value is less than this one.
    ///
    /// - Parameter value: what to compare with.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func less(_ value: some AttributeConvertible) -> AttributeComparison {
        with(value) { .less($0) }
    }

    /// The value is less than or equal to this one.
    ///
    /// - Parameter value: what to compare with.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func lessOrEqual(_ value: some AttributeConvertible) -> AttributeComparison {
        with(value) { .lessOrEqual($0) }
    }

    /// The value is greater than this one.
    ///
    /// - Parameter value: what to compare with.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func greater(_ value: some AttributeConvertible) -> AttributeComparison {
        with(value) { .greater($0) }
    }

    /// The value is greater than or equal to this one.
    ///
    /// - Parameter value: what to compare with.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func greaterOrEqual(_ value: some AttributeConvertible) -> AttributeComparison {
        with(value) { .greaterOrEqual($0) }
    }

    /// The value is one of these.
    ///
    /// - Parameter values: what to compare with; those that are nil are left out.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func `in`(_ values: [some AttributeConvertible]) -> AttributeComparison {
        .in(values.compactMap(\.attributeValue))
    }

    /// The value lies in a range, including both bounds.
    ///
    /// - Parameter range: the range.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func range<Value: AttributeConvertible & Comparable>(
        _ range: ClosedRange<Value>
    ) -> AttributeComparison {
        guard let lower = range.lowerBound.attributeValue,
            let upper = range.upperBound.attributeValue, lower <= upper
        else { return .in([AttributeValue]()) }
        return .range(lower...upper)
    }

    /// The value lies in a range, excluding its upper bound.
    ///
    /// - Parameter range: the range.
    /// - Returns: The comparison.
    @_disfavoredOverload
    public static func range<Value: AttributeConvertible & Comparable>(
        _ range: Range<Value>
    ) -> AttributeComparison {
        guard let lower = range.lowerBound.attributeValue,
            let upper = range.upperBound.attributeValue, lower <= upper
        else { return .in([AttributeValue]()) }
        return .range(lower..<upper)
    }
}
