import ArgumentParser
import Foundation
import Synchronization
import TextIndexInterface
import TextSearch

/// How a query is read.
enum SearchMode: String, ExpressibleByArgument, CaseIterable {
    /// As query text, by all steps.
    case auto
    /// As query text, the words as they are.
    case query
    /// As query text, words also as beginnings of words, inside words and with typing errors, in
    /// that order.
    case lenient
    /// As keywords: parts of words.
    case keyword
}

/// Runs a search and gives the part of its hits that is asked for.
struct Finder {
    /// A part of the hits.
    struct Page {
        var items: [SearchResultItem<Record>]
        var total: Int
        var isExact = true
        /// Whether nothing was left out for want of time, or because a pattern stands for too many
        /// words.
        var isComplete = true
        /// What was read as what, for people.
        var notes: [String] = []
        var diagnostics: [QueryDiagnostic] = []
        var facets: [FacetCounts<Record>] = []
        var mode = SearchMode.query
        /// Those that were taken.
        var steps = SearchSteps.exact
    }

    let index: TextIndex<Record>
    let mode: SearchMode
    /// Reads query texts.
    let parser: QueryParser
    let ranking: Ranking
    /// Whether the order was asked for by keys, which keywords take too.
    let isSorted: Bool
    var field: String?
    /// Query text that must match besides.
    var filter: String?
    let offset: Int
    let limit: Int
    let isReversed: Bool
    /// Whether the scores are to be explained, which those of queries can be.
    var explains = false
    /// When all of it has to be over.
    var deadline: ContinuousClock.Instant?
    /// What to count over all hits.
    var facets: [Facet] = []
    /// The indexes to search instead of `index`, which is one of them.
    var shards: FederatedSearch<Record>?

    /// Searches.
    func page(_ query: String) throws -> Page {
        var page = try mode == .keyword ? keywordPage(query) : queryPage(query)
        if !page.isComplete, let deadline, deadline <= .now {
            page.notes.append(
                "The time was over before the search was: there may be more and better hits.")
        }
        return page
    }

    /// What is left of the time, or next to none.
    private var budget: SearchBudget {
        guard let deadline else { return .unlimited }
        return .time(max(deadline - .now, .milliseconds(1)))
    }

    /// How the score of a hit comes about; nil where there is no time for it.
    func explanation(of item: SearchResultItem<Record>) throws -> ScoreExplanation? {
        do {
            return try index.explain(item, budget: budget)
        } catch is CancellationError {
            return nil
        }
    }

    private func queryPage(_ query: String) throws -> Page {
        let filter = FilterText(filter, parser)
        var page =
            try shards.map { try found(query, filter.query, $0) }
            ?? self.page { limit, offset in
                try index.search(
                    query, limit: limit, offset: offset, ranking: ranking, filter: filter.query,
                    fields: field.map { [$0] } ?? [], facets: facets, budget: budget, parser: parser
                )
            }
        page.notes = filter.notes + page.diagnostics.compactMap { Self.note($0, in: query) }
        if mode == .lenient { page.mode = .lenient }
        return page
    }

    /// What all shards of a set have.
    private func found(
        _ query: String, _ filter: Query?, _ shards: FederatedSearch<Record>
    ) throws -> Page {
        let results = try shards.search(
            query, limit: limit, offset: offset, ranking: ranking, filter: filter,
            fields: field.map { [$0] } ?? [], facets: facets, budget: budget, parser: parser)
        return Page(
            items: results.hits.map(\.item), total: results.totalCount.value,
            isExact: results.totalCount.isExact, isComplete: results.isComplete,
            diagnostics: Array(results.diagnostics), facets: results.facets,
            steps: results.steps)
    }

    /// The asked part of what a search gives.
    private func page(
        _ search: (_ limit: Int, _ offset: Int) throws -> SearchResults<Record>
    ) throws -> Page {
        var (first, count) = (offset, limit)
        if isReversed {
            let end = max(try search(0, 0).totalCount.value - offset, 0)
            first = max(end - limit, 0)
            count = end - first
        }
        let results = try search(count, first)
        return Page(
            items: isReversed ? results.items.reversed() : results.items,
            total: results.totalCount.value, isExact: results.totalCount.isExact,
            isComplete: results.isComplete,
            diagnostics: Array(results.diagnostics), facets: results.facets,
            steps: results.steps)
    }

    /// A word that nobody has is worth a note when there is another to try.
    static func note(_ diagnostic: QueryDiagnostic, in text: String) -> String? {
        let piece = diagnostic.range(in: text).map { text[$0] } ?? ""
        guard diagnostic.kind == .unknownWord else {
            // What concerns the whole text need not be quoted.
            let isWhole = piece.isEmpty || piece.count == text.count || piece.count > 40
            return isWhole ? diagnostic.message : "\(piece): \(diagnostic.message)"
        }
        if diagnostic.suggestions.isEmpty { return nil }
        let word = piece.isEmpty ? "one of the words" : String(piece)
        let message = diagnostic.message.replacing("this word", with: word)
        return "\(message.dropLast()): \(diagnostic.suggestions.joined(separator: ", "))."
    }

    private func keywordPage(_ query: String) throws -> Page {
        if isSorted || field != nil || filter != nil || explains || !facets.isEmpty {
            return try keywordQueryPage(query)
        }
        guard limit > 0 else {
            let total = try index.resultCount(forKeyword: query, budget: budget)
            return Page(
                items: [], total: total.value, isExact: total.isExact, isComplete: total.isExact,
                mode: .keyword)
        }
        // The block may run on another thread than ours, one call after the other.
        let found = Mutex<(items: [SearchResultItem<Record>], total: Int)>(([], 0))
        let isComplete = try index.enumerateResults(
            forKeyword: query, options: isReversed ? .reverse : [], budget: budget
        ) { item, rank, count, stop in
            found.withLock { found in
                found.total = count
                if rank >= offset { found.items.append(item) }
                if found.items.count >= limit { stop() }
            }
        }
        return found.withLock {
            Page(
                items: $0.items, total: $0.total, isExact: isComplete, isComplete: isComplete,
                mode: .keyword)
        }
    }

    /// Keywords as a query, which can be restricted and ordered in other ways than the enumeration.
    private func keywordQueryPage(_ query: String) throws -> Page {
        let filter = FilterText(filter, parser)
        var wanted = Query.keyword(query)
        if let field { wanted = .field(field, wanted) }
        if let query = filter.query { wanted = .all(of: [wanted, .filter(query)]) }
        let asked = wanted
        var page = try page { limit, offset in
            try index.search(
                asked, limit: limit, offset: offset, ranking: isSorted ? ranking : .weight,
                facets: facets, budget: budget)
        }
        page.mode = .keyword
        page.notes = filter.notes
        return page
    }

    /// What is to be said of attributes to sort or count by that no object has.
    ///
    /// Complexity: that of reading all objects, where no hit on the page has one of them.
    ///
    /// - Parameters:
    ///   - attributes: their names.
    ///   - purpose: `sorted` or `counted`.
    ///   - page: what was found.
    ///   - settings: those of the index.
    /// - Returns: a sentence for each of them.
    /// - Throws: `TextIndexError`.
    func attributeNotes(
        _ attributes: [String], to purpose: String, for page: Page, _ settings: IndexSettings
    ) throws -> [String] {
        var unknown = attributes
        for index in shards?.indexes ?? [index] {
            unknown = try index.unknownAttributes(
                among: unknown, beside: page.items, .unlimited)
        }
        let known = settings.attributeChoices.map(\.name)
        return unknown.map { name in
            "No object has the attribute \(name), which hits are to be \(purpose) by; "
                + (known.isEmpty
                    ? "name some with textindex index --attribute."
                    : "those of this index are \(known.joined(separator: ", ")).")
        }
    }
}
