import Foundation
import Synchronization

/// Where the words of a query stand in the objects of a page, and for large pages what their
/// records say: found when somebody asks.
///
/// It holds the state of the index that the page was found in only until the matches are asked for;
/// before that state goes, or the index closes, `PendingDetails` has everything found.
///
/// **Thread safety**: guarded.
final class PageDetails: PendingDetail {
    /// The matches in one object.
    struct Places {
        var tokens: [ResultToken] = []
        /// Further places in words that match, to be shown; a word counts once.
        var furtherTokens: [ResultToken] = []
        /// Whether there are more matches, or may be.
        var hasMore = false
        /// How often words were found, those of one match singly.
        var wordCount = 0
    }

    /// What a search is repeated by, for its objects alone.
    struct Search {
        var snapshot: Snapshot
        var store: IndexStore
        var fields: [String]
        var parameters: BM25Parameters
        /// With synonyms.
        var query: Query
        var limits: QueryLimits
        /// How long it may take to find the matches, from when they are asked for.
        var budget: SearchBudget
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
        /// What the records say of the objects, where they are too many to be read before somebody
        /// asks.
        var heads: Result<[RecordHead], TextIndexError>?
        var places: Result<[Places], TextIndexError>?
    }

    private let state: Mutex<State>

    /// What the items of a page hold. `PendingDetails` refer to the details weakly, and to hold
    /// what is referred to so, and to let go of it, takes several times as long.
    final class Shared: Sendable {
        let details: PageDetails

        init(_ details: PageDetails) { self.details = details }
    }

    init(_ search: consuming Search) { state = Mutex(State(search: search)) }

    /// The records of so many documents are read with the page, and kept until somebody asks for
    /// the matches; and only so many bytes of them.
    private static let mostRecords = 256
    private static let mostRecordBytes = 8 << 20

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

    /// The details of some documents, and who they are. `evaluator` is one that found them.
    static func make(
        _ entries: ArraySlice<RankedDocument>, _ evaluator: borrowing QueryEvaluator,
        _ request: SearchRequest, _ configuration: TextIndexConfiguration
    ) throws -> (PageDetails, Identities) {
        let documents = entries.map(\.document)
        let (store, snapshot) = (evaluator.store, evaluator.snapshot)
        let (analyzer, clock) = (evaluator.analyzer, evaluator.clock)
        let query = request.query.withoutLowBonuses(analyzer, unlessAlone: true)
        var search = Search(
            snapshot: snapshot, store: store, fields: evaluator.fields,
            parameters: request.ranking.parameters ?? configuration.relevance,
            query: analyzer.synonyms.expand(query),
            limits: configuration.queryLimits,
            budget: request.budget.within(configuration.searchTimeout).within(
                clock.timeToShow),
            maximumExpansions: clock.maximumExpansions,
            hasTooManyTerms: clock.hasTooManyTerms, documents: documents)
        if let records = try records(of: documents, store) {
            search.records = records
            return (PageDetails(search), .stored(records))
        }
        var reader = IdentityReader(snapshot)
        var weights = WeightLookup(snapshot)
        let identifiers = try documents.map { document in
            (
                identifier: try reader.identifier(of: document, in: snapshot),
                weight: try weights.weight(of: document)
            )
        }
        return (PageDetails(search), .identifiers(identifiers))
    }

    /// The records of documents; nil where they are too many, or too large.
    private static func records(
        of documents: [UInt32], _ store: IndexStore
    ) throws -> [StoredRecord]? {
        guard documents.count <= mostRecords else { return nil }
        var records: [StoredRecord] = []
        records.reserveCapacity(documents.count)
        let recent = store.recentRecords
        var byteCount = 0
        for document in documents {
            let record = try store.record(of: document, recent)
            byteCount += record.byteCount
            if byteCount > mostRecordBytes { return nil }
            records.append(record)
        }
        return records
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

    /// Finds the matches, if nobody did, in the time that is left of a budget and not in that of
    /// the search.
    func find(within budget: SearchBudget) {
        state.withLock { state in
            state.search?.budget = budget
            Self.find(in: &state)
        }
    }

    /// Whether it holds a state of the index, until somebody asks for the matches or while they are
    /// being found.
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
        let clock = SearchClock(
            search.budget, longest: nil, maximumExpansions: search.maximumExpansions)
        let order = search.documents.indices.sorted {
            search.documents[$0] < search.documents[$1]
        }
        var places = [Places](
            repeating: Places(hasMore: true), count: search.documents.count)
        try find(order[...], search, clock, in: &places)
        return places
    }

    /// Finds the matches at some ranks, in the order of documents; half of them at a time where
    /// those of all take too much memory. What is not found in time, or takes too much alone, is
    /// left as it is: there may be more.
    private static func find(
        _ ranks: ArraySlice<Int>, _ search: Search, _ clock: SearchClock, in places: inout [Places]
    ) throws {
        guard !ranks.isEmpty, !clock.check() else { return }
        let part = SearchClock(clock, memory: search.limits.memoryBytes)
        do {
            let finder = try PlaceFinder(ranks, search, part)
            if ranks.count == 1 || !part.memory.isShort {
                return try finder.find(in: &places)
            }
        } catch let error as TextIndexError where error.code == .limitExceeded {
        } catch is SearchEnded {}
        guard ranks.count > 1, part.memory.isShort else { return }
        let middle = ranks.startIndex + ranks.count / 2
        try find(ranks[..<middle], search, clock, in: &places)
        try find(ranks[middle...], search, clock, in: &places)
    }
}

/// Finds where the words of a query are in some of the objects of a page.
private struct PlaceFinder: ~Copyable {
    private let ranks: ArraySlice<Int>
    private let search: PageDetails.Search
    private let evaluator: QueryEvaluator
    private let hits: [Hit]
    private let most: Int

    /// Evaluates the query.
    init(
        _ ranks: ArraySlice<Int>, _ search: PageDetails.Search, _ clock: SearchClock
    ) throws {
        self.ranks = ranks
        self.search = search
        most = search.limits.matches(ofEachOf: search.documents.count)
        var evaluator = QueryEvaluator(
            snapshot: search.snapshot, store: search.store, analyzer: search.snapshot.analyzer,
            fields: search.fields, similarity: BM25(search.parameters, fields: search.fields),
            clock: clock)
        evaluator.limits = search.limits
        var needs = MatchNeeds.hits(of: ranks.map { search.documents[$0] })
        needs.settledPatterns = search.hasTooManyTerms
        // One more says that there are more. Several may be one match. Words of a phrase are rarely
        // where the first ones are.
        let mostHits = PageDetails.Places.mostHits(for: most)
        needs.mostHits = mostHits < .max ? mostHits + 1 : .max
        let room = search.limits.memoryBytes / 8 / MemoryLayout<Hit>.stride / ranks.count
        let wide = most.multipliedReportingOverflow(by: 16)
        needs.mostHitsOfWord = max(
            needs.mostHits, min(wide.overflow ? .max : wide.partialValue, room))
        hits = try evaluator.evaluate(search.query, in: nil, needs)?.hits ?? []
        self.evaluator = evaluator
    }

    /// Makes places of the hits.
    borrowing func find(in places: inout [PageDetails.Places]) throws {
        let isCut = evaluator.clock.isSpent
        if let records = search.records {
            for rank in ranks where !evaluator.clock.check() || ranks.count == 1 {
                places[rank] = try self.places(at: rank, try records[rank].record(), isCut: isCut)
            }
            return
        }
        let clock = evaluator.clock
        try search.store.forEachRecord(of: ranks.map { search.documents[$0] }) { place, stored in
            if clock.check(), ranks.count > 1 { throw SearchEnded() }
            // The store's copy and this one.
            let share = try MemoryShare(clock, 2 * stored.count)
            defer { withExtendedLifetime(share) {} }
            let rank = ranks[ranks.startIndex + place]
            let record = try IndexStore.translating(.objects) { try ObjectRecord(stored) }
            places[rank] = try self.places(at: rank, record, isCut: isCut)
        }
    }

    private borrowing func places(
        at rank: Int, _ record: ObjectRecord, isCut: Bool
    ) throws -> PageDetails.Places {
        let document = search.documents[rank]
        var found = try PageDetails.Places(
            hits.of(document), record, evaluator.terms.matched, most: most)
        if isCut || evaluator.terms.shortened.contains(document) { found.hasMore = true }
        return found
    }
}

extension PageDetails.Places {
    /// How many hits so many matches are made of, at most.
    static func mostHits(for most: Int) -> Int {
        let (count, overflow) = most.multipliedReportingOverflow(by: 4)
        return overflow ? .max : count
    }

    /// The first places of hits in a document, by its record. Where hits are left out, the last
    /// match may go on in them: it is left out, too, unless it is the only one.
    init(
        _ hits: ArraySlice<Hit>, _ record: ObjectRecord, _ matched: borrowing MatchedTerms,
        most: Int
    ) throws {
        var record = record
        let mostHits = Self.mostHits(for: most)
        var tokens: [ResultToken] = []
        tokens.reserveCapacity(min(hits.count, mostHits))
        for hit in hits.prefix(mostHits) {
            tokens.append(try ResultToken(hit, matched, &record))
            for bytes in matched.furtherMatches(of: Int(hit.term))
            where furtherTokens.count < most {
                furtherTokens.append(try ResultToken(hit, bytes: bytes, matched, &record))
            }
        }
        var merged = ResultToken.merged(tokens)
        if hits.count > mostHits, merged.count > 1 { merged.removeLast() }
        self.tokens = Array(merged.prefix(most))
        hasMore = hits.count > mostHits || merged.count > most
        wordCount = hits.count > mostHits ? hits.count : ResultToken.distinct(tokens).count
    }
}
