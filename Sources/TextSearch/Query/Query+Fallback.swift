extension Query {
    /// The query with its uppermost "all" as "any", where there is one. What excludes or restricts
    /// stays as it is.
    ///
    /// What stands for several words, as "well-known" does, is a phrase of them, which is more than
    /// any of the words: here it is any of them, too.
    var anyInsteadOfAll: Query? {
        guard case .all(let parts) = node, parts.count > 1 else { return nil }
        // What is not required would let everything match.
        let words = parts.filter { !$0.isRestriction && !$0.isBonus }
        guard words.count > 1 else { return nil }
        return .all(
            of: [.joinedAny(words.map(\.anyOfItsWords))] + parts.filter(\.isRestriction))
    }

    /// The query with its uppermost excluded letters and numbers as wanted ones, as a minus may be
    /// a sign of pasted text, such as `tail -n 3`; nil where there are none.
    var excludedAsWanted: Query? {
        let parts = if case .all(let parts) = node { parts } else { [self] }
        var isOther = false
        let wanted = parts.flatMap { part -> [Query] in
            guard case .none(let unwanted) = part.node,
                unwanted.allSatisfy(\.isLetterOrNumber)
            else { return [part] }
            isOther = true
            return unwanted
        }
        return isOther ? .joinedAll(wanted) : nil
    }

    private var isLetterOrNumber: Bool {
        guard let text = bareWord else { return false }
        return text.count == 1 || text.allSatisfy(\.isNumber)
    }

    /// A query that is asked instead of this one, in normal form, for other words: where the score
    /// of this one is always the same, it is that of the other, too.
    func replacingWords(by other: Query) -> Query {
        switch node {
        case .filter: .joinedFilter(other)
        case .constantScore(_, let score): .constantScore(other, score)
        case .field(_, let part): part.replacingWords(by: other)
        case .all(let parts) where parts.allSatisfy(\.isFilter),
            .any(let parts) where parts.allSatisfy(\.isFilter):
            .joinedFilter(other)
        default: other
        }
    }

    private var isFilter: Bool {
        if case .filter = node { return true }
        return false
    }

    /// The texts of the words that must match.
    var requiredWords: [String] {
        switch node {
        case .term(let text), .phrase(let text, _, _), .exactly(let text): [text]
        case .all(let parts), .any(let parts), .atLeast(_, let parts), .near(let parts, _, _):
            parts.flatMap(\.requiredWords)
        case .first(let parts): parts.first?.requiredWords ?? []
        case .field(_, let part), .boost(let part, _), .constantScore(let part, _),
            .filter(let part):
            part.requiredWords
        default: []
        }
    }

    /// Whether it only says which objects are wanted, not what they are wanted for.
    var isRestriction: Bool {
        switch node {
        case .none, .filter, .attribute, .weight, .identifiers, .nothing: true
        default: false
        }
    }

    /// Whether it requires nothing, and only adds to the scores of what else matches.
    var isBonus: Bool {
        if case .atLeast(let count, _) = node { count <= 0 } else { false }
    }

    /// Without words of little value that are not required: where they stand is not worth showing.
    func withoutLowBonuses(_ analyzer: Analyzer) -> Query {
        switch node {
        case .all(let parts):
            return Query(
                .all(
                    parts.filter { !$0.isLowBonus(analyzer) }.map {
                        $0.withoutLowBonuses(analyzer)
                    }))
        case .first(let parts): return Query(.first(parts.map { $0.withoutLowBonuses(analyzer) }))
        case .any(let parts): return Query(.any(parts.map { $0.withoutLowBonuses(analyzer) }))
        case .field(let name, let part):
            return Query(.field(name, part.withoutLowBonuses(analyzer)))
        case .boost(let part, let factor):
            return Query(.boost(part.withoutLowBonuses(analyzer), factor))
        case .constantScore(let part, let score):
            return Query(.constantScore(part.withoutLowBonuses(analyzer), score))
        case .filter(let part): return Query(.filter(part.withoutLowBonuses(analyzer)))
        default: return self
        }
    }

    private func isLowBonus(_ analyzer: Analyzer) -> Bool {
        guard case .atLeast(0, let parts) = node, parts.count == 1 else { return false }
        return parts[0].bareWord.map(analyzer.isLowValue) ?? false
    }

    /// The text of a bare word: alone, in a field, in any of several, or with a boost.
    var bareWord: String? {
        switch node {
        case .term(let text): text
        case .field(_, let part), .boost(let part, _): part.bareWord
        case .any(let parts): Self.wordInFields(parts)
        default: nil
        }
    }

    /// The word that parts look for, each in one field.
    private static func wordInFields(_ parts: [Query]) -> String? {
        let words = parts.map { part -> String? in
            if case .field(_, let part) = part.node { part.bareWord } else { nil }
        }
        guard let first = words.first, words.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private var anyOfItsWords: Query {
        switch node {
        case .term(let text):
            let words = Self.words(of: text)
            return words.count > 1 ? .any(of: words.map { .term($0) }) : self
        case .boost(let part, let factor): return .joinedBoost(part.anyOfItsWords, factor)
        case .field(let name, let part): return .joinedField(name, part.anyOfItsWords)
        case .any(let parts) where bareWord != nil:
            return .joinedAny(parts.map(\.anyOfItsWords))
        default: return self
        }
    }

    /// The words of a text as UAX #29 cuts them; one alone where scripts without spaces are among
    /// them, or signs alone.
    static func words(of text: String) -> [String] {
        var text = text
        var words: [String] = []
        var isWhole = false
        text.withUTF8 { bytes in
            UnicodeTokenizer().forEachWord(inBytes: bytes) { range, isBigram in
                if isBigram || SpacelessScript.begins(Array(bytes[range])) { isWhole = true }
                words.append(String(decoding: bytes[range], as: UTF8.self))
            }
        }
        return isWhole || words.isEmpty ? [text] : words
    }
}

extension [Query] {
    /// The parts of an "all" in the order in which their scores add up: what only adds to a score
    /// comes last.
    var bonusesLast: [Query] {
        contains(where: \.isBonus) ? filter { !$0.isBonus } + filter(\.isBonus) : self
    }
}
