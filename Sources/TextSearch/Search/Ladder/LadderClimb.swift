/// What the steps of a text found instead of words that no object has.
struct WordFindings: Sendable {
    /// Words that were found in other forms.
    var otherForms: [String] = []
    /// Whether others were found by words near them.
    var areCorrected = false
}

/// Takes the steps of a text one after the other, over one index or several, until enough is found.
struct LadderClimb {
    /// What a step finds in each index and no step before it does.
    struct Tier {
        var step: SearchSteps
        var query: Query
        var matches: [QueryMatches]
    }

    /// Those that found something, earlier steps first.
    private(set) var tiers: [Tier] = []
    private(set) var stepsTaken = SearchSteps.exact
    private(set) var count = 0
    /// Words of the text that were looked for in other forms that some object has: spellings,
    /// joined or split.
    private(set) var otherForms: [String] = []
    /// How many results are enough, and the document that has to be found besides, if any.
    private let wanted: Int
    private let sought: UInt32?
    /// Counts the work of each index.
    private let clocks: [SearchClock]
    /// Adds what other indexes find, where some are searched elsewhere.
    private let round: StatisticsRound?

    /// Begins with what the asked query matches in each index.
    init(
        _ asked: Query, _ matches: [QueryMatches], _ clocks: [SearchClock], wanted: Int,
        sought: UInt32? = nil, round: StatisticsRound? = nil
    ) throws {
        self.round = round
        self.clocks = clocks
        self.wanted = wanted
        self.sought = sought
        try append(Tier(step: .exact, query: asked, matches: matches), enough: wanted)
    }

    /// The query that matches what all steps found, in their order.
    var query: Query { NormalForm.first(tiers.map(\.query)) }

    /// What each step found in one of the indexes.
    func tiers(inSource source: Int) -> [(step: SearchSteps, documents: [UInt32])] {
        tiers.map { ($0.step, $0.matches[source].documents) }
    }

    /// What a step found in one of the indexes.
    func documents(of step: SearchSteps, inSource source: Int) -> [UInt32] {
        tiers.first { $0.step == step }?.matches[source].documents ?? []
    }

    /// What was found instead of words.
    var findings: WordFindings {
        tiers.isEmpty
            ? WordFindings()
            : WordFindings(
                otherForms: otherForms, areCorrected: tiers.contains { $0.step == .typos })
    }

    /// Whether no further step is to be taken.
    var isEnough: Bool {
        guard count >= wanted else { return false }
        guard let sought else { return true }
        return tiers.contains { $0.matches[0].documents.holds(sought) }
    }

    /// How a query is evaluated: the matches in each index, which may lack those of queries before.
    /// Nil where it asks for nothing, or may match no more than `most` and matches more. So many
    /// `more` results are enough.
    typealias Evaluation = (
        _ query: Query, _ step: SearchSteps, _ most: Int, _ more: Int
    ) throws -> [QueryMatches]?

    /// Goes on until enough is found.
    mutating func run(
        _ ladder: consuming StepLadder, _ variants: inout WordVariants, evaluate: Evaluation
    ) throws {
        var ladder = ladder
        defer { otherForms = ladder.otherForms(of: Set(tiers.map(\.step))) }
        var last: Query?
        for step in SearchSteps.inOrder.dropFirst() {
            if let most = ladder.mostTitles(before: step) {
                if isEnough { return }
                if let query = try ladder.titleQuery(&variants) {
                    try take(query, .someWords, most: most, evaluate)
                }
            }
            // What no step needs is not prepared.
            if isEnough { return }
            for query in try ladder.queries(for: step, &variants) where query != last {
                if isEnough { return }
                last = query
                try take(query, step, evaluate)
            }
        }
        try round?.checkWords()
    }

    /// Adds what a query finds and no tier before it does, unless it finds more than `most`.
    private mutating func take(
        _ query: Query, _ step: SearchSteps, most: Int = .max, _ evaluate: Evaluation
    ) throws {
        try round?.checkWords()
        guard var found = try evaluate(query, step, most, wanted - count) else { return }
        if most < .max, try total(found) > most { return }
        stepsTaken.insert(step)
        for tier in tiers {
            for place in found.indices where !found[place].documents.isEmpty {
                found[place] = try found[place].subtracting(
                    tier.matches[place], MatchWork(clock: clocks[place], needsAll: false))
            }
        }
        try append(Tier(step: step, query: query, matches: found))
    }

    /// How many documents all indexes have found.
    private func total(_ matches: [QueryMatches], enough: Int? = nil) throws -> Int {
        let own = matches.reduce(0) { $0 + $1.documents.count }
        return try round?.total(own, enough: enough) ?? own
    }

    private mutating func append(_ tier: Tier, enough: Int? = nil) throws {
        let found = try total(tier.matches, enough: enough)
        guard found > 0 else { return }
        count = count.addingClamped(found)
        tiers.append(tier)
    }
}
