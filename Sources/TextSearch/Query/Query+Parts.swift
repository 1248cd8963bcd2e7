// Parts of joined words in place of words.
extension Query {
    /// The query where words, phrases and patterns are also looked for in the parts of joined
    /// words; what is excluded stays as it is. `corrections` gives words near one that has typing
    /// errors.
    func withParts(
        _ corrections: (_ word: String, _ distance: Int) throws -> [String]
    ) rethrows -> Query {
        switch node {
        case .term(let text), .phrase(let text, _, false):
            var slop = 0
            if case .phrase(_, let most, _) = node { slop = most }
            let words = Self.words(of: text)
            guard words.count > 1 else { return .any(of: [self, .part(text)]) }
            // Parts of one word are at one position.
            let joined = words.count <= 3 ? [Query.part(words.joined())] : []
            return .any(
                of: [self, .near(words.map { .part($0) }, within: slop, ordered: slop == 0)]
                    + joined)
        case .fuzzy(let text, let distance, let exactPrefix):
            let words = exactPrefix > 0 ? [] : try corrections(text, distance)
            return .any(of: [self] + ([text] + words).map { .part($0) })
        case .prefix(let text): return orPart(of: text, matching: Self.escaped(text) + ".*")
        case .wildcard(let pattern):
            let expression = Self.escaped(pattern)
                .replacing("*", with: ".*").replacing("?", with: ".")
            return orPart(of: pattern, matching: expression)
        case .regularExpression(let pattern):
            return orPart(of: pattern, matching: "(" + pattern + ")")
        // A filter of the application's own lets pass what it says and nothing else.
        case .none, .first, .filter: return self
        // Words of little value are in most objects: parts would cost much and say nothing.
        case .atLeast where isBonus: return self
        default: return try mapParts { try $0.withParts(corrections) }
        }
    }

    /// Patterns of letters, digits and wildcards alone are those of parts.
    private static func escaped(_ pattern: String) -> String {
        pattern.allSatisfy { $0.isLetter || $0.isNumber || $0 == "*" || $0 == "?" } ? pattern : ""
    }

    /// Also words of which a part, up to any sign behind it, matches a regular expression. Few
    /// letters would be anywhere.
    private func orPart(of pattern: String, matching expression: String) -> Query {
        guard !expression.isEmpty, expression != ".*", pattern.count(where: \.isLetter) > 1 else {
            return self
        }
        let sign = "(\\W|_)"
        return .any(of: [
            self,
            .regularExpression(
                ".*\(sign)\(expression)(\(sign).*)?|\(expression)\(sign).*"),
        ])
    }

    /// The query with the words that are excluded as parts of joined words, too: without *alice* is
    /// without *Alice's*. Letters and numbers, which a minus
    /// may stand before in pasted text, stay as they are.
    var excludingParts: Query {
        switch node {
        case .none(let parts): return Query(.none(parts.map(\.asPart)))
        case .all, .any, .field, .boost: return mapParts(\.excludingParts)
        default: return self
        }
    }

    private var asPart: Query {
        switch node {
        case .term(let text) where !isLetterOrNumber && Self.words(of: text).count == 1:
            .any(of: [self, .part(text)])
        case .all, .any, .field, .boost: mapParts(\.asPart)
        default: self
        }
    }
}
