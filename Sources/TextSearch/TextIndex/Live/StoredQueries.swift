public import Foundation
import Synchronization

/// Queries that wait for objects: tells which of them a new object matches.
///
/// ```swift
/// let alerts = index.makeStoredQueries(named: String.self)
/// try alerts.add(.all(of: [.term("duck"), .attribute("price", .less(20))]), as: "cheap duck")
/// for name in try alerts.matches(object) { notify(name) }
/// ```
///
/// A query matches an object exactly if a search finds it in an index that holds nothing else. The
/// text is analysed as in this index. The object need not be in the index, and nothing is stored.
/// To test objects as they are indexed, call ``matches(_:identifier:)`` from ``TextIndex/indexer``
/// with what that returns.
///
/// Most queries match few objects, and an object few queries. So each query is filed under a term
/// that a matching object must have: the rarest word of a conjunction, all words of a disjunction,
/// the beginning of a prefix. An object is tested against the queries under its own terms, and
/// against those without such a term: exclusions, attributes, keywords and patterns alone.
///
/// ``Query`` is `Codable`: store the queries with your objects, and add them when the index is
/// opened.
///
/// **Thread safety**: may be used from any thread. **Lifetime**: it keeps its index open.
public final class StoredQueries<Object, Name: Hashable & Sendable>: Sendable {
    private let index: TextIndex<Object>
    private let table = Mutex(QueryTable<Name>())

    init(_ index: TextIndex<Object>) { self.index = index }

    /// How many queries there are.
    public var count: Int { table.withLock { $0.count } }

    /// The names of the queries, in the order of adding.
    public var names: [Name] { table.withLock { $0.names } }

    /// A query by its name; nil if there is none.
    ///
    /// - Parameter name: the name.
    public subscript(name: Name) -> Query? { table.withLock { $0[name] } }

    /// Adds a query, or replaces the one with the same name.
    ///
    /// Complexity: linear in the query.
    ///
    /// - Parameters:
    ///   - query: the query; for a text, what ``TextIndex/queryParser`` reads.
    ///   - name: its name.
    /// - Throws: ``TextIndexError``: `.limitExceeded` for a query beyond
    ///   ``QueryLimits/maximumNesting`` or ``QueryLimits/maximumClauses``.
    public func add(_ query: Query, as name: Name) throws {
        try index.configuration.queryLimits.check(query)
        let snapshot = index.writer.snapshot
        let finder = finder(snapshot)
        table.withLock { $0.add(query, as: name, finder, snapshot.analyzerNumber) }
    }

    /// Removes the query of a name.
    ///
    /// - Parameter name: its name.
    /// - Returns: The query; nil if there was none.
    @discardableResult
    public func remove(_ name: Name) -> Query? { table.withLock { $0.remove(name) } }

    /// Returns the queries that an object matches.
    ///
    /// The object's identifier and text are fetched as by ``TextIndex/indexObject(_:)``, but it is
    /// not indexed.
    ///
    /// Complexity: that of analysing the object, and of evaluating for it those queries of which it
    /// has the required term.
    ///
    /// - Parameter object: the object.
    /// - Returns: Their names, in the order of adding; none for an object that is not to be
    ///   indexed.
    /// - Throws: What the hooks throw, and as ``matches(_:identifier:)``.
    public func matches(_ object: Object) throws -> [Name] {
        let identifier = try index.identifier(for: object)
        guard let indexed = try index.indexedObject(for: object, identifier: identifier) else {
            return []
        }
        return try matches(indexed, identifier: identifier)
    }

    /// Returns the queries that an object with some text, attributes and weight matches.
    ///
    /// - Parameters:
    ///   - object: what is to be indexed of the object.
    ///   - identifier: its identifier.
    /// - Returns: Their names, in the order of adding.
    /// - Throws: ``TextIndexError``: `.invalidArgument` and `.limitExceeded` for what could not be
    ///   indexed either, `.closed`.
    public func matches(_ object: IndexedObject, identifier: Data) throws -> [Name] {
        try matches(object, identifier: identifier, budget: .unlimited) ?? []
    }

    /// Returns the queries that an object matches, unless it takes too long to find them.
    ///
    /// - Parameters:
    ///   - object: what is to be indexed of the object.
    ///   - identifier: its identifier.
    ///   - budget: how long it may take.
    /// - Returns: Their names, in the order of adding; nil if time was over, or it was cancelled,
    ///   before all were tested.
    /// - Throws: as ``matches(_:identifier:)-(IndexedObject,_)``.
    public func matches(
        _ object: IndexedObject, identifier: Data, budget: SearchBudget
    ) throws -> [Name]? {
        try matches(
            object, identifier: identifier,
            SearchClock(
                budget, longest: nil, memory: index.configuration.queryLimits.memoryBytes))
    }

    func matches(
        _ object: IndexedObject, identifier: Data, _ clock: SearchClock
    ) throws -> [Name]? {
        try index.usage.search {
            let bytes = try index.checked(identifier: identifier)
            try index.check(object)
            let snapshot = index.writer.snapshot
            var builder = SegmentBuilder(analyzer: snapshot.analyzer)
            builder.add(object, identifier: bytes)
            let segment = builder.freeze()
            let finder = finder(snapshot)
            let candidates = table.withLock { table in
                table.compile(finder, snapshot.analyzerNumber)
                return table.candidates(for: segment, clock)
            }
            guard let candidates else { return nil }
            guard !candidates.isEmpty else { return [] }
            let record = try IndexStore.translating(.objects) {
                try segment.documents.withRecord(of: 0) { bytes in
                    Result { try ObjectRecord(UnsafeRawBufferPointer(bytes)) }
                }.get()
            }
            let alone = Snapshot(alone: segment, snapshot.analyzer, snapshot.analyzerNumber)
            var names: [Name] = []
            for entry in candidates {
                // Asked at least once for each, also where none of its words is looked for.
                guard !clock.check(), let isMatch = try matches(entry, record, alone, clock) else {
                    return nil
                }
                if isMatch { names.append(entry.name) }
            }
            return names
        }
    }

    /// For tests: how many queries an object is tested against.
    func candidateCount(for object: IndexedObject) -> Int {
        let snapshot = index.writer.snapshot
        var builder = SegmentBuilder(analyzer: snapshot.analyzer)
        builder.add(object, identifier: [1])
        let segment = builder.freeze()
        let clock = SearchClock(.unlimited, longest: nil)
        return table.withLock { $0.candidates(for: segment, clock)?.count ?? 0 }
    }

    private func finder(_ snapshot: Snapshot) -> NecessaryTermFinder {
        NecessaryTermFinder(analyzer: snapshot.analyzer, fields: index.configuration.fields)
    }

    /// Whether a query matches; nil when the time was over before that was known.
    private func matches(
        _ entry: QueryTable<Name>.Entry, _ record: ObjectRecord, _ alone: Snapshot,
        _ clock: SearchClock
    ) throws -> Bool? {
        // The evaluator would look for records and identifiers in the store, where the object is
        // not.
        let query =
            entry.asksForRecord
            ? RecordResolver(record: record).resolved(entry.query) : entry.query
        var request = SearchRequest(query: query)
        request.checksWords = false
        // How many words patterns stand for is counted for each query.
        let clock = SearchClock(
            clock, maximumExpansions: index.configuration.queryLimits.expansions)
        request.snapshot = alone
        do {
            var run = try index.run(request, clock, isOrdered: false)
            let isMatch = try !run.matches(scored: false).documents.isEmpty
            return clock.isSpent ? nil : isMatch
        } catch is SearchEnded {
            return clock.isSpent ? nil : false
        }
    }
}

extension Snapshot {
    /// A state with the documents of one segment and nothing else.
    fileprivate convenience init(
        alone segment: MemorySegment, _ analyzer: Analyzer, _ analyzerNumber: Int
    ) {
        let part = PlacedSegment(segment: segment, firstDocument: 0, isJournaled: false)
        self.init(
            flushed: [], memory: [part], dead: Tombstones(), analyzer: analyzer,
            analyzerNumber: analyzerNumber, generation: 0, epoch: Epoch())
    }
}

extension TextIndex {
    /// Makes an empty set of queries to test objects against; see ``StoredQueries``.
    ///
    /// - Parameter type: the type of the queries' names.
    /// - Returns: The set, empty.
    public func makeStoredQueries<Name: Hashable & Sendable>(
        named type: Name.Type
    ) -> StoredQueries<Object, Name> {
        StoredQueries(self)
    }
}
