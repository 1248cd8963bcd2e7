/// Operators of a query text that may be signs and words of it, as in pasted text.
struct PlainSigns: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// A minus before a word.
    static let minus = PlainSigns(rawValue: 1)
    /// `NOT` before a word.
    static let names = PlainSigns(rawValue: 2)
    /// `*` and `?` inside words.
    static let wildcards = PlainSigns(rawValue: 4)
}

/// A query text with some of its operators as signs and words, for a search that finds nothing with
/// them as operators.
struct PlainReading: Sendable {
    var query: Query
    /// What is read as text here.
    var signs: PlainSigns
    /// Whether some of the words are enough before this is tried: a user who excludes a word, and
    /// not only a letter or a number, may mean it.
    var isLast: Bool
}

extension QueryParser {
    /// Reads a text that is searched for, and what else it may mean.
    ///
    /// Unlike ``parse(_:)``, which filters and stored queries are read by, it expects titles and
    /// pasted text.
    func readings(of text: String) -> (parsed: ParsedQuery, others: [PlainReading]) {
        var lexer = lexed(text)
        lexer.readNamesOfTitle()
        let excluded = ExcludedWords(lexer.tokens)
        if let range = excluded.shortWords {
            lexer.diagnostics.append(
                .minusExcludes, range,
                "The minus leaves out all objects with the word after it. In quotation marks the "
                    + "word is searched for.")
        }
        let parsed = parsed(lexer)
        // With one word of several required, operators are all that narrows a search.
        guard options.defaultOperator == .all else { return (parsed, []) }
        var others: [PlainReading] = []
        var plain: Query?
        if !excluded.signs.isEmpty {
            lexer.readAsText(excluded)
            let query = self.parsed(lexer).query
            plain = query
            others.append(.init(query: query, signs: excluded.signs, isLast: excluded.areMeant))
        }
        if let query = parsed.query.wildcardsAsText {
            others.append(.init(query: query, signs: .wildcards, isLast: false))
        }
        if let query = plain?.wildcardsAsText {
            others.append(
                .init(
                    query: query, signs: excluded.signs.union(.wildcards),
                    isLast: excluded.areMeant))
        }
        return (parsed, others)
    }
}

extension QueryLexer {
    /// Makes words of `AND` and `NOT` in a title: a text all in capitals, or one that would only
    /// exclude a word.
    fileprivate mutating func readNamesOfTitle() {
        let names = tokens.indices.filter { tokens[$0].isName }
        guard !names.isEmpty else { return }
        var message = "All of the text is in capitals, so AND and NOT are read as words."
        if tokens.count == 2, tokens[0].isExclusion, tokens[1].bareWord != nil {
            message = "Nothing else is asked for, so NOT is a word. A minus excludes a word."
        } else if !isInCapitals {
            return
        }
        var range: Range<Int>?
        for place in names {
            // A group is no part of a title.
            if place + 1 < tokens.count, case .open = tokens[place + 1].kind { continue }
            if makeWord(of: place) { range = range ?? tokens[place].range }
        }
        if let range { diagnostics.append(.operatorReadAsText, range, message) }
    }

    /// Whether all letters of the text are in upper case, and not only those of operators.
    private var isInCapitals: Bool {
        var letters = 0
        for scalar in text.string(0..<text.count).unicodeScalars
        where scalar.properties.isAlphabetic {
            guard scalar.properties.isUppercase else { return false }
            letters += 1
        }
        let ofOperators = tokens.reduce(0) { sum, token in
            switch token.kind {
            case .and, .or, .not: sum + token.range.count
            default: sum
            }
        }
        return letters > ofOperators
    }

    fileprivate mutating func readAsText(_ excluded: ExcludedWords) {
        for place in excluded.names { _ = makeWord(of: place) }
        let minus = Set(excluded.minus)
        tokens = tokens.indices.filter { !minus.contains($0) }.map { tokens[$0] }
    }
}

/// The words that a text excludes one by one.
private struct ExcludedWords {
    /// The tokens that exclude a word that is not wanted, too.
    private(set) var minus: [Int] = []
    private(set) var names: [Int] = []
    /// Whether any is more than a letter or a number after a minus.
    private(set) var areMeant = false
    /// Where each minus before a short word or a number is, with the words.
    private(set) var shortWords: Range<Int>?

    var signs: PlainSigns {
        (minus.isEmpty ? [] : PlainSigns.minus).union(names.isEmpty ? [] : .names)
    }

    init(_ tokens: [QueryToken]) {
        // Most often.
        guard tokens.contains(where: \.isExclusion) else { return }
        let wanted = Set(
            tokens.indices.compactMap { place in
                place > 0 && tokens[place - 1].isExclusion ? nil : tokens[place].bareWord
            })
        // How many groups are open that are more than parentheses.
        var depth = 0
        for place in tokens.indices.dropLast() {
            let before = place > 0 ? tokens[place - 1] : nil
            switch tokens[place].kind {
            case .open(let group):
                let isPlain = depth == 0 && group == .plain && !(before?.actsOnNext ?? false)
                if !isPlain { depth += 1 }
            case .close: depth = max(depth - 1, 0)
            case .mustNot, .not:
                guard depth == 0, !(before?.isExclusion ?? false),
                    let word = tokens[place + 1].bareWord
                else { continue }
                let range = tokens[place].range.lowerBound..<tokens[place + 1].range.upperBound
                append(word, place, isMinus: !tokens[place].isName, range, wanted)
            default: break
            }
        }
    }

    private mutating func append(
        _ word: String, _ place: Int, isMinus: Bool, _ range: Range<Int>, _ wanted: Set<String>
    ) {
        let isNumber = word.allSatisfy(\.isNumber)
        if isMinus, word.count <= 3 || isNumber {
            shortWords = (shortWords?.lowerBound ?? range.lowerBound)..<range.upperBound
        }
        // What a text wants and excludes finds nothing, whatever is meant.
        if wanted.contains(word) { return }
        if isMinus { minus.append(place) } else { names.append(place) }
        if !isMinus || word.count > 1 && !isNumber { areMeant = true }
    }
}

extension QueryToken {
    fileprivate var isName: Bool {
        switch kind {
        case .and, .not: true
        default: false
        }
    }

    fileprivate var isExclusion: Bool {
        switch kind {
        case .mustNot, .not: true
        default: false
        }
    }

    fileprivate var actsOnNext: Bool {
        switch kind {
        case .must, .mustNot, .not, .field, .attribute: true
        case .operand, .open, .close, .and, .or: false
        }
    }

    /// A word without anything else, in lower case; finished or not.
    fileprivate var bareWord: String? {
        guard case .operand(let query) = kind else { return nil }
        var text: String?
        switch query.node {
        case .term(let word): text = word
        case .any(let ways): if case .term(let word)? = ways.first?.node { text = word }
        default: break
        }
        guard let text, text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        return text.lowercased()
    }
}
