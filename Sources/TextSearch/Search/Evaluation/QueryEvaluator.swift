import Foundation

/// Evaluates a query over one snapshot.
///
/// A part of a query that asks for nothing (a stop word, signs) evaluates to nil: it neither
/// matches nor rules out.
struct QueryEvaluator: ~Copyable {
    let snapshot: Snapshot
    let store: IndexStore
    let analyzer: Analyzer
    let fields: [String]
    let similarity: BM25
    var clock: SearchClock {
        didSet { terms.clock = clock }
    }
    var terms: TermHits
    private var everything: QueryMatches?
    /// Whether a prefix, wildcard, keyword or the like was marks and signs alone.
    var hasEmptyPattern = false
    /// What who collects the matches needs of them.
    var needs = MatchNeeds()
    /// How much a keyword may ask for.
    var limits = QueryLimits()
    /// Notes how the words of one document are scored, when somebody wants to know.
    var trace: ScoreTrace?
    /// What other indexes add to the statistics, where several are searched as one.
    var exchange: StatisticsExchange?
    /// Whether what all words and patterns match is kept, for queries that have the same ones. What
    /// is kept goes when it is set to false: that of prefixes, too, which is kept where only some
    /// documents are scored.
    var remembersPatterns = false {
        didSet { if !remembersPatterns { keptMatches = [:] } }
    }
    private var keptMatches: [KeptKey: QueryMatches] = [:]

    /// What is kept: without scores it is of no use to who asks for them.
    private struct KeptKey: Hashable {
        var part: QueryPartKey
        var areScored: Bool
    }

    /// What multiplies scores, where the query is made of the tiers of a search: within each tier.
    var tierFactors = DocumentFactors.none
    /// A query that was evaluated, and what it matches.
    var known: (query: Query, matches: QueryMatches)?
    /// The documents that alone are scored; others may be found, too.
    var selection: Selection?

    init(
        snapshot: Snapshot, store: IndexStore, analyzer: Analyzer, fields: [String],
        similarity: BM25, clock: SearchClock
    ) {
        self.clock = clock
        self.similarity = similarity
        self.snapshot = snapshot
        self.store = store
        self.analyzer = analyzer
        self.fields = fields
        terms = TermHits(snapshot: snapshot, store: store, clock: clock)
    }

    /// What the query matches; nil when it asks for nothing: it has only stop words or signs.
    mutating func evaluate(_ query: Query) throws -> QueryMatches? {
        let query = analyzer.synonyms.expand(query)
        if let known, known.query == query.withoutWrapping { return known.matches }
        return try evaluate(query, in: nil)
    }

    mutating func evaluate(_ query: Query, in string: UInt32?) throws -> QueryMatches? {
        // Once the time is over nothing more is begun, nor are patterns compiled.
        if try terms.isCut() { return QueryMatches() }
        switch query.node {
        case .everything: return try allDocuments()
        case .nothing: return QueryMatches()
        // As in normal form: nothing is no word, but every word begins with it.
        case .term(""), .phrase("", _, _), .fuzzy("", _, _), .part(""), .exactly(""):
            return QueryMatches()
        case .prefix(""), .infix(""), .suffix(""): return try allDocuments()
        case .field(let name, let part):
            if case .field = part.node { return try evaluate(part, in: string) }
            guard let index = fields.firstIndex(of: name) else { return QueryMatches() }
            return try evaluate(part, in: UInt32(index))
        default:
            guard query.onlyFilters else { return try held(found(query.node, string)) }
            return try held(FilterScorer(query).found(self))
        }
    }

    /// What the scorer of a kind of query finds.
    private mutating func found(_ node: Query.Node, _ string: UInt32?) throws -> QueryMatches? {
        switch node {
        case .everything, .nothing, .field, .attribute, .identifiers, .weight:
            // These are evaluated above.
            return QueryMatches()
        case .term(let text):
            return try remembered(node, string, PhraseScorer(text: text, string: string))
        case .prefix, .infix, .suffix, .part, .fuzzy, .wildcard, .regularExpression:
            return try remembered(node, string, PatternScorer(node: node, string: string))
        case .any(let parts):
            return try remembered(node, string, UnionScorer(parts: parts, string: string))
        case .keyword(let text):
            let query = try KeywordQuery(text, analyzer: analyzer, in: string, limits: limits)
            return try KeywordScorer(query).matches(&self)
        case .phrase(let text, let slop, let lastIsPrefix):
            return try PhraseScorer(
                text: text, slop: slop, lastIsPrefix: lastIsPrefix, string: string
            ).matches(&self)
        case .exactly(let text):
            return try ExactScorer(text: text, string: string).matches(&self)
        case .near(let parts, let within, let isOrdered):
            return try NearScorer(
                parts: parts, within: within, isOrdered: isOrdered, string: string
            ).matches(&self)
        case .all(let parts):
            return try IntersectionScorer(parts: parts, string: string).matches(&self)
        case .atLeast(let least, let parts):
            return try UnionScorer(parts: parts, least: least, string: string).matches(&self)
        case .none(let parts):
            return try ExclusionScorer(parts: parts, string: string).matches(&self)
        case .first(let parts):
            return try TierScorer(parts: parts, string: string).matches(&self)
        case .boost(let part, let factor):
            // Nothing of an infinite score is nothing; so scores are numbers, however boosts are
            // nested.
            return try evaluate(part, in: string)?.mapScores { factor == 0 ? 0 : $0 * factor }
        case .constantScore(let part, let score):
            return try unscored(part, in: string)?.mapScores { _ in score }
        case .filter(let part): return try unscored(part, in: string)?.mapScores { _ in 0 }
        }
    }

    /// What a query matches, where nobody asks for its scores.
    private mutating func unscored(_ query: Query, in string: UInt32?) throws -> QueryMatches? {
        let outer = needs.scores
        // Who explains, or asks others for their statistics, goes through all of them.
        if trace == nil, exchange == nil { needs.scores = false }
        defer { needs.scores = outer }
        return try evaluate(query, in: string)
    }

    /// The one pattern of terms that a prefix, infix, keyword or the like stands for; nil where it
    /// is more than one, a row of words, or nothing.
    func lonePattern(
        of node: Query.Node, in string: UInt32?
    ) throws -> (pattern: TermPattern, strings: StringSelection)? {
        guard case .keyword(let text) = node else {
            return PatternScorer(node: node, string: string).lone(analyzer)
        }
        return try KeywordQuery(text, analyzer: analyzer, in: string, limits: limits).loneWord
    }

    /// Has the memory of what was found counted.
    private func held(_ found: QueryMatches?) throws -> QueryMatches? {
        var found = found
        try found?.hold(by: clock)
        return found
    }

    /// The work of putting matches together.
    var work: MatchWork { MatchWork(clock: clock, needsAll: terms.needsAll) }

    /// What a scorer finds; found once, where that is of use.
    private mutating func remembered(
        _ node: Query.Node, _ string: UInt32?, _ scorer: some QueryScorer
    ) throws -> QueryMatches? {
        let key = QueryPartKey(node: node, string: string)
        guard case .none = needs.hits else { return try scorer.matches(&self) }
        guard let selection else {
            return try remembersPatterns ? kept(key, scorer) : scorer.matches(&self)
        }
        if let found = try selection.matches(key, &self) { return found }
        // It is looked for in all documents, once for all steps.
        if case .prefix = node { return try kept(key, scorer)?.only(selection.documents) }
        return try scorer.matches(&self)
    }

    /// What a scorer finds in all documents; kept until the climb of a ladder ends.
    private mutating func kept(
        _ part: QueryPartKey, _ scorer: some QueryScorer
    ) throws -> QueryMatches? {
        let key = KeptKey(part: part, areScored: needs.scores)
        if let known = keptMatches[key] { return known }
        let found = try held(scorer.matches(&self))
        if !clock.isSpent { keptMatches[key] = found }
        return found
    }

    mutating func allDocuments() throws -> QueryMatches {
        if let documents = needs.hits.documents { return QueryMatches(unscored: documents) }
        if let selection { return QueryMatches(unscored: selection.documents) }
        if let everything { return everything }
        var documents: [UInt32] = []
        let share = MemoryShare(clock)
        try snapshot.forEachDocument {
            documents.append($0)
            guard documents.count & 1_023 == 0 else { return true }
            // The scores, too.
            try share.grow(to: documents.capacity * 12)
            return try !terms.isCut(afterWork: 1_024)
        }
        var matches = QueryMatches(unscored: documents)
        try matches.hold(by: clock)
        if !clock.isSpent { everything = matches }
        return matches
    }
}

/// A part of a query, and the string that it is looked for in.
struct QueryPartKey: Hashable {
    var node: Query.Node
    var string: UInt32?
}
