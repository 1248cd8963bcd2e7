/// The documents that have the words of a text close together: side by side in their order, or as
/// a string of nothing else.
///
/// They are found for texts alone, which may be read in several steps; a typed query says itself
/// what it means. It depends on nothing but the document whether it is one of them, but for want of
/// time or memory, so that several indexes need not know of each other's.
struct Closeness {
    /// What the relevance of a document is multiplied by that has the words side by side. With 1.5,
    /// a text of twenty words came after one of six that has two words apart.
    static let ofPhrase = 2.0
    /// The same where a string has no other words.
    static let ofWhole = 4.0
    /// Longer texts are questions and quotations, whose words few documents have side by side.
    private static let mostWords = 7
    /// The letters of an unfinished word, at the least.
    private static let shortestBeginning = 3

    /// What a factor stands for, in explanations.
    static func name(of factor: Double) -> String {
        factor == ofWhole ? "nothing but the words" : "words side by side"
    }

    /// A document, and what its relevance is multiplied by.
    typealias Entry = (document: UInt32, factor: Double)

    private let text: String
    private let isOneWord: Bool
    /// The only fields that the words are looked for in; nil for all.
    private let fields: [String]?
    /// Whether the last word may be the beginning of one, too.
    private var isUnfinished = false

    /// Nil for a query with anything but words and restrictions, and for too many words. `text` is
    /// what it was read from: the query has no word twice.
    init?(of asked: Query, _ text: String) {
        var query = asked.withoutFilters.query
        var outer: [String]?
        if case .field(let name, let part) = query.node { (outer, query) = ([name], part) }
        let parts = if case .all(let parts) = query.node { parts } else { [query] }
        var words: [String] = []
        var fields: [String]?
        for part in parts where !part.onlyFilters {
            guard words.count < Self.mostWords, let word = part.wordInFields else { return nil }
            let own = word.fields ?? outer
            if words.isEmpty { fields = own } else if own != fields { return nil }
            words.append(word.text)
            isUnfinished = word.isUnfinished
        }
        guard !words.isEmpty else { return nil }
        self.fields = fields
        let joined = words.joined(separator: " ")
        self.text = joined == text || Self.areTheSame(text, words) ? text : joined
        isOneWord = words.count == 1 && Query.words(of: self.text).count == 1
        if !mayBeUnfinished { isUnfinished = false }
    }

    /// Whether a text has some words and no others, each once or more.
    private static func areTheSame(_ text: String, _ words: [String]) -> Bool {
        let typed = Query.words(of: text)
        return typed.count <= mostWords
            && Set(typed) == Set(words.flatMap { Query.words(of: $0) })
    }

    /// Many words begin with fewer letters, and one of them says little about what was meant.
    private var mayBeUnfinished: Bool {
        guard let last = Query.words(of: text).last else { return false }
        return last.count >= Self.shortestBeginning || SpacelessScript.begins(Array(last.utf8))
    }

    /// The same for documents that have the last word unfinished; nil where that counts anyhow, or
    /// says too little.
    var ofUnfinished: Closeness? {
        guard !isUnfinished, mayBeUnfinished else { return nil }
        var words = self
        words.isUnfinished = true
        return words
    }

    // MARK: Documents

    /// The documents, ascending, with their factors; those of `some` alone, which ascend, where
    /// the last word is unfinished. None where the time or memory that the evaluator's search has
    /// for them does not do for all; that the time is over its clock says.
    ///
    /// Complexity: that of the words as a phrase.
    func documents(
        beside search: borrowing QueryEvaluator, among some: [UInt32]? = nil
    ) throws -> [Entry] {
        // They are not to cost the search what it finds. Where they lack the time, the search says
        // that it is not complete.
        let clock = SearchClock(halfOf: search.clock, memory: search.limits.memoryBytes / 4)
        var evaluator = QueryEvaluator(
            snapshot: search.snapshot, store: search.store, analyzer: search.analyzer,
            fields: search.fields, similarity: search.similarity, clock: clock)
        evaluator.terms.typed = search.terms.typed
        defer { search.clock.note(clock) }
        do {
            let found =
                isUnfinished
                ? try begun(among: some, &evaluator) : try finished(&evaluator)
            return clock.isSpent ? [] : found
        } catch is SearchEnded {
            return []
        } catch let error as TextIndexError where error.code == .limitExceeded {
            return []
        }
    }

    /// Those of finished words.
    private func finished(_ evaluator: inout QueryEvaluator) throws -> [Entry] {
        // Not with synonyms: other words are not what was typed.
        func matches(_ query: Query, _ needs: MatchNeeds) throws -> [UInt32] {
            let query = fields.map { NormalForm.any($0.map { .field($0, query) }) } ?? query
            return try evaluator.evaluate(query, in: nil, needs)?.documents ?? []
        }
        let exactly = Query(.exactly(text))
        if isOneWord { return try matches(exactly, .documents).map { ($0, Self.ofWhole) } }
        let phrase = try matches(.phrase(text), .documents)
        if phrase.isEmpty { return [] }
        return Self.factors(phrase, try matches(exactly, .hits(of: phrase).scored(false)))
    }

    /// Those of words of which the last one may be unfinished.
    private func begun(
        among some: [UInt32]?, _ evaluator: inout QueryEvaluator
    ) throws -> [Entry] {
        let needs = some.map { MatchNeeds.hits(of: $0).scored(false) } ?? .documents
        var rows: [UInt32] = []
        var wholes: [UInt32] = []
        for string in strings(of: evaluator.fields) {
            if isOneWord {
                let scorer = ExactScorer(text: text, lastIsPrefix: true, string: string)
                wholes += try scorer.matches(needs, &evaluator)?.documents ?? []
            } else {
                let found = try BegunRows(text: text, string: string).documents(needs, &evaluator)
                rows += found.rows
                wholes += found.wholes
            }
        }
        if evaluator.clock.isOver(afterWork: rows.count + wholes.count) { return [] }
        wholes = wholes.sortedOnce
        return isOneWord
            ? wholes.map { ($0, Self.ofWhole) } : Self.factors(rows.sortedOnce, wholes)
    }

    /// The strings that the words are looked for in: nil is all of them.
    private func strings(of all: [String]) -> [UInt32?] {
        guard let fields else { return [nil] }
        return fields.compactMap { all.firstIndex(of: $0) }.map { UInt32($0) }
    }

    private static func factors(_ phrase: [UInt32], _ whole: [UInt32]) -> [Entry] {
        var next = 0
        return phrase.map { document in
            while next < whole.count, whole[next] < document { next += 1 }
            let isWhole = next < whole.count && whole[next] == document
            return (document, isWhole ? ofWhole : ofPhrase)
        }
    }
}

extension [UInt32] {
    /// Ascending, each once.
    fileprivate var sortedOnce: [UInt32] {
        var found: [UInt32] = []
        for document in sorted() where document != found.last { found.append(document) }
        return found
    }
}

extension Query {
    /// The word that it looks for, in which fields, and whether it may be unfinished; nil for
    /// anything else.
    fileprivate var wordInFields: (text: String, fields: [String]?, isUnfinished: Bool)? {
        switch node {
        case .term(let text): return (text, nil, false)
        case .field(let name, let part):
            return part.wordInFields.map { ($0.text, $0.fields ?? [name], $0.isUnfinished) }
        case .boost(let part, _): return part.wordInFields
        case .atLeast(0, let parts): return parts.count == 1 ? parts[0].wordInFields : nil
        case .any(let parts):
            if let finished = finishedWord?.wordInFields {
                return (finished.text, finished.fields, true)
            }
            guard let text = bareWord else { return nil }
            let fields = parts.compactMap { $0.wordInFields?.fields }
            return fields.count == parts.count
                ? (text, Array(Set(fields.joined())).sorted(), false) : nil
        default: return nil
        }
    }
}
