import Foundation

/// From matches to the page that is asked for.
extension FederatedRun {
    /// The documents of one index that may be on the page, in order.
    struct Page {
        var entries: [RankedDocument]
        var count: Int
        var isExact: Bool
    }

    consuming func results() throws -> FederatedResults<Object> {
        if let best = try bestResults() { return best }
        // At the same time, and before the time may be over.
        if request.countsCloseness { _ = try inEach { try factors(of: $0) } }
        let found = try matches()
        let facets = try facetSums(of: found).map { $0.made() }
        if case .sorted = request.ranking.kind { return try resultsOfItems(found, facets) }
        guard !request.isOrderedByApplication else {
            return try resultsOfItems(found, facets)
        }
        let pages = try indexes.indices.map { source in
            var matches = found.matches[source]
            let request = try self.request(of: source)
            request.factors.ofAll.raise(&matches)
            var ranker = QueryRanker(
                evaluator(source, found.statistics), index: indexes[source],
                request: request)
            let ranked = try ranker.ranked(matches)
            return Page(
                entries: ranked.entries, count: ranked.count, isExact: clocks[source].isComplete)
        }
        return try results(of: pages, facets)
    }

    /// The page of what each index has in order: records are read of these alone.
    mutating func results(
        of pages: [Page], _ facets: [FacetCounts<Object>] = []
    ) throws -> FederatedResults<Object> {
        var all: [(source: Int, entry: RankedDocument)] = []
        let wanted = request.range.upperBound
        // One index alone has as many as are wanted that are as good: those below are on no page.
        let least = pages.compactMap { page in
            wanted > 0 && page.entries.count >= wanted ? page.entries[wanted - 1].score : nil
        }.max()
        for (source, page) in pages.enumerated() {
            for entry in page.entries.prefix(wanted) {
                if let least, entry.score < least { break }
                all.append((source, entry))
            }
        }
        all = all.enumerated().sorted { a, b in
            let (first, second) = (a.element.entry, b.element.entry)
            if first.score != second.score { return first.score > second.score }
            if first.relevance != second.relevance { return first.relevance > second.relevance }
            return a.offset < b.offset
        }.map(\.element)
        let range = request.range.clamped(to: 0..<all.count)
        let shown = Array(all[range])
        var hits = [FederatedResults<Object>.Hit?](repeating: nil, count: shown.count)
        // Most of many indexes have none.
        for source in Set(shown.map { $0.source }).sorted() {
            let places = shown.indices.filter { shown[$0].source == source }
            let items = try items(of: places.map { shown[$0].entry }, source)
            for (place, item) in zip(places, items) {
                item.rank = range.lowerBound + place
                hits[place] = .init(item: item, source: source)
            }
        }
        let count = pages.reduce(0) { $0 + $1.count }
        return finish(
            hits.compactMap { $0 }, count, isExact: pages.allSatisfy(\.isExact), facets)
    }

    /// The items of some documents of one index.
    func items(
        of entries: [RankedDocument], _ source: Int
    ) throws -> [SearchResultItem<Object>] {
        let request = try self.request(of: source)
        let items = try ItemMaker.items(
            entries[...], evaluator(source, own[source]), indexes[source], request,
            SearchOrigin(request, snapshots[source]))
        request.noteSteps(of: items, snapshots[0].analyzer)
        return items
    }

    /// The request as one index sees it.
    func request(of source: Int) throws -> SearchRequest {
        var request = request
        request.snapshot = snapshots[source]
        request.documentFactors = try factors(of: source)
        request.tiers = climb?.tiers(inSource: source) ?? []
        request.limit = request.range.upperBound
        request.offset = 0
        return request
    }

    private mutating func finish(
        _ hits: [FederatedResults<Object>.Hit], _ count: Int, isExact: Bool,
        _ facets: [FacetCounts<Object>]
    ) -> FederatedResults<Object> {
        checkWords(hasMatches: count > 0)
        let isComplete = clocks.allSatisfy(\.isComplete)
        for clock in clocks where !clock.isComplete { request.remark(on: clock) }
        var next = request
        next.offset = min(request.range.lowerBound, count) + hits.count
        return FederatedResults(
            hits: hits, totalCount: .init(count, isExact: isExact && isComplete), facets: facets,
            query: request.query, steps: request.stepsTaken,
            isComplete: isComplete,
            cursor: FederatedCursor(
                request: next, snapshots: snapshots, indexes: indexes.map { $0.store }))
    }

    // MARK: Orders that need items

    private mutating func resultsOfItems(
        _ found: Found, _ facets: [FacetCounts<Object>]
    ) throws -> FederatedResults<Object> {
        var hits: [FederatedResults<Object>.Hit] = []
        var total = 0
        for source in indexes.indices {
            let page = try page(source, found)
            total += page.totalCount
            hits += page.items.map { .init(item: $0, source: source) }
        }
        hits = ordered(hits)
        let range = request.range.clamped(to: 0..<hits.count)
        for rank in range { hits[rank].item.rank = rank }
        return finish(Array(hits[range]), total, isExact: true, facets)
    }

    /// The best of one index, as many as are wanted of all.
    func page(_ source: Int, _ found: Found) throws -> QueryRanker<Object>.Page {
        let index = indexes[source]
        let request = try self.request(of: source)
        var matches = found.matches[source]
        let needsItems = index.needsItems(request)
        var evaluator = evaluator(source, found.statistics)
        if needsItems {
            // An order of the application's own is told where everything matches.
            let query = snapshots[0].analyzer.synonyms.expand(request.query)
            matches = try evaluate(query, in: source, .items, &evaluator) ?? matches
        }
        request.factors.ofAll.raise(&matches)
        var ranker = QueryRanker(evaluator, index: index, request: request)
        let page = try ranker.page(matches, needsItems: needsItems)
        request.noteSteps(of: page.items, snapshots[0].analyzer)
        return page
    }

    /// Hits of indexes that are in order themselves.
    private func ordered(
        _ hits: [FederatedResults<Object>.Hit]
    ) -> [FederatedResults<Object>.Hit] {
        let keys: [SortKey]? =
            if case .sorted(let keys) = request.ranking.kind { keys } else { nil }
        let sorted = hits.enumerated().sorted { a, b in
            let order =
                keys.map { Self.order(a.element.item, b.element.item, by: $0) }
                ?? order(a.element.item, b.element.item)
            return order == 0 ? a.offset < b.offset : order < 0
        }
        return sorted.map(\.element)
    }

    private func order(_ a: SearchResultItem<Object>, _ b: SearchResultItem<Object>) -> Int {
        let order =
            indexes[0].usesDefaultOrder ? SearchResultItem.order(a, b) : indexes[0].compare(a, b)
        switch order {
        case .orderedAscending: return -1
        case .orderedDescending: return 1
        case .orderedSame: return 0
        }
    }

    private static func order(
        _ a: SearchResultItem<Object>, _ b: SearchResultItem<Object>, by keys: [SortKey]
    ) -> Int {
        for key in keys {
            let order =
                switch key.kind {
                case .attribute(let name):
                    key.order(
                        key.value(of: a.attributes[name]), key.value(of: b.attributes[name]))
                case .weight: key.order(a.weight, b.weight)
                case .relevance: key.order(a.score, b.score)
                }
            if order != 0 { return order }
        }
        return 0
    }
}
