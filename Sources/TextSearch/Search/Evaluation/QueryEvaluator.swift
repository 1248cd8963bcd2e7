import Foundation

/// Evaluates a query over one snapshot.
///
/// A part of a query that asks for nothing (a stop word, signs) evaluates to nil: it neither
/// matches nor rules out.
struct QueryEvaluator: ~Copyable {
    enum WantedHits {
        /// Scores alone.
        case none
        case all
        /// Those of some documents, ascending; no scores.
        case some([UInt32])
    }

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
    /// Which documents' hits are wanted; those of others are not found, and their scores not right.
    var wanted = WantedHits.none
    /// How many hits of each document of a part of the query are kept, where they are to be shown.
    var mostShown = Int.max
    /// Whether scores are wanted; otherwise only the documents are right.
    var needsScores = true
    /// How much a keyword may ask for.
    var limits = QueryLimits()
    /// Notes how the words of one document are scored, when somebody wants to know.
    var trace: ScoreTrace?
    /// What other indexes add to the statistics, where several are searched as one.
    var exchange: StatisticsExchange?
    /// Whether all matches are asked for anyhow, so that nothing is gained where only the best of a
    /// pattern are made.
    var needsAllMatches = false
    /// Whether what words and patterns match is kept, for queries that have the same ones.
    var remembersPatterns = false {
        didSet { if !remembersPatterns { patternMatches = [:] } }
    }
    private var patternMatches: [PatternKey: QueryMatches] = [:]
    /// What was chosen before, where the query is made of the tiers of a search: it is raised
    /// within its tier.
    var tierFactors = LearnedFactors.none
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
        case .keyword(let text): return try held(keyword(text, in: string))
        case .term(let text):
            return try remembered(query.node, in: string) {
                try $0.phrase(text, slop: 0, lastIsPrefix: false, in: string)
            }
        case .phrase(let text, let slop, let lastIsPrefix):
            return try held(phrase(text, slop: slop, lastIsPrefix: lastIsPrefix, in: string))
        case .exactly(let text): return try held(exactly(text, in: string))
        case .prefix, .infix, .suffix, .part, .fuzzy, .wildcard, .regularExpression:
            return try remembered(query.node, in: string) {
                try $0.pattern(query.node, in: string)
            }
        case .any:
            return try remembered(query.node, in: string) {
                try $0.combination(query.node, in: string)
            }
        case .near(let parts, let within, let ordered):
            // As in normal form: one alone is near itself, whatever it is.
            if parts.count < 2 {
                return try parts.first.map { try evaluate($0, in: string) } ?? QueryMatches()
            }
            return try held(near(parts, within, ordered, in: string))
        case .field(let name, let part):
            if case .field = part.node { return try evaluate(part, in: string) }
            guard let index = fields.firstIndex(of: name) else { return QueryMatches() }
            return try evaluate(part, in: UInt32(index))
        default: return try held(combination(query.node, in: string))
        }
    }

    /// Has the memory of what was found counted.
    private func held(_ found: QueryMatches?) throws -> QueryMatches? {
        var found = found
        try found?.hold(by: clock)
        return found
    }

    /// The work of putting matches together.
    var work: MatchWork { MatchWork(clock: clock, needsAll: terms.needsAll) }

    /// A part of a query, and the string that it is looked for in.
    struct PatternKey: Hashable {
        var node: Query.Node
        var string: UInt32?
    }

    /// What `evaluate` finds for a node; found once, where that is of use.
    private mutating func remembered(
        _ node: Query.Node, in string: UInt32?,
        _ evaluate: (inout QueryEvaluator) throws -> QueryMatches?
    ) throws -> QueryMatches? {
        let key = PatternKey(node: node, string: string)
        if let selection, let found = try matches(key, among: selection) {
            return try held(found)
        }
        guard remembersPatterns, case .none = wanted else { return try held(evaluate(&self)) }
        if let known = patternMatches[key] { return known }
        let found = try held(evaluate(&self))
        if !clock.isSpent { patternMatches[key] = found }
        return found
    }

    // MARK: Combinations

    private mutating func combination(
        _ node: Query.Node, in string: UInt32?
    ) throws -> QueryMatches? {
        if Query(node).onlyFilters { return try matches(ofFilter: Query(node)) }
        switch node {
        case .all(let parts): return try all(parts, in: string)
        case .any(let parts):
            var union = MatchUnion(work)
            try add(parts, to: &union, in: string)
            return union.partCount == 0 && !parts.isEmpty ? nil : try union.matches()
        case .none(let parts):
            guard let found = try excluded(parts, in: string) else { return nil }
            return try allDocuments().subtracting(found, work)
        case .atLeast(let count, let parts):
            guard count <= parts.count || count <= 0 else { return QueryMatches() }
            var union = MatchUnion(work, countsParts: count > 1)
            if count <= 0 { try union.add(try allDocuments()) }
            try add(parts, to: &union, in: string)
            // What asks for nothing is not missed: at least all of several are all of them.
            return union.partCount == 0
                ? nil : try union.matches(atLeast: min(count, union.partCount))
        case .first(let parts): return try first(of: parts, in: string)
        case .boost(let part, let factor):
            // Nothing of an infinite score is nothing; so scores are numbers, however boosts are
            // nested.
            return try evaluate(part, in: string)?.mapScores { factor == 0 ? 0 : $0 * factor }
        case .constantScore(let part, let score):
            return try unscored(part, in: string)?.mapScores { _ in score }
        case .filter(let part): return try unscored(part, in: string)?.mapScores { _ in 0 }
        default: return QueryMatches()
        }
    }

    /// What a query matches, where nobody asks for its scores.
    private mutating func unscored(_ query: Query, in string: UInt32?) throws -> QueryMatches? {
        let outer = needsScores
        // Who explains, or asks others for their statistics, goes through all of them.
        if trace == nil, exchange == nil { needsScores = false }
        defer { needsScores = outer }
        return try evaluate(query, in: string)
    }

    mutating func add(
        _ parts: [Query], to union: inout MatchUnion, in string: UInt32?
    ) throws {
        for part in parts {
            if let found = try evaluate(part, in: string) { try union.add(found) }
        }
    }

    private mutating func all(_ parts: [Query], in string: UInt32?) throws -> QueryMatches? {
        var result: QueryMatches?
        var exclusions: [QueryMatches] = []
        var bonuses: [Query] = []
        // Filters come last, so that they are asked for what all others match.
        let filters = parts.filter(\.onlyFilters)
        let addsLater = addsBonusesLater(parts)
        for part in parts.bonusesLast where filters.isEmpty || !part.onlyFilters {
            // What excludes is taken away from the rest instead of from everything.
            if case .none(let unwanted) = part.node, !unwanted.isEmpty {
                if let found = try excluded(unwanted, in: string) { exclusions.append(found) }
                continue
            }
            if part.isBonus, addsLater {
                bonuses.append(part)
                continue
            }
            // Nothing will be added to it.
            if remembersPatterns, result?.documents.isEmpty ?? false { break }
            guard let found = try evaluate(part, in: string) else { continue }
            result = try result?.intersection(found, work) ?? found
            try result?.hold(by: clock)
        }
        if let found = result {
            result = try kept(found, by: filters)
        } else if !filters.isEmpty {
            result = try matches(ofFilter: .all(of: filters))
        } else {
            if exclusions.isEmpty, bonuses.isEmpty, !parts.isEmpty { return nil }
            result = try allDocuments()
        }
        for found in exclusions { result = try result?.subtracting(found, work) }
        for bonus in bonuses { result = try result.map { try adding(bonus, to: $0, in: string) } }
        return result
    }

    /// What matches one of some queries, nil where none of them asks for anything: what is to be
    /// left out must be known whole.
    private mutating func excluded(
        _ parts: [Query], in string: UInt32?
    ) throws -> QueryMatches? {
        let outer = terms.needsAll
        terms.needsAll = true
        defer { terms.needsAll = outer }
        var union = MatchUnion(work)
        try add(parts, to: &union, in: string)
        return union.partCount == 0 ? nil : try union.matches()
    }

    mutating func allDocuments() throws -> QueryMatches {
        if case .some(let documents) = wanted { return QueryMatches(unscored: documents) }
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
