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
    private var count = 0
    /// Counts the work of each index.
    private let clocks: [SearchClock]

    /// Begins with what the asked query matches in each index.
    init(_ asked: Query, _ matches: [QueryMatches], _ clocks: [SearchClock]) {
        self.clocks = clocks
        append(Tier(step: .exact, query: asked, matches: matches))
    }

    /// The query that matches what all steps found, in their order.
    var query: Query { .joinedFirst(tiers.map(\.query)) }

    /// Goes on until `wanted` objects are found. `evaluate` gives the matches of a query in each index, and nil where it asks for nothing.
    mutating func run(
        _ ladder: consuming StepLadder, until wanted: Int, _ variants: inout WordVariants,
        evaluate: (Query) throws -> [QueryMatches]?
    ) throws {
        var last: Query?
        for step in SearchSteps.inOrder.dropFirst() {
            for query in try ladder.queries(for: step, &variants) where query != last {
                guard count < wanted else { return }
                last = query
                guard var found = try evaluate(query) else { continue }
                stepsTaken.insert(step)
                for tier in tiers {
                    for place in found.indices where !found[place].documents.isEmpty {
                        found[place] = try found[place].subtracting(
                            tier.matches[place], MatchWork(clock: clocks[place], needsAll: false))
                    }
                }
                append(Tier(step: step, query: query, matches: found))
            }
        }
    }

    private mutating func append(_ tier: Tier) {
        let found = tier.matches.reduce(0) { $0 + $1.documents.count }
        guard found > 0 else { return }
        count += found
        tiers.append(tier)
    }
}
