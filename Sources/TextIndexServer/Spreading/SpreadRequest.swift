import Foundation
import TextIndexInterface
import TextSearch

/// What clients ask of many shards, and how nodes are asked for it.
struct SpreadRequest: Sendable {
    let parameters: SearchParameters
    /// The attributes that hits are sorted by.
    let sorted: [String]
    let showing: ShowingParameters
    let page: PageParameters
    let ranking: Ranking
    /// What all nodes are sent in JSON: what decides which hits are found.
    let asked: [UInt8]
    /// What is counted.
    let facets: [Facet]
    /// How many hits of all shards are ranked.
    let wanted: Int
    /// Whether no hits are asked for.
    let onlyCounts: Bool
    /// And those that decide what is shown.
    private let shown: [(name: String, value: JSON)]

    /// Hits of a page so far down are asked for once it is known whose they are.
    private static let deepestShownAtOnce = 100

    /// Reads what a client asks.
    ///
    /// - Parameters:
    ///   - arguments: what it asks; all of it is taken.
    ///   - limits: how much it may ask for.
    ///   - onlyCounts: whether facets are asked for, and no hits.
    /// - Throws: ``Problem`` for what cannot be asked of many shards.
    init(
        _ arguments: inout Arguments, _ limits: ServerLimits, onlyCounts: Bool = false
    ) throws {
        self.onlyCounts = onlyCounts
        for name in ["cursor", "index"] where arguments.has(name) { throw Problem.notSpread(name) }
        let asked = arguments.members(
            texts: ["q", "mode", "steps", "field", "filter", "id", "idBytes", "rank", "sort"],
            numbers: ["minimumScore"], flags: ["lastWordIsPrefix"], lists: ["facet"],
            hasQuery: true)
        shown = arguments.members(
            texts: ["units"], numbers: ["snippets", "snippetWords", "highlights"],
            flags: ["texts"])
        if onlyCounts {
            var none = try Arguments(query: "")
            showing = try ShowingParameters(&none)
        } else {
            showing = try ShowingParameters(&arguments)
        }
        var parameters = try SearchParameters(&arguments)
        var page = try PageParameters(&arguments, limits)
        if !onlyCounts, try arguments.bool("keep") { throw Problem.notSpread("keep") }
        try arguments.finish()
        if onlyCounts {
            guard !page.facets.isEmpty else { throw Problem.noFacet }
            page.limit = 0
            page.offset = 0
        }
        sorted = parameters.attributes
        parameters.attributes += page.facets.map(\.name)
        self.page = page
        self.parameters = parameters
        if showing.explains { throw Problem.notSpread("explain") }
        if parameters.learned { throw Problem.notSpread("learned") }
        if !page.facets.isEmpty, page.facetHits > 0 { throw Problem.notSpread("facetHits") }
        facets = page.facets.map { $0.facet(limit: page.facetLimit, topHits: 0) }
        ranking = parameters.ranking(.relevance)
        // The best one is found sooner than none: its shards need not count what matches twice.
        wanted = max(page.offset + page.limit, facets.isEmpty ? 0 : 1)
        self.asked = JSON.object(asked + [("limit", .int(wanted))]).bytes
    }

    var hasText: Bool { parameters.text != nil }

    /// Whether hits may be shown before it is known whose are on the page.
    var showsAtOnce: Bool { page.limit == 0 || wanted <= Self.deepestShownAtOnce }

    /// How many hits a group shows then, so that no others have to be asked for.
    var mostShownAtOnce: Int { page.limit > 0 && showsAtOnce ? wanted : 0 }

    /// How many hits each of several groups shows at once, of which the greatest has such a share
    /// of all shards.
    ///
    /// Shards have objects by chance: of ten hits, hardly any group of four has more than seven.
    /// The rest of a page of which one has more are asked for once that is known.
    func shownAtOnce(groups: Int, share: Double) -> Int {
        let wanted = mostShownAtOnce
        guard wanted > 0, groups > 1, share < 1 else { return wanted }
        // The chance that a group has exactly `count` hits, and that it has more.
        var (chance, count) = (exp(Double(wanted) * log1p(-share)), 0)
        var left = 1 - chance
        while count < wanted, left * Double(groups) > Self.rarely {
            chance *= Double(wanted - count) / Double(count + 1) * share / (1 - share)
            count += 1
            left -= chance
        }
        return min(max(count, 1), wanted)
    }

    /// How often a page may take another request.
    private static let rarely = 0.01

    /// A body for some shards; of hits that are shown later, the facets are counted already.
    func body(
        _ plan: SetPlan, _ shards: [Int], known: [UInt8]?, showing range: Range<Int>? = nil,
        isCounted: Bool = false, until deadline: ContinuousClock.Instant
    ) -> [UInt8] {
        let left = max(Int((deadline - .now) / .milliseconds(1)), 1)
        let visible = range.map { range in
            JSON.object(
                shown + [("from", .int(range.lowerBound)), ("count", .int(range.count))]
                    + (isCounted ? [("counted", true)] : [])
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
