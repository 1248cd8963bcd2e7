import Foundation
import Synchronization

/// Where the words of a query stand in the objects of a page, found when somebody asks for them.
///
/// It holds the state of the index that the page was found in only until then; before that state goes, or the index closes, `PendingDetails`
/// has them found.
///
/// **Thread safety**: guarded.
final class PageDetails: PendingDetail {
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
        /// Nil where they are too many to be kept.
        var records: [StoredRecord]?
    }

    private enum State {
        case waiting(Search)
        case found([Places])
        case failed(TextIndexError)
    }

    private let state: Mutex<State>

    init(_ search: Search) { state = Mutex(.waiting(search)) }

    /// The records of so many documents are kept until somebody asks for the matches.
    private static let mostRecords = 256

    /// The details of some documents, and what their records say of them.
    static func make(
        _ entries: ArraySlice<RankedDocument>, _ store: IndexStore, _ snapshot: Snapshot,
        _ fields: [String], _ request: SearchRequest, _ parameters: BM25Parameters,
        maximumExpansions: Int
    ) throws -> (PageDetails, [RecordHead]) {
        let documents = entries.map(\.document)
        var search = Search(
            snapshot: snapshot, store: store, fields: fields, parameters: parameters,
            query: request.query, maximumExpansions: maximumExpansions, documents: documents)
        if documents.count <= mostRecords {
            let records = try documents.map { try store.record(of: $0) }
            search.records = records
            return (PageDetails(search), records.map(\.head))
        }
        var heads = [RecordHead?](repeating: nil, count: documents.count)
        try store.forEachRecord(of: documents) { place, stored in
            heads[place] = try IndexStore.translating(.objects) { try RecordHead(stored) }
        }
        return (PageDetails(search), heads.compactMap { $0 })
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

    /// Whether it holds a state of the index, until somebody asks or while the matches are being found.
    var isWaiting: Bool {
        state.withLockIfAvailable { state in
            if case .waiting = state { return true }
            return false
        } ?? true
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
        if let records = search.records {
            return try zip(search.documents, records).map { document, record in
                try Places(hits.of(document), try record.record(), evaluator.terms.matched)
            }
        }
        var places = [Places](repeating: Places(), count: search.documents.count)
        try search.store.forEachRecord(of: search.documents) { place, stored in
            let record = try IndexStore.translating(.objects) { try ObjectRecord(stored) }
            places[place] = try Places(
                hits.of(search.documents[place]), record, evaluator.terms.matched)
        }
        return places
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
