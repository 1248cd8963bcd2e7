internal import Foundation

/// What a value after the name of an attribute asks for.
enum AttributeQuery {
    /// One comparison of several holds.
    static func any(
        of operations: [AttributeComparison.Operation], _ name: String
    ) -> Query {
        NormalForm.any(operations.map { Query(.attribute(name, $0)).normalized() })
    }

    /// The attribute is there, and none of several comparisons holds; or it is not there, if that
    /// is what is compared.
    static func none(
        of operations: [AttributeComparison.Operation], _ name: String
    ) -> Query {
        if operations == [.exists] { return NormalForm.none([any(of: operations, name)]) }
        return switch operations.count == 1 ? operations[0] : .exists {
        case .isIn(let values): Query(.attribute(name, .isNotIn(values))).normalized()
        default:
            NormalForm.all([
                Query(.attribute(name, .exists)),
                NormalForm.none(operations.map { Query(.attribute(name, $0)).normalized() }),
            ])
        }
    }

    /// Equal to any of several values, or at a moment of a year, a month or a day.
    static func equal(to meanings: [AttributeText.Meaning]) -> [AttributeComparison.Operation] {
        var values: [AttributeValue] = []
        var spans: [AttributeComparison.Operation] = []
        for meaning in meanings {
            switch meaning {
            case .value(let value): values.append(value)
            case .span(let moments): spans.append(.range(.span(moments)))
            }
        }
        return values.isEmpty && !spans.isEmpty ? spans : [.isIn(values)] + spans
    }

    /// Equal to a bare word: to the number, truth value or date that it looks like, or to a text
    /// but for case and the like.
    static func equal(to word: String, _ name: String) -> Query {
        let lower = word.lowercased()
        let isTruth = lower == "true" || lower == "false"
        let meanings = AttributeText.meanings(of: isTruth ? lower : word).filter {
            $0 != .value(.string(word))
        }
        let like = AttributeComparison.Operation.isLike(word)
        return any(of: meanings.isEmpty ? [like] : equal(to: meanings) + [like], name)
    }

    /// What `a..b`, `a..` and `..b` mean, where the bounds are numbers or dates; both are included.
    static func ranges(of word: String) -> [AttributeComparison.Operation]? {
        let bounds = word.split(separator: "..", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return nil }
        let meanings = bounds.map { $0.isEmpty ? nil : AttributeText.meanings(of: String($0)) }
        guard meanings.contains(where: { $0 != nil }) else { return nil }
        for meaning in meanings.compactMap(\.self).joined() {
            switch meaning {
            case .span, .value(.number), .value(.date): continue
            case .value: return nil
            }
        }
        return .ranges(meanings[0], meanings[1], includesLower: true, includesUpper: true)
    }

    /// A word or phrase as a value of an attribute; anything else as it is.
    static func value(_ query: Query, of name: String) -> Query {
        switch query.node {
        case .term(let text): return equal(to: text, name).normalized()
        case .phrase(let text, _, _): return .attribute(name, .like(text))
        default: return query
        }
    }
}

extension AttributeText.Meaning {
    /// The value, or the moment at which the day or month begins.
    var start: AttributeValue {
        switch self {
        case .value(let value): return value
        case .span(let moments): return .date(moments.lowerBound)
        }
    }

    /// The value, or the moment at which the next day or month begins.
    var end: AttributeValue {
        switch self {
        case .value(let value): return value
        case .span(let moments): return .date(moments.upperBound)
        }
    }

    var isSpan: Bool {
        if case .span = self { return true }
        return false
    }

    var isDate: Bool {
        if case .value(.date) = self { return true }
        return isSpan
    }
}

extension [AttributeComparison.Operation] {
    /// Ranges with bounds of one kind: of dates, and of what else the bounds can mean. A bound is
    /// nil where there is none.
    static func ranges(
        _ lower: [AttributeText.Meaning]?, _ upper: [AttributeText.Meaning]?, includesLower: Bool,
        includesUpper: Bool
    ) -> Self {
        func range(
            _ lower: AttributeText.Meaning?, _ upper: AttributeText.Meaning?
        ) -> AttributeComparison.Operation {
            let from = lower.map { AttributeBounds.from($0, isIncluded: includesLower) }
            let upTo = upper.map { AttributeBounds.upTo($0, isIncluded: includesUpper) }
            return .range(
                AttributeBounds(
                    lower: from?.lower, upper: upTo?.upper,
                    includesLower: from?.includesLower ?? true,
                    includesUpper: upTo?.includesUpper ?? true))
        }
        var found: Self = []
        for isDate in lower == nil && upper == nil ? [false] : [false, true] {
            let bounds = [lower, upper].map { $0?.first { $0.isDate == isDate } }
            guard lower == nil || bounds[0] != nil, upper == nil || bounds[1] != nil else {
                continue
            }
            found.append(range(bounds[0], bounds[1]))
        }
        // Of two kinds: nothing is in between.
        return found.isEmpty ? [range(lower?.first, upper?.first)] : found
    }
}

extension AttributeBounds {
    /// From a value on; a day or month is all of it, so after it is from the next one on.
    static func from(_ meaning: AttributeText.Meaning, isIncluded: Bool) -> Self {
        if meaning.isSpan, !isIncluded { return Self(lower: meaning.end) }
        return Self(lower: meaning.start, includesLower: isIncluded)
    }

    /// Up to a value; up to and with a day or month is before the next one.
    static func upTo(_ meaning: AttributeText.Meaning, isIncluded: Bool) -> Self {
        if meaning.isSpan, isIncluded { return Self(upper: meaning.end, includesUpper: false) }
        return Self(upper: meaning.start, includesUpper: isIncluded)
    }

    static func span(_ moments: Range<Date>) -> Self {
        Self(
            lower: .date(moments.lowerBound), upper: .date(moments.upperBound),
            includesUpper: false)
    }
}
