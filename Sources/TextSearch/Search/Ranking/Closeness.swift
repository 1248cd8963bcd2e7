/// The documents that have the words of a text close together: side by side in their order, or as
/// a string of nothing else.
///
/// They are found for texts alone, which may be read in several steps; a typed query says itself
/// what it means. It depends on nothing but the document whether it is one of them, so that several
/// indexes need not know of each other's.
struct Closeness {
    /// What the relevance of a document is multiplied by that has the words side by side.
    static let ofPhrase = 1.5
    /// The same where a string has no other words.
    static let ofWhole = 4.0
    /// Longer texts are questions and quotations, whose words few documents have side by side.
    private static let mostWords = 7

    private let words: [String]
    /// The only field that the words are looked for in; nil for all.
    private let field: String?

    /// Nil for a query with anything but words and restrictions, and for too many words.
    init?(of asked: Query) {
        var query = asked.withoutFilters.query
        var outer: String?
        if case .field(let name, let part) = query.node { (outer, query) = (name, part) }
        var words: [String] = []
        var fields: Set<String?> = []
        let parts = if case .all(let parts) = query.node { parts } else { [query] }
        for part in parts where !part.isRestriction {
            guard words.count < Self.mostWords, let word = part.wordInField else { return nil }
            words.append(word.text)
            fields.insert(word.field ?? outer)
        }
        guard let field = fields.first, fields.count == 1 else { return nil }
        self.words = words
        self.field = field
    }

    /// The documents, ascending, with their factors.
    ///
    /// Complexity: that of the words as a phrase.
    func documents(
        _ evaluator: inout QueryEvaluator
    ) throws -> [(document: UInt32, factor: Double)] {
        let text = words.joined(separator: " ")
        func matches(
            _ query: Query, _ evaluator: inout QueryEvaluator
        ) throws -> [UInt32] {
            let query = field.map { .field($0, query) } ?? query
            return try evaluator.evaluate(query, .documents)?.documents ?? []
        }
        let isOne = words.count == 1 && Query.words(of: text).count == 1
        let phrase = isOne ? [] : try matches(.phrase(text), &evaluator)
        if !isOne, phrase.isEmpty { return [] }
        let whole = try matches(Query(.exactly(text)), &evaluator)
        if isOne { return whole.map { ($0, Self.ofWhole) } }
        var next = 0
        return phrase.map { document in
            while next < whole.count, whole[next] < document { next += 1 }
            let isWhole = next < whole.count && whole[next] == document
            return (document, isWhole ? Self.ofWhole : Self.ofPhrase)
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
