import TextIndexInterface
import TextSearch

/// What clients ask of many shards, and how nodes are asked for it.
struct SpreadRequest: Sendable {
    let parameters: SearchParameters
    let showing: ShowingParameters
    let page: PageParameters
    let ranking: Ranking
    /// What all nodes are sent in JSON: what decides which hits are found.
    let asked: [UInt8]
    /// And those that decide what is shown.
    private let shown: [(name: String, value: JSON)]

    /// Hits of a page so far down are asked for once it is known whose they are.
    private static let mostShownAtOnce = 100

    /// - Throws: ``Problem`` for what cannot be asked of many shards.
    init(_ arguments: inout Arguments, _ limits: ServerLimits) throws {
        for name in ["cursor", "index"] where arguments.has(name) { throw Problem.notSpread(name) }
        let asked = arguments.members(
            texts: ["q", "mode", "steps", "field", "filter", "id", "idBytes", "rank", "sort"],
            numbers: ["minimumScore"], flags: ["lastWordIsPrefix"], hasQuery: true)
        shown = arguments.members(
            texts: ["units"], numbers: ["snippets", "snippetWords", "highlights"],
            flags: ["texts"])
        showing = try ShowingParameters(&arguments)
        parameters = try SearchParameters(&arguments)
        page = try PageParameters(&arguments, limits)
        if try arguments.bool("keep") { throw Problem.notSpread("keep") }
        try arguments.finish()
        if showing.explains { throw Problem.notSpread("explain") }
        if parameters.learned { throw Problem.notSpread("learned") }
        if !page.facets.isEmpty { throw Problem.notSpread("facet") }
        ranking = parameters.ranking(.relevance)
        let wanted = page.offset + page.limit
        self.asked = JSON.object(asked + [("limit", .int(wanted))]).bytes
    }

    var hasText: Bool { parameters.text != nil }

    /// How many hits of all shards are ranked.
    var wanted: Int { page.offset + page.limit }

    /// How many hits a node shows at once.
    var shownAtOnce: Int {
        page.limit == 0 ? 0 : wanted <= Self.mostShownAtOnce ? wanted : 0
    }

    /// A body for some shards.
    func body(
        _ plan: SetPlan, _ shards: [Int], known: [UInt8]?, showing range: Range<Int>? = nil,
        until deadline: ContinuousClock.Instant
    ) -> [UInt8] {
        let left = max(Int((deadline - .now) / .milliseconds(1)), 1)
        let visible = range.map { range in
            JSON.object(
                shown + [("from", .int(range.lowerBound)), ("count", .int(range.count))]
            ).bytes
        }
        return ShardMessage.Request(
            deadline: min(left, 3_600_000), generation: plan.generation,
            shards: ShardNumbers(shards).description, asked: asked[...],
            shown: (visible ?? [])[...],
            statistics: (known ?? [])[...]
        ).bytes
    }
}
