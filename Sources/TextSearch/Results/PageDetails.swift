import Foundation
import Synchronization

/// Where the words of a query stand in the objects of a page, and for large pages what their records say: found when somebody asks.
///
/// It holds the state of the index that the page was found in only until the matches are asked for; before that state goes, or the index closes,
/// `PendingDetails` has everything found.
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
        /// Whether a pattern stands for more terms than that, though not in all segments.
        var hasTooManyTerms = false
        /// In the order of ranks.
        var documents: [UInt32]
        /// Nil where they are too many to be kept.
        var records: [StoredRecord]?
    }

    private struct State {
        /// Nil once everything is found.
        var search: Search?
        /// What the records say of the objects, where they are too many to be read before somebody asks.
        var heads: Result<[RecordHead], TextIndexError>?
        var places: Result<[Places], TextIndexError>?
    }

    private let state: Mutex<State>

    init(_ search: consuming Search) { state = Mutex(State(search: search)) }

    /// The records of so many documents are read with the page, and kept until somebody asks for the matches.
    private static let mostRecords = 256

    /// What is known of an object before anybody asks for its details.
    enum Identity {
        case stored(StoredRecord)
        case record(RecordHead)
        case identifier(Data, weight: Double)
    }

    /// The same of the objects of a page, in the order of ranks.
    enum Identities {
        case stored([StoredRecord])
        case identifiers([(identifier: Data, weight: Double)])

        var count: Int {
            switch self {
            case .stored(let records): records.count
            case .identifiers(let identifiers): identifiers.count
            }
        }

        subscript(place: Int) -> Identity {
            switch self {
            case .stored(let records): .stored(records[place])
            case .identifiers(let identifiers):
                .identifier(identifiers[place].identifier, weight: identifiers[place].weight)
            }
        }
    }

    /// The details of some documents, and who they are.
    static func make(
        _ entries: ArraySlice<RankedDocument>, _ store: IndexStore, _ snapshot: Snapshot,
        _ fields: [String], _ request: SearchRequest, _ parameters: BM25Parameters,
        clock: SearchClock
    ) throws -> (PageDetails, Identities) {
        let documents = entries.map(\.document)
        var search = Search(
            snapshot: snapshot, store: store, fields: fields, parameters: parameters,
            query: request.query, maximumExpansions: clock.maximumExpansions,
            hasTooManyTerms: clock.hasTooManyTerms, documents: documents)
        if documents.count <= mostRecords {
            let records = try documents.map { try store.record(of: $0) }
            search.records = records
            return (PageDetails(search), .stored(records))
        }
        var reader = IdentityReader(snapshot)
        var weights = WeightLookup(snapshot)
        let identifiers = try documents.map { document in
            (
                identifier: try reader.identifier(of: document, store),
                weight: try weights.weight(of: document)
            )
        }
        return (PageDetails(search), .identifiers(identifiers))
    }

    /// The matches in the object of a rank.
    func places(at rank: Int) throws(TextIndexError) -> Places {
        let known = state.withLock { state in
            Self.find(in: &state)
            return state.places
        }
        return try known?.get()[rank] ?? Places()
    }

    /// What the record of the object of a rank says.
    func head(at rank: Int) throws(TextIndexError) -> RecordHead? {
        let known = state.withLock { state in
            if state.heads == nil, let search = state.search {
                state.heads = Self.result { try Self.heads(search) }
            }
            return state.heads
        }
        return try known?.get()[rank]
    }

    /// Whether it holds a state of the index, until somebody asks for the matches or while they are being found.
    var isWaiting: Bool { state.withLockIfAvailable { $0.search != nil } ?? true }

    /// Finds what is not found yet.
    func settle() { state.withLock { Self.find(in: &$0) } }

    private static func find(in state: inout State) {
        guard let search = state.search else { return }
        if search.records == nil, state.heads == nil { state.heads = result { try heads(search) } }
        state.places = result { try places(search) }
        state.search = nil
    }

    private static func result<Value>(
        _ body: () throws -> Value
    ) -> Result<Value, TextIndexError> {
        do {
            return .success(try body())
        } catch let error as TextIndexError {
            return .failure(error)
        } catch {
            return .failure(
                TextIndexError(.io, "The results cannot be read.", underlying: error))
        }
    }

    private static func heads(_ search: Search) throws -> [RecordHead] {
        var heads = [RecordHead?](repeating: nil, count: search.documents.count)
        try search.store.forEachRecord(of: search.documents) { place, stored in
            heads[place] = try IndexStore.translating(.objects) { try RecordHead(stored) }
        }
        return heads.compactMap { $0 }
    }

    /// The query is evaluated once more, for some documents alone and with hits.
    private static func places(_ search: Search) throws -> [Places] {
        var evaluator = QueryEvaluator(
            snapshot: search.snapshot, store: search.store, analyzer: search.snapshot.analyzer,
            fields: search.fields, similarity: BM25(search.parameters, fields: search.fields),
            clock: SearchClock(
                .unlimited, longest: nil, maximumExpansions: search.maximumExpansions))
        evaluator.wanted = .some(search.documents.sorted())
        evaluator.terms.settlesPatterns = search.hasTooManyTerms
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
