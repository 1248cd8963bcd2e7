import ArgumentParser
import Foundation
import Synchronization
import TextSearch

/// How a query is read.
enum SearchMode: String, ExpressibleByArgument, CaseIterable {
    /// As query text; as keywords, when no object has the words.
    case auto
    /// As query text.
    case query
    /// As keywords: parts of words.
    case keyword
}

/// What hits of a query text are ordered by.
enum RankingChoice: String, ExpressibleByArgument, CaseIterable {
    case relevance, weight, combined

    var ranking: Ranking {
        switch self {
        case .relevance: .relevance
        case .weight: .weight
        case .combined: .combined
        }
    }
}

/// Runs a search and gives the part of its hits that is asked for.
struct Finder {
    /// A part of the hits.
    struct Page {
        var items: [SearchResultItem<Record>]
        var total: Int
        var isExact = true
        /// What was read as what, for people.
        var notes: [String] = []
        var mode = SearchMode.query
    }

    let index: TextIndex<Record>
    let mode: SearchMode
    let ranking: Ranking
    let offset: Int
    let limit: Int
    let isReversed: Bool

    /// Searches.
    func page(_ query: String) throws -> Page {
        if mode == .keyword { return try keywordPage(query) }
        let page = try queryPage(query)
        let hasAllWords = page.total > 0 && !page.isFallback
        guard mode == .auto, !hasAllWords, Self.isPlain(query) else { return page.page }
        var parts = try keywordPage(query)
        guard parts.total > 0 else { return page.page }
        parts.notes.append("No object has these as whole words; found inside words.")
        return parts
    }

    private func queryPage(_ query: String) throws -> (page: Page, total: Int, isFallback: Bool) {
        var (first, count) = (offset, limit)
        if isReversed {
            let total = try index.search(query, limit: 0, ranking: ranking).totalCount.value
            let end = max(total - offset, 0)
            first = max(end - limit, 0)
            count = end - first
        }
        let results = try index.search(query, limit: count, offset: first, ranking: ranking)
        let page = Page(
            items: isReversed ? results.items.reversed() : results.items,
            total: results.totalCount.value, isExact: results.totalCount.isExact,
            notes: results.diagnostics.compactMap(Self.note))
        let isFallback = results.diagnostics.contains { $0.kind.rawValue == "fellBackToAny" }
        return (page, page.total, isFallback)
    }

    /// A word that nobody has is worth a note when there is another to try.
    private static func note(_ diagnostic: QueryDiagnostic) -> String? {
        guard diagnostic.kind == .unknownWord else { return diagnostic.message }
        if diagnostic.suggestions.isEmpty { return nil }
        return "No object has one of the words; similar ones are "
            + diagnostic.suggestions.joined(separator: ", ") + "."
    }

    private func keywordPage(_ query: String) throws -> Page {
        guard limit > 0 else {
            let total = try index.resultCount(forKeyword: query)
            return Page(items: [], total: total, mode: .keyword)
        }
        // The block may run on another thread than ours, one call after the other.
        let found = Mutex<(items: [SearchResultItem<Record>], total: Int)>(([], 0))
        try index.enumerateResults(forKeyword: query, options: isReversed ? .reverse : []) {
            item, rank, count, stop in
            found.withLock { found in
                found.total = count
                if rank >= offset { found.items.append(item) }
                if found.items.count >= limit { stop() }
            }
        }
        return found.withLock { Page(items: $0.items, total: $0.total, mode: .keyword) }
    }

    /// Whether a query is nothing but words: signs may exclude or restrict, which keywords cannot.
    static func isPlain(_ query: String) -> Bool {
        !query.contains { "\"()*?~^:+/\\@[]{}".contains($0) }
            && query.split(whereSeparator: \.isWhitespace)
                .allSatisfy { !$0.hasPrefix("-") && !["AND", "OR", "NOT"].contains($0) }
    }
}
