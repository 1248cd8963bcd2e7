/// What an object must have, as a word, for a query to match it.
enum NecessaryTerms: Equatable {
    /// How a word of an object fits.
    enum Key: Hashable, Sendable {
        case term([UInt8])
        /// The beginning of a term.
        case prefix([UInt8])
        /// A stem, behind the number of its language.
        case stem([UInt8])
    }

    /// The query asks for nothing: it has only stop words or signs.
    case nothingAsked
    /// Objects with other words may match, too.
    case unknown
    /// Each object that matches has one of them; without any, none matches.
    case anyOf(Set<Key>)

    static let never = NecessaryTerms.anyOf([])
}

/// Finds the necessary terms of queries, as `QueryEvaluator` reads them.
struct NecessaryTermFinder {
    let analyzer: Analyzer
    let fields: [String]

    /// Those of a query.
    ///
    /// Complexity: linear in the query.
    func terms(of query: Query) -> NecessaryTerms {
        terms(of: analyzer.synonyms.expand(query), in: nil)
    }

    private func terms(of query: Query, in string: UInt32?) -> NecessaryTerms {
        switch query.node {
        case .nothing, .term(""), .phrase("", _, _), .fuzzy("", _, _), .exactly(""):
            return .never
        case .term(let text), .exactly(let text):
            return phrase(text, lastIsPrefix: false, in: string)
        case .phrase(let text, _, let lastIsPrefix):
            return phrase(text, lastIsPrefix: lastIsPrefix, in: string)
        case .prefix(let text): return prefix(text, query.node, in: string)
        case .near(let parts, _, _):
            if parts.isEmpty { return .never }
            return all(parts.map { terms(of: $0, in: string) })
        case .field(let name, let part):
            if case .field = part.node { return terms(of: part, in: string) }
            guard let index = fields.firstIndex(of: name) else { return .never }
            return terms(of: part, in: UInt32(index))
        case .all(let parts):
            // What is excluded is nothing that an object must have.
            return all(
                parts.map { part in
                    if case .none = part.node { return .unknown }
                    return terms(of: part, in: string)
                })
        case .any(let parts): return any(parts.map { terms(of: $0, in: string) })
        case .atLeast(let count, let parts):
            if count == 0 { return .unknown }
            return count > parts.count ? .never : any(parts.map { terms(of: $0, in: string) })
        case .first(let parts):
            let found = parts.map { terms(of: $0, in: string) }
            return found.contains(.nothingAsked) ? .unknown : any(found)
        case .boost(let part, _), .constantScore(let part, _), .filter(let part):
            return terms(of: part, in: string)
        default: return .unknown
        }
    }

    // MARK: Combinations

    /// The fewest of one part's; the others say nothing more that is needed.
    private func all(_ parts: [NecessaryTerms]) -> NecessaryTerms {
        if !parts.isEmpty, parts.allSatisfy({ $0 == .nothingAsked }) { return .nothingAsked }
        var best: Set<NecessaryTerms.Key>?
        for case .anyOf(let keys) in parts where Self.isRarer(keys, than: best) { best = keys }
        return best.map { .anyOf($0) } ?? .unknown
    }

    private func any(_ parts: [NecessaryTerms]) -> NecessaryTerms {
        if !parts.isEmpty, parts.allSatisfy({ $0 == .nothingAsked }) { return .nothingAsked }
        if parts.contains(.unknown) { return .unknown }
        var union: Set<NecessaryTerms.Key> = []
        for case .anyOf(let keys) in parts { union.formUnion(keys) }
        return .anyOf(union)
    }

    /// How often a term stands in objects that nobody has seen is not known; fewer and longer ones
    /// are rarer.
    private static func isRarer(
        _ keys: Set<NecessaryTerms.Key>, than other: Set<NecessaryTerms.Key>?
    ) -> Bool {
        guard let other else { return true }
        func rarity(_ keys: Set<NecessaryTerms.Key>) -> (Int, Int) {
            (keys.count, -(keys.map(\.byteCount).min() ?? .max))
        }
        return rarity(keys) < rarity(other)
    }

    // MARK: Words

    /// One word of the text for each way of reading it.
    private func phrase(
        _ text: String, lastIsPrefix: Bool, in string: UInt32?
    ) -> NecessaryTerms {
        var union: Set<NecessaryTerms.Key> = []
        for (analysis, _) in analyzer.analyses(of: string) {
            var words = QueryWords(text, analysis: analysis)
            if lastIsPrefix { words.makeLastPrefix() }
            var best: Set<NecessaryTerms.Key>?
            for word in words.words {
                let keys = Self.keys(of: word)
                if Self.isRarer(keys, than: best) { best = keys }
            }
            union.formUnion(best ?? [])
        }
        // Only a reading without words adds nothing.
        return union.isEmpty ? .nothingAsked : .anyOf(union)
    }

    private static func keys(of word: QueryWords.Word) -> Set<NecessaryTerms.Key> {
        if word.isPrefix { return [.prefix(word.bytes)] }
        return Set([.term(word.bytes)] + word.stems.map { .stem($0) })
    }

    private func prefix(
        _ text: String, _ node: Query.Node, in string: UInt32?
    ) -> NecessaryTerms {
        if text.isEmpty { return .unknown }
        var union: Set<NecessaryTerms.Key> = []
        for (analysis, _) in analyzer.analyses(of: string) {
            // Text of scripts without spaces is looked for anywhere in a run; others may be more
            // than one word.
            if RunPattern.isRow(node, analysis) { return .unknown }
            let folded = Array(analysis.folder.fold(text).utf8)
            if !folded.isEmpty { union.insert(.prefix(folded)) }
        }
        return union.isEmpty ? .nothingAsked : .anyOf(union)
    }
}

extension NecessaryTerms.Key {
    fileprivate var byteCount: Int {
        switch self {
        case .term(let bytes), .prefix(let bytes), .stem(let bytes): bytes.count
        }
    }
}
