import Foundation
import Synchronization

/// Where the words of a query stand in the objects of a page, found when somebody asks for them.
///
/// It holds the state of the index that the page was found in only until then; before that state goes, or the index closes, `PendingPages`
/// has them found.
///
/// **Thread safety**: guarded.
final class PageDetails: Sendable {
    /// The matches in one object.
    struct Places {
        var tokens: [ResultToken] = []
        /// Further places in words that match, to be shown; a word counts once.
        var furtherTokens: [ResultToken] = []
    }

    /// What a search is repeated by, for its objects alone.
    struct Search {
        var snapshot: Snapshot
        var store: IndexStore
        var fields: [String]
        var parameters: BM25Parameters
        var query: Query
        var maximumExpansions: Int
        /// In the order of ranks.
        var documents: [UInt32]
        var records: [StoredRecord]
    }

    private enum State {
        case waiting(Search)
        case found([Places])
        case failed(TextIndexError)
    }

    private let state: Mutex<State>

    init(_ search: Search) { state = Mutex(.waiting(search)) }

    /// Those of some documents, and their records.
    static func make(
        _ entries: ArraySlice<RankedDocument>, _ store: IndexStore, _ snapshot: Snapshot,
        _ fields: [String], _ request: SearchRequest, _ parameters: BM25Parameters,
        maximumExpansions: Int
    ) throws -> (PageDetails, [StoredRecord]) {
        let records = try entries.map { try store.record(of: $0.document) }
        let details = PageDetails(
            Search(
                snapshot: snapshot, store: store, fields: fields, parameters: parameters,
                query: request.query, maximumExpansions: maximumExpansions,
                documents: entries.map(\.document), records: records))
        return (details, records)
    }

    /// The matches in the object of a rank.
    func places(at rank: Int) throws(TextIndexError) -> Places {
        let known = state.withLock { state in
            if case .waiting(let search) = state { state = Self.find(search) }
            return state
        }
        switch known {
        case .found(let places): return places[rank]
        case .failed(let error): throw error
        case .waiting: return Places()
        }
    }

    /// Whether it holds a state of the index until somebody asks. Who finds the matches right now need not be waited for.
    var isWaiting: Bool {
        state.withLockIfAvailable { state in
            if case .waiting = state { return true }
            return false
        } ?? false
    }

    /// Finds what is not found yet.
    func settle() {
        state.withLock { state in
            if case .waiting(let search) = state { state = Self.find(search) }
        }
    }

    private static func find(_ search: Search) -> State {
        do {
            return .found(try places(search))
        } catch let error as TextIndexError {
            return .failed(error)
        } catch {
            return .failed(TextIndexError(.io, "The matches cannot be read.", underlying: error))
        }
    }

    /// The query is evaluated once more, for some documents alone and with hits.
    private static func places(_ search: Search) throws -> [Places] {
        var evaluator = QueryEvaluator(
            snapshot: search.snapshot, store: search.store, analyzer: search.snapshot.analyzer,
            fields: search.fields, parameters: search.parameters,
            clock: SearchClock(
                .unlimited, longest: nil, maximumExpansions: search.maximumExpansions))
        evaluator.wanted = .some(search.documents.sorted())
        let hits = try evaluator.evaluate(search.query)?.hits ?? []
        return try zip(search.documents, search.records).map { document, record in
            try Places(hits.of(document), try record.record(), evaluator.terms.matched)
        }
    }
}

extension PageDetails.Places {
    /// The places of hits in a document, by its record.
    init(
        _ hits: ArraySlice<Hit>, _ record: ObjectRecord, _ matched: borrowing MatchedTerms
    ) throws {
        var record = record
        var tokens: [ResultToken] = []
        tokens.reserveCapacity(hits.count)
        for hit in hits {
            tokens.append(try ResultToken(hit, matched, &record))
            for bytes in matched.furtherMatches(of: Int(hit.term)) {
                furtherTokens.append(try ResultToken(hit, bytes: bytes, matched, &record))
            }
        }
        self.tokens = ResultToken.distinct(tokens)
    }
}

/// The pages whose matches nobody asked for yet.
///
/// **Thread safety**: guarded.
final class PendingPages: Sendable {
    private struct Page {
        weak var details: PageDetails?
    }

    private let pages = Mutex<[Page]>([])
    /// More hold their state of the index only until others come.
    private static let most = 64

    func add(_ details: PageDetails) {
        let tooMany: PageDetails? = pages.withLock { pages in
            var oldest: PageDetails?
            if pages.count >= Self.most {
                pages.removeAll { $0.details?.isWaiting != true }
                if pages.count >= Self.most { oldest = pages.removeFirst().details }
            }
            pages.append(Page(details: details))
            return oldest
        }
        tooMany?.settle()
    }

    /// Has the matches of all pages found.
    func settle() {
        let all = pages.withLock { pages in
            defer { pages = [] }
            return pages.compactMap(\.details)
        }
        for details in all { details.settle() }
    }
}
