import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Searches, counts by facets, and goes on with a search that was begun before.
    func search(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let showing = try ShowingParameters(&arguments)
        if let cursor = try arguments.text("cursor", upTo: Longest.name) {
            return try await goOn(cursor, &arguments, showing, exchange.client, deadline)
        }
        let index = try index(&arguments)
        var parameters = try SearchParameters(&arguments)
        let page = try PageParameters(&arguments, limits)
        let keeps = try arguments.bool("keep")
        try arguments.finish()
        let sorted = parameters.attributes
        parameters.attributes += page.facets.map(\.name)
        let served = index.served
        // What was learned fades from one moment to the next.
        let tag = keeps || parameters.learned ? nil : entityTag(exchange, served)
        if let tag, exchange.headers[.ifNoneMatch] == tag {
            var answer = Answer(status: .notModified, type: "application/json", bytes: [])
            answer.headers[.eTag] = tag
            return answer
        }
        let asked = parameters
        let (bytes, isComplete) = try await gate.run(for: exchange.client, until: deadline) {
            budget in
            let found = try self.find(asked, page, in: served, budget)
            let cursor = keeps ? self.keep(found, served) : nil
            let facets = page.facets.isEmpty ? nil : self.json(page.facets, found.facets)
            let remarks = AttributeRemarks(sorted, found.facets).remarks(
                on: [served], beside: [found.items], isComplete: found.isComplete, deadline,
                budget)
            let json = try ResultPage(found, remarks).json(
                HitRenderer(
                    served: served, showing: showing, limits: self.limits, times: deadline,
                    budget: budget),
                text: asked.text, facets: facets,
                cursor: cursor)
            return (json.bytes, found.isComplete)
        }
        var answer = Answer(type: "application/json", bytes: bytes)
        // What was cut short may be more next time.
        if let tag, isComplete {
            answer.headers[.eTag] = tag
            answer.headers[.cacheControl] = "private, no-cache"
        }
        return answer
    }

    /// Facets alone.
    func facets(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let index = try index(&arguments)
        var parameters = try SearchParameters(&arguments)
        var page = try PageParameters(&arguments, limits)
        try arguments.finish()
        guard !page.facets.isEmpty else {
            throw Problem.noFacet
        }
        page.limit = 0
        page.offset = 0
        parameters.attributes += page.facets.map(\.name)
        let (asked, counted, served) = (parameters, page, index.served)
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            let found = try self.find(asked, counted, in: served, budget)
            return JSON.members([
                "total": .int(found.totalCount.value),
                "isTotalExact": .bool(found.totalCount.isExact),
                "isComplete": .bool(found.isComplete),
                "facets": self.json(counted.facets, found.facets),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    // MARK: Searching

    func find(
        _ asked: SearchParameters, _ page: PageParameters, in served: ServedIndex<Object>,
        _ budget: SearchBudget
    ) throws -> SearchResults<Object> {
        try asked.check(served)
        let facets = page.facets.map { $0.facet(limit: page.facetLimit, topHits: page.facetHits) }
        let least = page.minimumScore ?? -.infinity
        let filter = asked.filter(served)
        guard let text = asked.text, asked.mode != .keyword else {
            let query = Self.narrowed(asked.query ?? .keyword(asked.text ?? ""), asked, filter)
            let usual = asked.mode == .keyword ? Ranking.weight : served.ranking
            return try served.index.search(
                query, limit: page.limit, offset: page.offset, ranking: asked.ranking(usual),
                facets: facets, minimumScore: least, budget: budget)
        }
        return try served.index.search(
            text, limit: page.limit, offset: page.offset, ranking: asked.ranking(served.ranking),
            filter: filter, fields: asked.fields, facets: facets, minimumScore: least,
            budget: budget, parser: asked.textParser(served))
    }

    /// A typed query in a field, and with a filter.
    static func narrowed(_ query: Query, _ asked: SearchParameters, _ filter: Query?) -> Query {
        let wanted = asked.field.map { Query.field($0, query) } ?? query
        return filter.map { .all(of: [wanted, .filter($0)]) } ?? wanted
    }

    // MARK: Going on

    private func keep(
        _ results: SearchResults<Object>, _ served: ServedIndex<Object>
    ) -> String? {
        guard !results.isEmpty else { return nil }
        let name = UUID().uuidString
        _ = cursors.keep(Continuation(served: served, cursor: results.cursor), for: name)
        return name
    }

    /// The next page of a search that was kept.
    private func goOn(
        _ name: String, _ arguments: inout Arguments, _ showing: ShowingParameters,
        _ client: String, _ deadline: SearchTimes
    ) async throws -> Answer {
        let limit = try arguments.int("limit", in: 0...limits.pageLength) ?? 10
        try arguments.finish()
        guard let kept = cursors.value(for: name) else {
            throw Problem(
                .gone, "cursor-expired", "The cursor is not kept any more",
                "Search again: a cursor is kept for a while only.", parameter: "cursor")
        }
        let bytes = try await gate.run(for: client, until: deadline) { budget in
            let results = try kept.served.index.search(
                after: kept.cursor, limit: limit, budget: budget)
            let next = self.keep(results, kept.served)
            return try ResultPage(results).json(
                HitRenderer(
                    served: kept.served, showing: showing, limits: self.limits, times: deadline,
                    budget: budget),
                cursor: next
            ).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    // MARK: Answers

    func json(_ choices: [FacetChoice], _ counts: [FacetCounts<Object>]) -> JSON {
        .array(zip(choices, counts).map { FacetRenderer(choice: $0, counts: $1).json })
    }

    // MARK: Tags

    /// What tells the answers of a published generation apart, which never changes; nil for other
    /// indexes and requests.
    private func entityTag(_ exchange: Exchange, _ served: ServedIndex<Object>) -> String? {
        guard exchange.method != .post, let generation = served.index.generation else { return nil }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in exchange.query.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "W/\"\(run.prefix(8))-\(generation)-\(String(hash, radix: 16))\""
    }
}

extension Problem {
    static var noFacet: Problem { .invalid("facet", "Name an attribute to count by, as facet.") }
}
