/// Writes queries in normal form as query text.
///
/// What is still to be written is kept on a stack of its own: nothing recurses.
struct QueryPrinter {
    /// Where a query is written, which decides when it needs parentheses.
    private enum Place {
        /// The whole text, or all that is between parentheses.
        case alone
        /// Beside others that must all match.
        case member
        /// Where one operand is expected: after a sign or a field, before a boost, in a list.
        case operand
        /// An operand that a boost follows, which comparisons do not take.
        case scored
        /// After the name of a field, where no other name may stand.
        case named
    }

    private enum Part {
        case text(String)
        case query(Query, Place)
    }

    private var output = ""
    /// The next part is last.
    private var parts: [Part]

    static func text(_ query: Query) -> String {
        var printer = QueryPrinter(parts: [.query(query, .alone)])
        while let part = printer.parts.popLast() {
            switch part {
            case .text(let text): printer.output += text
            case .query(let query, let place): printer.write(query, in: place)
            }
        }
        return printer.output
    }

    private mutating func write(_ query: Query, in place: Place) {
        switch query.node {
        case .all(let queries):
            write(queries, in: .member, between: " ", isGrouped: place != .alone)
        case .any(let queries):
            write(queries, in: .operand, between: " OR ", isGrouped: place != .alone)
        case .none(let queries):
            let isGrouped = place != .alone && place != .member
            write(queries, in: .operand, before: "-", between: " ", isGrouped: isGrouped)
        case .near(let queries, let distance, let ordered):
            output += "@\(ordered ? "ordered" : "near")/\(distance)"
            write(queries, in: .operand, between: " ", isGrouped: true)
        case .atLeast(let count, let queries):
            output += "@atleast/\(count)"
            write(queries, in: .operand, between: " ", isGrouped: true)
        case .first(let queries):
            output += "@first"
            write(queries, in: .operand, between: " ", isGrouped: true)
        case .filter(let query):
            output += "@filter"
            write([query], in: .alone, between: "", isGrouped: true)
        case .field(let name, let query):
            output += Self.word(name) + ":"
            parts.append(.query(query, .named))
        case .boost(let query, let factor):
            parts.append(.text("^" + AttributeText.text(factor)))
            parts.append(.query(query, .scored))
        case .constantScore(let query, let score):
            parts.append(.text("^=" + AttributeText.text(score)))
            parts.append(.query(query, .scored))
        case .attribute(let name, let operation):
            write("\(Self.word(name)):\(Self.comparison(operation))", in: place)
        case .weight(let bounds): write("@weight:\(Self.range(bounds))", in: place)
        default: output += Self.leaf(query)
        }
    }

    private mutating func write(
        _ queries: [Query], in place: Place, before sign: String = "", between separator: String,
        isGrouped: Bool
    ) {
        if isGrouped { parts.append(.text(")")) }
        for (index, query) in queries.enumerated().reversed() {
            parts.append(.query(query, place))
            if !sign.isEmpty { parts.append(.text(sign)) }
            if index > 0 { parts.append(.text(separator)) }
        }
        if isGrouped { output += "(" }
    }

    private mutating func write(_ comparison: String, in place: Place) {
        let isGrouped = place == .scored || place == .named
        output += isGrouped ? "(\(comparison))" : comparison
    }

    private static func leaf(_ query: Query) -> String {
        switch query.node {
        case .everything: return "*"
        case .keyword(let text): return "@keyword(\(QuerySyntax.quoted(text)))"
        case .term(let text): return word(text)
        case .prefix(let text): return word(text, isPart: true) + "*"
        case .infix(let text): return "*" + word(text, isPart: true) + "*"
        case .suffix(let text): return "*" + word(text, isPart: true)
        case .part(let text): return "@part(\(QuerySyntax.quoted(text)))"
        case .fuzzy(let text, let distance, let exactPrefix):
            return word(text, isPart: true) + "~\(distance)"
                + (exactPrefix > 0 ? "/\(exactPrefix)" : "")
        case .wildcard(let pattern):
            return wildcard(pattern) ?? "@wildcard(\(QuerySyntax.quoted(pattern)))"
        case .regularExpression(let pattern): return regularExpression(pattern)
        case .exactly(let text): return "@exactly(\(QuerySyntax.quoted(text)))"
        case .phrase(let text, let slop, let lastIsPrefix):
            return phrase(text, lastIsPrefix: lastIsPrefix) + (slop > 0 ? "~\(slop)" : "")
        case .identifiers(let identifiers):
            return "@identifiers(\(identifiers.map { hexadecimal($0) }.joined(separator: " ")))"
        case .nothing, .all, .any, .none, .near, .atLeast, .first, .filter, .field, .boost,
            .constantScore,
            .attribute, .weight:
            return "@nothing()"
        }
    }

    // MARK: Comparisons

    private static func comparison(_ operation: AttributeComparison.Operation) -> String {
        switch operation {
        case .exists: return "=*"
        case .isIn(let values): return "=" + valueList(values)
        case .isNotIn(let values): return "!=" + valueList(values)
        case .range(let bounds): return range(bounds)
        case .isLike(let text):
            return AttributeText.writtenDate(text) == nil ? QuerySyntax.quoted(text) : word(text)
        // Query text has no patterns of attributes: this is for people.
        case .matches(let pattern): return QuerySyntax.quoted(pattern.text)
        }
    }

    private static func valueList(_ values: [AttributeValue]) -> String {
        if values.count == 1 { return text(values[0]) }
        return "(\(values.map(text).joined(separator: " ")))"
    }

    /// A value so that it reads back as nothing else: not as a date.
    private static func text(_ value: AttributeValue) -> String {
        let text = AttributeText.text(value)
        switch value {
        case .number: return AttributeText.moments(ofNumber: text) == nil ? text : text + ".0"
        case .string(let string):
            return AttributeText.writtenDate(string) == nil ? text : word(string)
        default: return text
        }
    }

    private static func range(_ bounds: AttributeBounds) -> String {
        switch (bounds.lower, bounds.upper) {
        case (let lower?, nil):
            return (bounds.includesLower ? ">=" : ">") + text(lower)
        case (nil, let upper?):
            return (bounds.includesUpper ? "<=" : "<") + text(upper)
        case (let lower, let upper):
            let from = lower.map { text($0) } ?? "*"
            let to = upper.map { text($0) } ?? "*"
            return (bounds.includesLower ? "[" : "{") + "\(from) TO \(to)"
                + (bounds.includesUpper ? "]" : "}")
        }
    }

    // MARK: Words

    /// A word with backslashes before everything that the syntax would take for a sign.
    ///
    /// `isPart` is whether it is a part of a word, which is no operator.
    static func word(_ text: String, isPart: Bool = false) -> String {
        if !isPart, ["AND", "OR", "NOT"].contains(text) { return "\\" + text }
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

    private static func phrase(_ text: String, lastIsPrefix: Bool) -> String {
        if lastIsPrefix { return "\"\(QuerySyntax.escapedQuotes(text))*\"" }
        guard text.unicodeScalars.last == "*" else { return QuerySyntax.quoted(text) }
        var scalars = text.unicodeScalars
        scalars.removeLast()
        return "\"\(QuerySyntax.escapedQuotes(String(scalars)))\\*\""
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
        return isPlain ? "/\(pattern)/" : "@regex(\(QuerySyntax.quoted(pattern)))"
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        "0x"
            + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
