extension QueryLexer {
    /// Reads what follows `name:` if the name is known; the position is at the colon.
    ///
    /// Returns false, and leaves the position, if name and colon are text after all.
    mutating func lexNamed(_ name: String, from start: Int) -> Bool {
        let colon = position
        let isField = fields.contains(name)
        let isAttribute = isAttribute(name)
        guard isField || isAttribute else {
            noteUnknownName(name, start..<colon + 1)
            return false
        }
        position = colon + 1
        if position < text.count, text[position] != UInt8(ascii: ")"),
            text.whitespaceLength(at: position) == 0
        {
            if isAttribute, let query = readComparison(named: name) {
                appendOperand(query, from: start)
                return true
            }
            if isField {
                append(.field(name), from: start)
                // A parenthesis is left to the main loop.
                if text[position] != UInt8(ascii: "(") { lexOperand(mayHaveName: false) }
                return true
            }
            if text[position] == UInt8(ascii: "(") {
                append(.attribute(name), from: start)
                return true
            }
            if let query = readEqual(named: name) {
                appendOperand(query, from: start)
                return true
            }
        }
        position = colon + 1
        if isAttribute, skipSpace(), "<>=!".utf8.contains(text[position]),
            let query = readComparison(named: name)
        {
            appendOperand(query, from: start)
            return true
        }
        position = colon
        diagnostics.append(
            .malformed, start..<colon + 1,
            "Read as text: nothing that can be compared follows the name.")
        return false
    }

    /// Notes a name that might have been meant as one: addresses and times are not worth a word.
    private mutating func noteUnknownName(_ name: String, _ range: Range<Int>) {
        guard let first = name.utf8.first, QuerySyntax.isAlphanumeric(first),
            !QuerySyntax.isDigit(first), name.utf8.count <= 64, !text.isBoundary(range.upperBound),
            text[range.upperBound] != UInt8(ascii: "/")
        else { return }
        diagnostics.append(
            .unknownField, range, "No field or attribute has this name: it is read as text.")
    }

    // MARK: Comparisons

    /// Reads `>3`, `[a TO b]`, `=(x y)` and the like up to a boundary, or returns nil.
    mutating func readComparison(named name: String) -> Query? {
        guard let (operations, isNegated) = readOperations() else { return nil }
        return isNegated
            ? AttributeQuery.none(of: operations, name) : AttributeQuery.any(of: operations, name)
    }

    /// The same without a name: several operations where a word means a number and a date.
    mutating func readOperations() -> (any: [AttributeComparison.Operation], isNegated: Bool)? {
        let start = position
        let isNegated = text.has("!=", at: position)
        if isNegated { position += 1 }
        if let operations = readUnnegated(), text.isBoundary(position),
            text[position] != UInt8(ascii: "(")
        {
            return (operations, isNegated)
        }
        position = start
        return nil
    }

    private mutating func readUnnegated() -> [AttributeComparison.Operation]? {
        let first = text[position]
        let isOrEqual = text[position + 1] == UInt8(ascii: "=")
        switch first {
        case UInt8(ascii: ">"), UInt8(ascii: "<"):
            position += isOrEqual ? 2 : 1
            return readMeanings()?.map {
                .range(
                    first == UInt8(ascii: ">")
                        ? .from($0, isIncluded: isOrEqual) : .upTo($0, isIncluded: isOrEqual))
            }
        case UInt8(ascii: "="):
            position += 1
            if text[position] == UInt8(ascii: "*"), text.isBoundary(position + 1) {
                position += 1
                return [.exists]
            }
            return (readList() ?? readMeanings()).map(AttributeQuery.equal)
        case UInt8(ascii: "["), UInt8(ascii: "{"): return readRange()
        default: return nil
        }
    }

    /// Reads `[a TO b]`, with braces for bounds that are excluded and `*` for none.
    private mutating func readRange() -> [AttributeComparison.Operation]? {
        let includesLower = text[position] == UInt8(ascii: "[")
        position += 1
        skipSpace()
        guard let lower = readBound(), skipSpace(), text.has("TO", at: position) else { return nil }
        position += 2
        guard skipSpace(), let upper = readBound() else { return nil }
        skipSpace()
        let includesUpper = text[position] == UInt8(ascii: "]")
        guard includesUpper || text[position] == UInt8(ascii: "}") else { return nil }
        position += 1
        return .ranges(lower, upper, includesLower: includesLower, includesUpper: includesUpper)
    }

    /// Reads a bound. The outer nil means that there is none, the inner that it is `*`.
    private mutating func readBound() -> [AttributeText.Meaning]?? {
        if text[position] == UInt8(ascii: "*") {
            position += 1
            return .some(nil)
        }
        return readMeanings().map { .some($0) }
    }

    /// Reads `(x y z)`, or returns nil.
    private mutating func readList() -> [AttributeText.Meaning]? {
        guard text[position] == UInt8(ascii: "(") else { return nil }
        position += 1
        var meanings: [AttributeText.Meaning] = []
        while true {
            skipSpace()
            if text[position] == UInt8(ascii: ")") {
                position += 1
                return meanings
            }
            guard meanings.count < options.limits.maximumClauses else { return nil }
            if let string = text.string(at: &position) {
                meanings.append(.value(.string(string)))
            } else if let found = readMeanings() {
                meanings += found
            } else {
                return nil
            }
        }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while true {
            let length = text.whitespaceLength(at: position)
            if length == 0 { return position > start }
            position += length
        }
    }

    // MARK: Values

    /// Reads a quoted or bare value and what it means: a number may be a date, too.
    private mutating func readMeanings() -> [AttributeText.Meaning]? {
        if let string = text.string(at: &position) {
            return [AttributeText.writtenDate(string) ?? .value(.string(string))]
        }
        guard let (word, hasEscape) = text.bareValue(at: &position) else { return nil }
        return hasEscape ? [.value(.string(word))] : AttributeText.meanings(of: word)
    }

    /// Reads `name:value`: equal to the value as whatever it can mean, for nobody says which.
    private mutating func readEqual(named name: String) -> Query? {
        let start = position
        // A comparison that could not be read is not a value.
        guard !"<>[{=!".utf8.contains(text[position]) else { return nil }
        if text[position] == UInt8(ascii: "*"), text.isBoundary(position + 1) {
            position += 1
            return Query(.attribute(name, .exists))
        }
        if let string = text.string(at: &position), text.isBoundary(position) {
            guard let date = AttributeText.writtenDate(string) else {
                return .attribute(name, .like(string))
            }
            let operations = AttributeQuery.equal(to: [date, .value(.string(string))])
            return AttributeQuery.any(of: operations, name)
        }
        position = start
        if let (word, hasEscape) = text.bareValue(at: &position), text.isBoundary(position) {
            if hasEscape { return .attribute(name, .like(word)) }
            if let ranges = AttributeQuery.ranges(of: word) {
                return AttributeQuery.any(of: ranges, name)
            }
            if word.utf8.contains(UInt8(ascii: "*")) {
                diagnostics.append(
                    .malformed, start..<position, "Values are compared whole: the asterisk is text."
                )
            }
            return AttributeQuery.equal(to: word, name)
        }
        position = start
        return nil
    }
}
