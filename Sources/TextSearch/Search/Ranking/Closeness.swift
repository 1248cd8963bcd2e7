/// The documents that have the words of a text close together: side by side in their order, or as
/// a string of nothing else.
///
/// They are found for texts alone, which may be read in several steps; a typed query says itself
/// what it means. It depends on nothing but the document whether it is one of them, so that several
/// indexes need not know of each other's.
struct Closeness {
    /// What the relevance of a document is multiplied by that has the words side by side. With 1.5,
    /// a text of twenty words came after one of six that has two words apart.
    static let ofPhrase = 2.0
    /// The same where a string has no other words.
    static let ofWhole = 4.0
    /// Longer texts are questions and quotations, whose words few documents have side by side.
    private static let mostWords = 7

    /// What a factor stands for, in explanations.
    static func name(of factor: Double) -> String {
        factor == ofWhole ? "nothing but the words" : "words side by side"
    }

    private let text: String
    private let isOneWord: Bool
    /// The only field that the words are looked for in; nil for all.
    private let field: String?

    /// Nil for a query with anything but words and restrictions, and for too many words. `text` is
    /// what it was read from: the query has no word twice.
    init?(of asked: Query, _ text: String) {
        var query = asked.withoutFilters.query
        var outer: String?
        if case .field(let name, let part) = query.node { (outer, query) = (name, part) }
        let parts = if case .all(let parts) = query.node { parts } else { [query] }
        var words: [String] = []
        var field: String?
        for part in parts where !part.isRestriction {
            guard words.count < Self.mostWords, let word = part.wordInField else { return nil }
            let own = word.field ?? outer
            if words.isEmpty { field = own } else if own != field { return nil }
            words.append(word.text)
        }
        guard !words.isEmpty else { return nil }
        self.field = field
        let joined = words.joined(separator: " ")
        self.text = joined == text || Self.areTheSame(text, words) ? text : joined
        isOneWord = words.count == 1 && Query.words(of: self.text).count == 1
    }

    /// Whether a text has some words and no others, each once or more.
    private static func areTheSame(_ text: String, _ words: [String]) -> Bool {
        let typed = Query.words(of: text)
        return typed.count <= mostWords
            && Set(typed) == Set(words.flatMap { Query.words(of: $0) })
    }

    /// The documents, ascending, with their factors; none where the time or memory of the evaluator
    /// does not do for all, which its clock says.
    ///
    /// Complexity: that of the words as a phrase.
    func documents(
        _ evaluator: inout QueryEvaluator
    ) throws -> [(document: UInt32, factor: Double)] {
        // Not with synonyms: other words are not what was typed.
        func matches(_ query: Query, _ needs: MatchNeeds) throws -> [UInt32] {
            let query = field.map { .field($0, query) } ?? query
            return try evaluator.evaluate(query, in: nil, needs)?.documents ?? []
        }
        do {
            let exactly = Query(.exactly(text))
            let phrase = isOneWord ? [] : try matches(.phrase(text), .documents)
            if !isOneWord, phrase.isEmpty { return [] }
            let needs = isOneWord ? MatchNeeds.documents : .hits(of: phrase).scored(false)
            let whole = try matches(exactly, needs)
            if evaluator.clock.isSpent { return [] }
            if isOneWord { return whole.map { ($0, Self.ofWhole) } }
            return Self.factors(phrase, whole)
        } catch is SearchEnded {
            return []
        } catch let error as TextIndexError where error.code == .limitExceeded {
            return []
        }
    }

    private static func factors(
        _ phrase: [UInt32], _ whole: [UInt32]
    ) -> [(document: UInt32, factor: Double)] {
        var next = 0
        return phrase.map { document in
            while next < whole.count, whole[next] < document { next += 1 }
            let isWhole = next < whole.count && whole[next] == document
            return (document, isWhole ? ofWhole : ofPhrase)
        }
    }
}

extension Query {
    /// The word that it looks for, finished or not, and in which field; nil for anything else.
    fileprivate var wordInField: (text: String, field: String?)? {
        switch node {
        case .term(let text): return (text, nil)
        case .field(let name, let part):
            return part.wordInField.map { ($0.text, $0.field ?? name) }
        case .boost(let part, _): return part.wordInField
        case .atLeast(0, let parts): return parts.count == 1 ? parts[0].wordInField : nil
        case .any: return finishedWord?.wordInField
        default: return nil
        }
    }
}
