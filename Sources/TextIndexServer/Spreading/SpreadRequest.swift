import TextIndexInterface
import TextSearch

/// What clients ask of many shards, and how nodes are asked for it.
struct SpreadRequest: Sendable {
    let page: PageParameters
    let ranking: Ranking
    let hasText: Bool
    /// The members of a search that all nodes are sent: those that decide what is found.
    private let asked: [(name: String, value: JSON)]
    /// And those that decide what is shown.
    private let shown: [(name: String, value: JSON)]

    /// Hits of a page so far down are asked for once it is known whose they are.
    private static let mostShownAtOnce = 100

    /// - Throws: ``Problem`` for what cannot be asked of many shards.
    init(_ arguments: inout Arguments, _ limits: ServerLimits) throws {
        for name in ["cursor", "index"] where arguments.has(name) { throw Problem.notSpread(name) }
        asked = arguments.members(
            texts: ["q", "mode", "steps", "field", "filter", "id", "idBytes", "rank", "sort"],
            numbers: ["minimumScore"], flags: ["lastWordIsPrefix"], hasQuery: true)
        shown = arguments.members(
            texts: ["units"], numbers: ["snippets", "snippetWords", "highlights"],
            flags: ["texts"])
        let showing = try ShowingParameters(&arguments)
        let parameters = try SearchParameters(&arguments)
        page = try PageParameters(&arguments, limits)
        if try arguments.bool("keep") { throw Problem.notSpread("keep") }
        try arguments.finish()
        if showing.explains { throw Problem.notSpread("explain") }
        if parameters.learned { throw Problem.notSpread("learned") }
        if !page.facets.isEmpty { throw Problem.notSpread("facet") }
        ranking = parameters.ranking(.relevance)
        hasText = parameters.text != nil
    }

    /// How many hits of all shards are ranked.
    var wanted: Int { page.offset + page.limit }

    /// How many hits a node shows at once.
    var shownAtOnce: Int {
        page.limit == 0 ? 0 : wanted <= Self.mostShownAtOnce ? wanted : 0
    }

    /// A body for some shards.
    func body(
        _ plan: SetPlan, _ shards: [Int], known: [UInt8]?, until deadline: ContinuousClock.Instant
    ) -> [(name: String, value: JSON)] {
        let left = max(Int((deadline - .now) / .milliseconds(1)), 1)
        return asked + [
            ("generation", .string(plan.generation)),
            ("shards", .string(ShardNumbers(shards).description)), ("limit", .int(wanted)),
            ("deadline", .int(min(left, 3_600_000))),
        ] + (known.map { [("statistics", .encoded($0))] } ?? [])
    }

    /// What is shown of some of the hits.
    func showing(from first: Int, count: Int) -> [(name: String, value: JSON)] {
        shown + [("from", .int(first)), ("count", .int(count))]
    }
}
