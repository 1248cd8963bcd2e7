// What kind of query it is, and for what words it asks.
extension Query {
    var isTerm: Bool { if case .term = node { true } else { false } }

    /// Whether it is a word, or words of which all or any are asked for.
    var isOfWords: Bool {
        switch node {
        case .term: true
        case .all(let parts), .any(let parts):
            parts.allSatisfy(\.isTerm)
        default: false
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

    var isFilter: Bool { if case .filter = node { true } else { false } }

    /// Whether it asks for no words, and gives every object that it matches the score 0.
    var onlyFilters: Bool { onlyFilters(scored: true) }

    private func onlyFilters(scored: Bool) -> Bool {
        switch node {
        case .everything, .nothing, .attribute, .weight, .identifiers: true
        case .filter(let part): part.onlyFilters(scored: false)
        case .field(_, let part): part.onlyFilters(scored: scored)
        // Nothing times any number is nothing.
        case .boost(let part, let factor):
            (!scored || factor.isFinite) && part.onlyFilters(scored: scored)
        case .constantScore(let part, let score):
            (!scored || score == 0) && part.onlyFilters(scored: false)
        case .all(let parts), .any(let parts), .none(let parts), .atLeast(_, let parts):
            parts.allSatisfy { $0.onlyFilters(scored: scored) }
        case .keyword, .term, .prefix, .infix, .suffix, .part, .fuzzy, .wildcard,
            .regularExpression, .phrase, .exactly, .near, .first:
            false
        }
    }

    // MARK: Words

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

    /// The same with a finished word in the place of one that may be unfinished, as
    /// ``QueryParser/Options/lastWordIsPrefix`` reads it, so that it is a bare word; nil for
    /// another query.
    var finishedWord: Query? {
        switch node {
        case .field(let name, let part): return part.finishedWord.map { NormalForm.field(name, $0) }
        case .any(let parts):
            let words = parts.filter { $0.bareWord != nil }
            let word = NormalForm.any(words)
            guard words.count < parts.count, let text = word.bareWord,
                parts.allSatisfy({ ($0.bareWord ?? $0.begunWord) == text })
            else { return nil }
            return word
        default: return nil
        }
    }

    /// The text of the beginning of a word, perhaps in a field.
    var begunWord: String? {
        switch node {
        case .prefix(let text): text
        case .field(_, let part): part.begunWord
        default: nil
        }
    }

    /// Whether a word is a letter or a digit alone, which says little beside others. In scripts
    /// whose characters take more bytes, one of them says more.
    static func isLetter(_ word: String) -> Bool {
        word.count == 1 && word.utf8.count <= 2
            && word.allSatisfy { $0.isLetter || $0.isNumber }
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
