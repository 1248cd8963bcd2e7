/// Evaluates a query clause by clause, and says what becomes of each for one document.
///
/// **Invariants**: combinations are put together as `QueryEvaluator` does, in the same order of
/// additions; what a clause of words scores is what the evaluator traces.
struct QueryExplainer: ~Copyable {
    private(set) var evaluator: QueryEvaluator
    private let document: UInt32
    private var needs: MatchNeeds

    /// `factors` multiply scores, where the query is made of the tiers of a search.
    init(_ evaluator: consuming QueryEvaluator, document: UInt32, _ factors: TierFactors) {
        self.evaluator = evaluator
        self.document = document
        needs = .trace(of: document)
        needs.tierFactors = factors
    }

    mutating func explain(_ query: Query) throws -> ClauseExplanation {
        try explain(evaluator.analyzer.synonyms.expand(query), in: nil)
    }

    private mutating func explain(
        _ query: Query, in string: UInt32?, isExcluding: Bool = false
    ) throws -> ClauseExplanation {
        var clause = Clause(query, field: fieldName(string), isExcluding: isExcluding)
        switch query.node {
        case .all(let parts): try explainAll(parts, string, &clause)
        case .any(let parts):
            let found = try explain(parts, in: string, &clause)
            clause.settle(found.contains { $0.outcome == .matched })
            if found.isEmpty, !parts.isEmpty { clause.outcome = .ignored }
            clause.add("any of", found)
        case .none(let parts):
            let found = try explain(parts, in: string, isExcluding: true, &clause)
            clause.settle(!found.contains { $0.outcome == .matched })
            if found.isEmpty, !parts.isEmpty { clause.outcome = .ignored }
            clause.score = ScoreExplanation("excludes", value: 0)
        case .atLeast(let count, let parts):
            let found = try explain(parts, in: string, &clause)
            let wanted = count <= parts.count ? min(count, found.count) : count
            clause.settle(found.count { $0.outcome == .matched } >= wanted)
            if found.isEmpty, (1...).contains(count), count <= parts.count {
                clause.outcome = .ignored
            }
            clause.add("at least \(count) of", found)
        case .first(let parts): try explainFirst(parts, string, &clause)
        case .boost(let part, let factor):
            let value = ScoreExplanation("factor", value: factor)
            try wrap(part, string, &clause) {
                ScoreExplanation("boost", .product, factor == 0 ? [value] : [$0, value])
            }
        case .constantScore(let part, let score):
            try wrap(part, string, &clause) { _ in
                ScoreExplanation("constant score", value: score)
            }
        case .filter(let part):
            try wrap(part, string, &clause) { _ in ScoreExplanation("filter", value: 0) }
        case .field(let name, let part): try explainField(name, part, &clause)
        case .keyword(let text): try explainKeyword(text, string, &clause)
        case .near(let parts, _, _) where parts.count == 1:
            try wrap(parts[0], string, &clause) { $0 }
        case .near(let parts, _, _):
            _ = try explain(parts, in: string, &clause)
            try explainLeaf(query, string, &clause)
        default: try explainLeaf(query, string, &clause)
        }
        return clause.explanation
    }

    private func fieldName(_ string: UInt32?) -> String? {
        string.map { evaluator.fields[Int($0)] }
    }

    // MARK: Combinations

    /// The parts that ask for something.
    private mutating func explain(
        _ parts: [Query], in string: UInt32?, isExcluding: Bool = false, _ clause: inout Clause
    ) throws -> [ClauseExplanation] {
        var found: [ClauseExplanation] = []
        for part in parts {
            let explained = try explain(part, in: string, isExcluding: isExcluding)
            clause.clauses.append(explained)
            if explained.outcome != .ignored { found.append(explained) }
        }
        return found
    }

    private mutating func explainAll(
        _ parts: [Query], _ string: UInt32?, _ clause: inout Clause
    ) throws {
        var wanted: [ClauseExplanation] = []
        var excluded: [ClauseExplanation] = []
        for part in parts.bonusesLast {
            if case .none(let unwanted) = part.node, !unwanted.isEmpty {
                excluded += try explain(unwanted, in: string, isExcluding: true, &clause)
            } else {
                wanted += try explain([part], in: string, &clause)
            }
        }
        if wanted.isEmpty, excluded.isEmpty, !parts.isEmpty { return clause.outcome = .ignored }
        clause.settle(
            wanted.allSatisfy { $0.outcome == .matched }
                && !excluded.contains { $0.outcome == .matched })
        clause.add("all of", wanted)
    }

    private mutating func explainFirst(
        _ parts: [Query], _ string: UInt32?, _ clause: inout Clause
    ) throws {
        let outer = needs
        needs.tierFactors = .none
        let found = try parts.map { try explain($0, in: string) }
        needs = outer
        clause.clauses = found
        clause.settle(found.contains { $0.outcome == .matched })
        let tiers = try TierScorer(parts: parts, string: string).tiers(needs, &evaluator)
        if tiers == nil { clause.outcome = .ignored }
        guard let number = found.firstIndex(where: { $0.outcome == .matched }),
            let score = try needs.tierFactors.raised(
                found[number].score, of: document, evaluator.snapshot),
            let place = tiers?.first(where: { $0.part == number })?.place
        else { return }
        clause.score = Self.explain(score, place)
    }

    private static func explain(
        _ score: ScoreExplanation, _ place: TierPlace
    ) -> ScoreExplanation {
        guard let limit = place.limit else { return ScoreExplanation("first of", .sum, [score]) }
        let value = place.score(score.value)
        let least = ScoreExplanation("the least score of those further up", value: limit)
        let share = ScoreExplanation(
            "a share that grows with the score", value: place.share(of: score.value),
            parts: [score])
        guard limit > 0, limit * share.value == value else {
            return ScoreExplanation(
                "first of, below the least", value: value, parts: [least, share])
        }
        return ScoreExplanation("first of", .product, [least, share])
    }

    private mutating func wrap(
        _ part: Query, _ string: UInt32?, _ clause: inout Clause,
        _ score: (ScoreExplanation) -> ScoreExplanation
    ) throws {
        let explained = try explain(part, in: string)
        clause.clauses.append(explained)
        clause.outcome = explained.outcome
        clause.score = explained.score.map(score)
    }

    private mutating func explainField(
        _ name: String, _ part: Query, _ clause: inout Clause
    ) throws {
        if case .field = part.node { return try wrap(part, nil, &clause) { $0 } }
        guard let index = evaluator.fields.firstIndex(of: name) else {
            clause.note = "the index has no such field"
            return
        }
        try wrap(part, UInt32(index), &clause) { $0 }
    }

    // MARK: Words

    private mutating func explainKeyword(
        _ text: String, _ string: UInt32?, _ clause: inout Clause
    ) throws {
        let query = try KeywordQuery(
            text, analyzer: evaluator.analyzer, in: string, limits: evaluator.limits)
        if query.isEmpty { return try explainLeaf(.everything, string, &clause) }
        for part in query.parts {
            let found = try part.map { try explain($0, query.rule, fieldName(string)) }
            if found.count == 1 {
                clause.clauses.append(found[0])
                continue
            }
            // As each of the index's analyses reads it.
            var either = Clause(
                .keyword(found.first?.terms.joined(separator: " ") ?? ""),
                field: fieldName(string), isExcluding: false)
            either.clauses = found
            either.settle(found.contains { $0.outcome == .matched })
            either.add("any of", found)
            clause.clauses.append(either.explanation)
        }
        clause.settle(
            !query.parts.isEmpty && clause.clauses.allSatisfy { $0.outcome == .matched })
        clause.add("all of", clause.clauses)
    }

    private mutating func explain(
        _ alternative: KeywordQuery.Alternative, _ rule: TokenRule, _ field: String?
    ) throws -> ClauseExplanation {
        let terms = alternative.units.flatMap { unit in
            switch unit {
            case .infix(let bytes): [String(decoding: bytes, as: UTF8.self)]
            case .run(let bigrams): bigrams.map { String(decoding: $0, as: UTF8.self) }
            }
        }
        var clause = Clause(
            .keyword(terms.joined(separator: " ")), field: field, isExcluding: false)
        clause.terms = terms
        evaluator.trace = ScoreTrace()
        let matches = try KeywordScorer.found(alternative, rule, needs, &evaluator)
        clause.objectCount = matches.documents.count
        clause.settle(contains(matches))
        let leaves = evaluator.trace.leaves.map { explain($0, clause.query.description) }
        clause.score =
            leaves.count == 1 ? leaves[0] : ScoreExplanation("all of", .sum, leaves)
        return clause.explanation
    }

    private mutating func explainLeaf(
        _ query: Query, _ string: UInt32?, _ clause: inout Clause
    ) throws {
        read(query, string, &clause)
        evaluator.trace = ScoreTrace()
        guard let matches = try evaluator.evaluate(query, in: string, needs) else {
            clause.outcome = .ignored
            return
        }
        clause.objectCount = matches.documents.count
        clause.settle(contains(matches))
        clause.score =
            evaluator.trace.leaves.last.map { explain($0, query.description) }
            ?? ScoreExplanation(query.description, value: 0)
    }

    private func contains(_ matches: QueryMatches) -> Bool { matches.documents.holds(document) }

    /// What the words of a clause are analysed as.
    private func read(_ query: Query, _ string: UInt32?, _ clause: inout Clause) {
        for (analysis, _) in evaluator.analyzer.analyses(of: string) {
            switch query.node {
            case .term(let text), .phrase(let text, _, _), .exactly(let text):
                let words = QueryWords(text, analysis: analysis)
                clause.addTerms(words.words.map(\.bytes))
                clause.stopWords += words.stopWords.map { String(decoding: $0, as: UTF8.self) }
                    .filter { !clause.stopWords.contains($0) }
            case .prefix(let text), .infix(let text), .suffix(let text), .fuzzy(let text, _, _),
                .wildcard(let text):
                clause.addTerms([Array(analysis.folder.fold(text).utf8)])
            default: break
            }
        }
    }
}

/// A clause while it is being explained.
private struct Clause {
    let query: Query
    let field: String?
    let isExcluding: Bool
    var outcome = ClauseExplanation.Outcome.failed
    var objectCount: Int?
    var terms: [String] = []
    var stopWords: [String] = []
    var note: String?
    var clauses: [ClauseExplanation] = []
    var score: ScoreExplanation?

    init(_ query: Query, field: String?, isExcluding: Bool) {
        self.query = query
        self.field = field
        self.isExcluding = isExcluding
    }

    mutating func settle(_ isMatched: Bool) { outcome = isMatched ? .matched : .failed }

    /// What those of the clauses that match score adds up.
    mutating func add(_ text: String, _ found: [ClauseExplanation]) {
        score = ScoreExplanation(
            text, .sum, found.filter { $0.outcome == .matched }.compactMap(\.score))
    }

    /// Another reading adds nothing when it is the same.
    mutating func addTerms(_ words: [[UInt8]]) {
        let read = words.map { String(decoding: $0, as: UTF8.self) }
        if !terms.starts(with: read) { terms += read }
    }

    var explanation: ClauseExplanation {
        ClauseExplanation(
            query: query.description, outcome: outcome, objectCount: objectCount, terms: terms,
            stopWords: stopWords, field: field, isExcluding: isExcluding, note: note,
            clauses: clauses, score: outcome == .matched ? score : nil)
    }
}
