public import Foundation

/// The awaited forms of calls that block their thread, with the same names.
///
/// A task that waits for operations, hooks or flushes is suspended and holds no thread, however
/// many there are. Searches have threads of their own, as many as there are processors, and never
/// wait for a hook, a flush, a merge or an operation.
extension TextIndex {
    /// Waits for everything submitted without holding a thread, and then closes the index as
    /// ``close()`` does.
    ///
    /// It has a name of its own, so that `try index.close()` also closes in an asynchronous
    /// function.
    ///
    /// - Throws: ``TextIndexError`` when the last writes failed; the index is closed all the same.
    public func shutdown() async throws {
        await readyToClose()
        try await run(on: .calls) { try self.close() }
    }

    /// Flushes memory, merges all segments and reclaims the space of removed objects.
    ///
    /// - Throws: ``TextIndexError``.
    public func optimize() async throws {
        try usage.beginWork()
        defer { usage.endWork() }
        try await writer.optimizer.optimized()
    }

    /// Returns when the flushes, merges and deletions that were begun until now are over.
    package func waitForMaintenance(
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async {
        try? await run(on: .calls) { self.waitForMaintenance(isCancelled: isCancelled) }
    }

    /// Writes what is in memory into the store, so that opening has nothing to replay.
    ///
    /// - Throws: ``TextIndexError``.
    public func flush() async throws {
        try usage.beginWork()
        defer { usage.endWork() }
        try await writer.flusher.allFlushed()
    }

    /// Removes all objects, and returns when they are gone.
    ///
    /// - Throws: ``TextIndexError``.
    public func removeAll() async throws {
        _ = try await submitRemovalOfAll().value()
    }

    /// Waits for everything submitted so far.
    public func waitUntilAllOperationsAreFinished() async {
        await operationsFinished()
    }

    /// Counts what the index holds.
    ///
    /// - Returns: The counts.
    /// - Throws: ``TextIndexError``.
    public func statistics() async throws -> IndexStatistics {
        try await run(on: .calls) { try self.statistics() }
    }

    /// Returns the objects with words that contain `keyword`, compared without case, accents and
    /// width.
    ///
    /// - Parameters:
    ///   - keyword: the text to look for inside words.
    ///   - options: `.reverse` gives the worst first.
    /// - Returns: All results.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func searchResults(
        forKeyword keyword: String, options: EnumerationOptions = []
    ) async throws -> [SearchResultItem<Object>] {
        try await cancellable(.unlimited) { budget in
            try self.searchResults(forKeyword: keyword, options, self.keywordClock(budget))
        }
    }

    /// Runs a search within a budget that ends when the task is cancelled, too.
    func cancellable<Results>(
        _ budget: SearchBudget,
        _ search: @escaping @Sendable (SearchBudget) throws -> Results
    ) async throws -> Results {
        let cancellation = SearchCancellation(orWith: budget.cancellation)
        let budget = SearchBudget(time: budget.time, cancellation: cancellation)
        let results = try await withTaskCancellationHandler {
            try await run { Handover(try search(budget)) }.value
        } onCancel: {
            cancellation.cancel()
        }
        try Task.checkCancellation()
        return results
    }

    /// Returns how many objects `searchResults(forKeyword:options:)` would return, without making
    /// items.
    ///
    /// - Parameter keyword: the text to look for inside words.
    /// - Returns: The number of objects.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func resultCount(forKeyword keyword: String) async throws -> Int {
        try await cancellable(.unlimited) { budget in
            try self.resultCount(forKeyword: keyword, budget: budget).value
        }
    }

    /// Calls `block` with each result of `searchResults(forKeyword:options:)` in turn.
    ///
    /// - Parameters:
    ///   - keyword: the text to look for inside words.
    ///   - options: `.reverse`, `.concurrent`.
    ///   - block: called with the item, its rank from 0, the number of all results, and what
    ///     ends the enumeration; never on the caller's executor.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func enumerateResults(
        forKeyword keyword: String, options: EnumerationOptions = [],
        using block:
            @escaping @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int,
                _ stop: EnumerationStop
            ) -> Void
    ) async throws {
        try await enumerating { cancellation in
            _ = try self.enumerateResults(
                forKeyword: keyword, options: options, budget: .cancelled(by: cancellation)
            ) { item, rank, count, stop in
                if cancellation.isCancelled { return stop() }
                block(item, rank, count, stop)
            }
        }
    }

    /// Runs an enumeration, which calls the application, until the task is cancelled.
    private func enumerating(
        _ body: @escaping @Sendable (SearchCancellation) throws -> Void
    ) async throws {
        let cancellation = SearchCancellation()
        try await withTaskCancellationHandler {
            try await ApplicationCode.run { try body(cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
        try Task.checkCancellation()
    }

    /// Returns all identifiers, in the order in which the objects were indexed.
    ///
    /// - Returns: The identifiers.
    /// - Throws: ``TextIndexError``.
    public func identifiers() async throws -> [Data] {
        try await run { try self.identifiers() }
    }

    /// Returns whether there is an object with an identifier.
    ///
    /// - Parameter identifier: the identifier.
    /// - Returns: Whether it is in the index.
    /// - Throws: ``TextIndexError``.
    public func contains(identifier: Data) async throws -> Bool {
        try await run { try self.contains(identifier: identifier) }
    }

    /// Returns what the index holds under an identifier.
    ///
    /// - Parameter identifier: the identifier.
    /// - Returns: The item, without matches; nil if the object is not in the index.
    /// - Throws: ``TextIndexError``.
    public func item(for identifier: Data) async throws -> SearchResultItem<Object>? {
        try await run { Handover(try self.item(for: identifier)) }.value
    }

    /// Returns the terms that begin with a text, in the order of their UTF-8.
    ///
    /// - Parameters:
    ///   - prefix: what the terms begin with, folded as the strings are; none for all terms.
    ///   - field: the name of the field that they occur in; nil for all strings.
    ///   - limit: the maximum number of terms.
    /// - Returns: The terms.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task.
    public func terms(
        prefix: String = "", field: String? = nil, limit: Int = 100
    ) async throws -> [IndexedTerm] {
        try await cancellable(.unlimited) { budget in
            try self.terms(
                prefix: prefix, field: field, limit: limit, SearchClock(budget, longest: nil))
        }
    }

    /// Returns the identifiers of all objects that match a query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: the order of the identifiers.
    ///   - minimumScore: objects with a lower score are left out.
    ///   - budget: how long it may take; see ``ObjectIdentifiers/isComplete``.
    /// - Returns: The identifiers.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func identifiers(
        for query: Query, ranking: Ranking = .relevance, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) async throws -> ObjectIdentifiers {
        try await cancellable(budget) { budget in
            try self.identifiers(
                for: query, ranking: ranking, minimumScore: minimumScore, budget: budget)
        }
    }

    /// Returns all results of a query, made on demand.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: the order of the results.
    ///   - minimumScore: results with a lower score are left out.
    ///   - budget: how long the search may take; making items does not count.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func results(
        for query: Query, ranking: Ranking = .relevance, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) async throws -> AllResults<Object> {
        try await cancellable(budget) { budget in
            try self.results(
                for: query, ranking: ranking, minimumScore: minimumScore, budget: budget)
        }
    }

    /// Returns all results of query text, made on demand.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - ranking: the order of the results.
    ///   - minimumScore: results with a lower score are left out.
    ///   - budget: how long the search may take; making items does not count.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func results(
        for text: String, ranking: Ranking = .relevance, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) async throws -> AllResults<Object> {
        try await cancellable(budget) { budget in
            try self.results(
                for: text, ranking: ranking, minimumScore: minimumScore, budget: budget)
        }
    }

    /// Calls a block with the results of a query, in order.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: the order of the results.
    ///   - options: `.reverse`, `.concurrent`.
    ///   - block: called with the item, its rank from 0, the number of all results, and what ends
    ///     the enumeration; never on the caller's executor.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task,
    ///   which ends the enumeration.
    public func enumerateResults(
        for query: Query, ranking: Ranking = .relevance, options: EnumerationOptions = [],
        using block:
            @escaping @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int,
                _ stop: EnumerationStop
            ) -> Void
    ) async throws {
        try await enumerating { cancellation in
            try self.enumerateResults(
                for: query, ranking: ranking, options: options,
                budget: .cancelled(by: cancellation)
            ) { item, rank, count, stop in
                if cancellation.isCancelled { return stop() }
                block(item, rank, count, stop)
            }
        }
    }

    /// Explains the score of a result, as ``SearchResultItem/explain()`` does.
    ///
    /// - Parameter item: a result of this index.
    /// - Returns: The tree; nil if the object was indexed again or removed and the results are not
    ///   held any more.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func explain(_ item: SearchResultItem<Object>) async throws -> ScoreExplanation? {
        let item = Handover(item)
        return try await cancellable(.unlimited) { budget in
            try self.explain(item.value, budget: budget)
        }
    }

    /// Explains why an object is missing from the results of a query: it is not indexed, it does
    /// not match some clauses, or its score is too low.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - query: the query.
    ///   - ranking: the ranking of the search.
    ///   - minimumScore: the minimum score of the search.
    /// - Returns: The reason; ``MissExplanation/Reason/found`` if the object is not missing.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func explain(
        missing identifier: Data, for query: Query, ranking: Ranking = .relevance,
        minimumScore: Double = -.infinity
    ) async throws -> MissExplanation {
        let request = SearchRequest(query: query, ranking: ranking, minimumScore: minimumScore)
        return try await cancellable(.unlimited) { budget in
            try self.explain(missing: identifier, within: budget, request)
        }
    }

    /// Explains why an object is missing from the results of a query text: it is not indexed, it
    /// does not match some clauses, or its score is too low.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - text: the query text.
    ///   - ranking: the ranking of the search.
    ///   - minimumScore: the minimum score of the search.
    /// - Returns: The reason; ``MissExplanation/Reason/found`` if the object is not missing.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func explain(
        missing identifier: Data, for text: String, ranking: Ranking = .relevance,
        minimumScore: Double = -.infinity
    ) async throws -> MissExplanation {
        try await cancellable(.unlimited) { budget in
            let request = try self.request(
                text, limit: SearchRequest.usualCount, ranking: ranking,
                minimumScore: minimumScore)
            return try self.explain(missing: identifier, within: budget, request)
        }
    }

    func run<R: Sendable>(
        on lane: Lane = .searches, _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        if usage.isForked { throw TextIndexError.closed }
        return try await lane.run(body)
    }

    /// Opens an index without blocking the caller's thread. Replaying the journal of a killed
    /// process may take a while.
    ///
    /// ```swift
    /// let index = try await TextIndex<Note>.open { try TextIndex(at: directory) }
    /// ```
    ///
    /// - Parameter make: creates the index, or one of a subclass.
    /// - Returns: The index.
    /// - Throws: ``TextIndexError``, as ``init(at:configuration:)`` does.
    public static func open<Index: TextIndex>(
        _ make: @escaping @Sendable () throws -> Index
    ) async throws -> Index {
        try await ApplicationCode.run(make)
    }
}
