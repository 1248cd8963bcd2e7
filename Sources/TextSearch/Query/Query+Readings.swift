// The same query in another way, or without some of it.
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
        // A letter alone says too little beside words.
        let telling = words.filter {
            !(($0.bareWord ?? $0.finishedWord?.bareWord).map(Self.isLetter) ?? false)
        }
        let any = (telling.isEmpty ? words : telling).map(\.anyOfItsWords)
        return .all(of: [NormalForm.any(any)] + parts.filter(\.isRestriction))
    }

    /// The query with wildcards inside words as signs of the text, such as `page?id=42`; nil where
    /// there are none. What excludes or restricts stays as it is.
    var wildcardsAsText: Query? {
        // Most often.
        if isOfWords { return nil }
        let plain = withWildcardsAsText
        return plain == self ? nil : plain
    }

    private var withWildcardsAsText: Query {
        switch node {
        case .wildcard(let pattern):
            let text = WildcardWord(pattern: pattern).text { $0 }
            return text.contains { $0.isLetter || $0.isNumber } ? .term(text) : self
        case .none, .filter: return self
        default: return mapParts(\.withWildcardsAsText)
        }
    }

    /// Whether it is a bare word of one letter or of digits.
    var isLetterOrNumber: Bool {
        guard let text = bareWord else { return false }
        return text.count == 1 || text.allSatisfy(\.isNumber)
    }

    /// A query that is asked instead of this one, in normal form, for other words: where the score
    /// of this one is always the same, it is that of the other, too.
    func replacingWords(by other: Query) -> Query {
        switch node {
        case .filter: NormalForm.filter(other)
        case .constantScore(_, let score): .constantScore(other, score)
        case .field(_, let part): part.replacingWords(by: other)
        case .all(let parts) where parts.allSatisfy(\.isFilter),
            .any(let parts) where parts.allSatisfy(\.isFilter):
            NormalForm.filter(other)
        default: other
        }
    }

    /// Without words of little value that are not required: where they stand is not worth showing,
    /// unless a text has such words alone, and they are kept then.
    func withoutLowBonuses(_ analyzer: Analyzer, unlessAlone isKept: Bool = false) -> Query {
        switch node {
        case .all(let parts):
            let rest = parts.filter { !$0.isLowBonus(analyzer) }
            if isKept, rest.allSatisfy({ $0.isLowValue(analyzer) }) { return self }
            return Query(.all(rest.map { $0.withoutLowBonuses(analyzer, unlessAlone: isKept) }))
        case .first, .any, .field, .boost, .constantScore, .filter:
            return mapParts { $0.withoutLowBonuses(analyzer, unlessAlone: isKept) }
        default: return self
        }
    }

    /// Whether it is a word of little value, or asks for no word.
    private func isLowValue(_ analyzer: Analyzer) -> Bool {
        if case .filter = node { return true }
        return bareWord.map(analyzer.isLowValue) ?? false
    }

    private func isLowBonus(_ analyzer: Analyzer) -> Bool {
        guard case .atLeast(0, let parts) = node, parts.count == 1 else { return false }
        return parts[0].bareWord.map(analyzer.isLowValue) ?? false
    }

    private var anyOfItsWords: Query {
        switch node {
        case .term(let text):
            let words = Self.words(of: text)
            return words.count > 1 ? .any(of: words.map { .term($0) }) : self
        case .boost(let part, let factor): return NormalForm.boost(part.anyOfItsWords, factor)
        case .field(let name, let part): return NormalForm.field(name, part.anyOfItsWords)
        case .any(let parts) where bareWord != nil || finishedWord != nil:
            return NormalForm.any(parts.map(\.anyOfItsWords))
        default: return self
        }
    }

    /// Another query in the place of a bare word (``bareWord``), in its fields and with its boosts.
    func replacingBareWord(by other: Query) -> Query {
        switch node {
        case .field(let name, let part):
            NormalForm.field(name, part.replacingBareWord(by: other))
        case .boost(let part, let factor):
            NormalForm.boost(part.replacingBareWord(by: other), factor)
        case .any(let parts): NormalForm.any(parts.map { $0.replacingBareWord(by: other) })
        default: other
        }
    }

    // MARK: Without filters

    /// What is left where filters are taken out that all matches have to pass, and these; nothing
    /// is taken out where nothing else is asked for.
    var withoutFilters: (query: Query, filters: [Query]) {
        var query = self
        var filters: [Query] = []
        while case .all(let parts) = query.node {
            let own = parts.filter(\.onlyFilters)
            guard !own.isEmpty, own.count < parts.count else { break }
            filters += own
            query = Query(.all(parts.filter { !$0.onlyFilters })).withoutWrapping
        }
        return (query, filters)
    }

    /// What stands alone in "all" or "any", which adds nothing to it.
    var withoutWrapping: Query {
        var query = self
        while true {
            switch query.node {
            case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
                query = parts[0]
            default: return query
            }
        }
    }
}
