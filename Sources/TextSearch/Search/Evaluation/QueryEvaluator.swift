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
    /// How much a keyword may ask for.
    var limits = QueryLimits()
    /// How the words of one document were scored, where that is asked for.
    var trace = ScoreTrace()
    /// What other indexes add to the statistics, where several are searched as one.
    var exchange: StatisticsExchange?
    /// What scores the best of other indexes have, for a search for the best of one word.
    var floor: ScoreFloor?
    /// Whether what all words and patterns match is kept, for queries that have the same ones. What
    /// is kept goes when it is set to false: that of prefixes, too, which is kept where only some
    /// documents are scored.
    var remembersPatterns = false {
        didSet { if !remembersPatterns { keptMatches = [:] } }
    }
    /// Without scores it is of no use to who asks for them.
    private var keptMatches: [QueryPartKey: QueryMatches] = [:]
    /// A query that was evaluated, and what it matches.
    var known: (query: Query, matches: QueryMatches)?

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
    mutating func evaluate(_ query: Query, _ needs: MatchNeeds) throws -> QueryMatches? {
        let query = analyzer.synonyms.expand(query)
        if let known, known.query == query.withoutWrapping { return known.matches }
        return try evaluate(query, in: nil, needs)
    }

    mutating func evaluate(
        _ query: Query, in string: UInt32?, _ needs: MatchNeeds
    ) throws -> QueryMatches? {
        // Once the time is over nothing more is begun, nor are patterns compiled.
        if try terms.isCut(needs) { return QueryMatches() }
        switch query.node {
        case .everything: return try allDocuments(needs)
        case .nothing: return QueryMatches()
        // As in normal form: nothing is no word, but every word begins with it.
        case .term(""), .phrase("", _, _), .fuzzy("", _, _), .part(""), .exactly(""):
            return QueryMatches()
        case .prefix(""), .infix(""), .suffix(""): return try allDocuments(needs)
        case .field(let name, let part):
            if case .field = part.node { return try evaluate(part, in: string, needs) }
            guard let index = fields.firstIndex(of: name) else { return QueryMatches() }
            return try evaluate(part, in: UInt32(index), needs)
        default:
            guard query.onlyFilters else { return try held(found(query.node, string, needs)) }
            return try held(FilterScorer(query, needs).found(self))
        }
    }

    /// What the scorer of a kind of query finds.
    private mutating func found(
        _ node: Query.Node, _ string: UInt32?, _ needs: MatchNeeds
    ) throws -> QueryMatches? {
        switch node {
        case .everything, .nothing, .field, .attribute, .identifiers, .weight:
            // These are evaluated above.
            return QueryMatches()
        case .term(let text):
            return try remembered(node, string, PhraseScorer(text: text, string: string), needs)
        case .prefix, .infix, .suffix, .part, .fuzzy, .wildcard, .regularExpression:
            return try remembered(node, string, PatternScorer(node: node, string: string), needs)
        case .any(let parts):
            return try remembered(node, string, UnionScorer(parts: parts, string: string), needs)
        case .keyword(let text):
            let query = try KeywordQuery(text, analyzer: analyzer, in: string, limits: limits)
            return try KeywordScorer(query).matches(needs, &self)
        case .phrase(let text, let slop, let lastIsPrefix):
            let scorer = PhraseScorer(
                text: text, slop: slop, lastIsPrefix: lastIsPrefix, string: string)
            return try remembered(node, string, scorer, needs)
        case .exactly(let text):
            return try ExactScorer(text: text, string: string).matches(needs, &self)
        case .near(let parts, let within, let isOrdered):
            let scorer = NearScorer(
                parts: parts, within: within, isOrdered: isOrdered, string: string)
            return try remembered(node, string, scorer, needs)
        case .all(let parts):
            return try IntersectionScorer(parts: parts, string: string).matches(needs, &self)
        case .atLeast(let least, let parts):
            return try UnionScorer(parts: parts, least: least, string: string).matches(needs, &self)
        case .none(let parts):
            return try ExclusionScorer(parts: parts, string: string).matches(needs, &self)
        case .first(let parts):
            return try TierScorer(parts: parts, string: string).matches(needs, &self)
        case .boost(let part, let factor):
            // Nothing of an infinite score is nothing; so scores are numbers, however boosts are
            // nested.
            return try evaluate(part, in: string, needs)?.mapScores {
                factor == 0 ? 0 : $0 * factor
            }
        case .constantScore(let part, let score):
            // Nobody asks for those of the part, unless other indexes are told of them.
            let unscored = needs.scored(tells(needs))
            return try evaluate(part, in: string, unscored)?.mapScores { _ in score }
        case .filter(let part):
            return try found(.constantScore(part, 0), string, needs)
        }
    }

    /// Whether other indexes are told of every word that the query asks for.
    func tells(_ needs: MatchNeeds) -> Bool { needs.scores && exchange != nil }

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
    func work(_ needs: MatchNeeds) -> MatchWork {
        MatchWork(clock: clock, needsAll: needs.whole)
    }

    /// What a scorer finds; found once, where that is of use.
    private mutating func remembered(
        _ node: Query.Node, _ string: UInt32?, _ scorer: some QueryScorer,
        _ needs: MatchNeeds
    ) throws -> QueryMatches? {
        let key = QueryPartKey(node: node, string: string)
        guard case .none = needs.hits else { return try scorer.matches(needs, &self) }
        guard let selection = needs.selection else {
            return try remembersPatterns
                ? kept(key, scorer, needs) : scorer.matches(needs, &self)
        }
        if let found = try selection.matches(key, needs, &self) { return found }
        // It is looked for in all documents, once for all steps.
        if case .prefix = node { return try kept(key, scorer, needs)?.only(selection.documents) }
        return try scorer.matches(needs, &self)
    }

    /// What a scorer finds in all documents; kept until the climb of a ladder ends.
    private mutating func kept(
        _ part: QueryPartKey, _ scorer: some QueryScorer, _ needs: MatchNeeds
    ) throws -> QueryMatches? {
        var key = part
        key.isScored = needs.scores
        if let known = keptMatches[key] {
            // It is found once, and told as often as the query has it.
            if tells(needs) { _ = exchange?.frequency(known.documents.count) }
            return known
        }
        let found = try held(scorer.matches(needs, &self))
        if !clock.isSpent { keptMatches[key] = found }
        return found
    }

    mutating func allDocuments(_ needs: MatchNeeds) throws -> QueryMatches {
        if let documents = needs.hits.documents { return QueryMatches(unscored: documents) }
        if let selection = needs.selection { return QueryMatches(unscored: selection.documents) }
        if let everything { return everything }
        var documents: [UInt32] = []
        let share = MemoryShare(clock)
        try snapshot.forEachDocument {
            documents.append($0)
            guard documents.count & 1_023 == 0 else { return true }
            // The scores, too.
            try share.grow(to: documents.capacity * 12)
            return try !terms.isCut(needs, afterWork: 1_024)
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
    /// Whether it is kept with scores.
    var isScored = false
}
