extension Query: CustomStringConvertible {
    /// The query in normal form as query text.
    ///
    /// ``QueryParser`` reads it back as ``normalized()``, if it knows the fields and attributes that
    /// are named in it and its limits are not exceeded.
    public var description: String { QueryPrinter.text(normalized(), in: .alone) }
}

/// Writes queries in normal form as query text.
enum QueryPrinter {
    /// Where a query is written, which decides when it needs parentheses.
    enum Place {
        /// The whole text, or all that is between parentheses.
        case alone
        /// Beside others that must all match.
        case member
        /// Where one operand is expected: after a sign or a field, before a boost, in a list.
        case operand
    }

    static func text(_ query: Query, in place: Place) -> String {
        switch query.node {
        case .all(let queries):
            return grouped(queries.map { text($0, in: .member) }, by: " ", unless: place == .alone)
        case .any(let queries):
            return grouped(
                queries.map { text($0, in: .operand) }, by: " OR ", unless: place == .alone)
        case .none(let queries):
            return grouped(
                queries.map { "-" + text($0, in: .operand) }, by: " ", unless: place != .operand)
        case .attribute(let name, let operation):
            return "\(word(name)):\(comparison(operation))"
        case .weight(let bounds): return "@weight:\(range(bounds))"
        default: return operand(query)
        }
    }

    private static func grouped(
        _ parts: [String], by separator: String, unless isOpen: Bool
    ) -> String {
        let joined = parts.joined(separator: separator)
        return isOpen ? joined : "(\(joined))"
    }

    private static func operand(_ query: Query) -> String {
        switch query.node {
        case .everything: return "*"
        case .nothing: return "@nothing()"
        case .keyword(let text): return "@keyword(\(quoted(text)))"
        case .term(let text): return word(text)
        case .prefix(let text): return word(text) + "*"
        case .infix(let text): return "*" + word(text) + "*"
        case .suffix(let text): return "*" + word(text)
        case .fuzzy(let text, let distance, let exactPrefix):
            return word(text) + "~\(distance)" + (exactPrefix > 0 ? "/\(exactPrefix)" : "")
        case .wildcard(let pattern):
            return wildcard(pattern) ?? "@wildcard(\(quoted(pattern)))"
        case .regularExpression(let pattern): return regularExpression(pattern)
        case .phrase(let text, let slop, let lastIsPrefix):
            return phrase(text, lastIsPrefix: lastIsPrefix) + (slop > 0 ? "~\(slop)" : "")
        case .near(let queries, let distance, let ordered):
            return "@\(ordered ? "ordered" : "near")/\(distance)(\(list(queries)))"
        case .atLeast(let count, let queries): return "@atleast/\(count)(\(list(queries)))"
        case .field(let name, let query): return word(name) + ":" + unscored(query)
        case .boost(let query, let factor):
            return scorable(query) + "^\(AttributeText.text(factor))"
        case .constantScore(let query, let score):
            return scorable(query) + "^=\(AttributeText.text(score))"
        case .filter(let query): return "@filter(\(text(query, in: .alone)))"
        case .identifiers(let identifiers):
            return "@identifiers(\(identifiers.map { hexadecimal($0) }.joined(separator: " ")))"
        case .all, .any, .none, .attribute, .weight: return text(query, in: .operand)
        }
    }

    private static func list(_ queries: [Query]) -> String {
        queries.map { text($0, in: .operand) }.joined(separator: " ")
    }

    /// An operand that a boost after it would belong to.
    private static func scorable(_ query: Query) -> String {
        switch query.node {
        case .attribute, .weight, .boost, .constantScore: return "(\(text(query, in: .alone)))"
        default: return text(query, in: .operand)
        }
    }

    /// An operand for a field, in which a boost must not seem to belong to the field.
    private static func unscored(_ query: Query) -> String {
        switch query.node {
        case .attribute, .weight, .boost, .constantScore, .field:
            return "(\(text(query, in: .alone)))"
        default: return text(query, in: .operand)
        }
    }

    // MARK: Comparisons

    private static func comparison(_ operation: AttributeComparison.Operation) -> String {
        switch operation {
        case .exists: return "=*"
        case .isIn(let values): return "=" + valueList(values)
        case .isNotIn(let values): return "!=" + valueList(values)
        case .range(let bounds): return range(bounds)
        }
    }

    private static func valueList(_ values: [AttributeValue]) -> String {
        let texts = values.map { AttributeText.text($0) }
        return texts.count == 1 ? texts[0] : "(\(texts.joined(separator: " ")))"
    }

    private static func range(_ bounds: AttributeBounds) -> String {
        switch (bounds.lower, bounds.upper) {
        case (let lower?, nil):
            return (bounds.includesLower ? ">=" : ">") + AttributeText.text(lower)
        case (nil, let upper?):
            return (bounds.includesUpper ? "<=" : "<") + AttributeText.text(upper)
        case (let lower, let upper):
            let from = lower.map { AttributeText.text($0) } ?? "*"
            let to = upper.map { AttributeText.text($0) } ?? "*"
            return (bounds.includesLower ? "[" : "{") + "\(from) TO \(to)"
                + (bounds.includesUpper ? "]" : "}")
        }
    }

    // MARK: Words

    /// A word with backslashes before everything that the syntax would take for a sign.
    static func word(_ text: String) -> String {
        if ["AND", "OR", "NOT"].contains(text) { return "\\" + text }
        var result = String.UnicodeScalarView()
        for (position, scalar) in text.unicodeScalars.enumerated() {
            let isSign =
                QuerySyntax.isQuote(scalar) || QuerySyntax.isWhitespace(scalar)
                || "\\():*?~^".unicodeScalars.contains(scalar)
                || (position == 0 && "+-@/<>=![{".unicodeScalars.contains(scalar))
            // Signs alone would be left out as punctuation.
            if isSign || (position == 0 && QuerySyntax.isPunctuation(text)) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    static func quoted(_ text: String) -> String {
        "\"\(escapedQuotes(text))\""
    }

    private static func escapedQuotes(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\\" || QuerySyntax.isQuote(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    private static func phrase(_ text: String, lastIsPrefix: Bool) -> String {
        if lastIsPrefix { return "\"\(escapedQuotes(text))*\"" }
        guard text.unicodeScalars.last == "*" else { return quoted(text) }
        var scalars = text.unicodeScalars
        scalars.removeLast()
        return "\"\(escapedQuotes(String(scalars)))\\*\""
    }

    /// The pattern as a word with wildcards, if it reads back as the same.
    private static func wildcard(_ pattern: String) -> String? {
        let word = WildcardWord(pattern: pattern)
        guard case .wildcard(pattern)? = word.query?.node else { return nil }
        return word.printed
    }

    private static func regularExpression(_ pattern: String) -> String {
        let isPlain =
            !pattern.isEmpty && pattern.unicodeScalars.last != "\\"
            && pattern.unicodeScalars.allSatisfy { $0 != "/" && !QuerySyntax.isWhitespace($0) }
            && (try? RegularExpressionMatcher.check(pattern)) != nil
        return isPlain ? "/\(pattern)/" : "@regex(\(quoted(pattern)))"
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        "0x"
            + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
