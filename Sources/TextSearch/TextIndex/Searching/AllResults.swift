import Foundation
import Synchronization

/// All results of a query, in order, made on demand; see
/// ``TextIndex/results(for:ranking:minimumScore:budget:)-(Query,_,_,_)``.
///
/// It holds the state of the index in which it was made, so that nothing is repeated or left out,
/// whatever changes meanwhile. The files of that state stay as long as it is held.
///
/// As a `Sequence` it ends early if reading fails or the index was closed, and `error` says so. As
/// an `AsyncSequence` it throws, and blocks no thread of the caller.
///
/// **Thread safety**: may be used from any thread, as far as `Object` is.
public struct AllResults<Object>: Sequence, AsyncSequence, Sendable {
    /// A result, as a search returns it.
    public typealias Element = SearchResultItem<Object>

    private let state: State

    init(_ index: TextIndex<Object>, _ request: SearchRequest) throws {
        state = try State(index, request)
    }

    /// How many results there are.
    public var count: Int { state.count }
    /// How the query was read, and what was left out.
    public var diagnostics: QueryDiagnostics { state.request.allDiagnostics }
    /// The query as it was run.
    public var query: Query { state.request.query }
    /// Whether the search ran to its end and was not cut short.
    public var isComplete: Bool { state.isComplete }
    /// What ended an iteration early; nil if nothing did.
    public var error: (any Error)? { state.error.withLock { $0 } }

    /// Returns the items of some ranks.
    ///
    /// - Parameter ranks: the ranks, from 0; those after the last are left out.
    /// - Returns: The items.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func items(_ ranks: Range<Int>) throws -> [SearchResultItem<Object>] {
        try state.items(ranks)
    }

    /// Returns an iterator over the results, from the first.
    ///
    /// - Returns: The iterator.
    public func makeIterator() -> Iterator { Iterator(state: state) }

    /// Returns an iterator over the results that blocks no thread.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: state) }

    /// Returns one result after the other.
    public struct Iterator: IteratorProtocol {
        fileprivate let state: State
        private var run = Run()

        fileprivate init(state: State) { self.state = state }

        /// Returns the next result in order.
        ///
        /// - Returns: The result; nil after the last one, or if reading fails.
        public mutating func next() -> SearchResultItem<Object>? {
            if let item = run.next() { return item }
            do {
                run.begin(try state.items(run.following))
            } catch {
                state.error.withLock { $0 = error }
            }
            return run.next()
        }
    }

    /// Returns one result after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let state: State
        private var run = Run()

        fileprivate init(state: State) { self.state = state }

        /// Returns the next result in order.
        ///
        /// - Returns: The result; nil after the last one.
        /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `CancellationError` in a
        ///   cancelled task.
        public mutating func next() async throws -> SearchResultItem<Object>? {
            if let item = run.next() { return item }
            try Task.checkCancellation()
            let ranks = run.following
            guard ranks.lowerBound < state.count else { return nil }
            run.begin(try await state.index.items(ranks, of: state))
            return run.next()
        }
    }

    /// Items that were made together: few at first, so that the first one is there at once.
    private struct Run {
        var items: ArraySlice<SearchResultItem<Object>> = []
        var end = 0

        mutating func next() -> SearchResultItem<Object>? { items.popFirst() }

        var following: Range<Int> { end..<(end + Swift.min(Swift.max(end, 8), 256)) }

        mutating func begin(_ items: [SearchResultItem<Object>]) {
            end += items.count
            self.items = items[...]
        }
    }

    /// What its copies share.
    final class State: Sendable {
        let index: TextIndex<Object>
        let request: SearchRequest
        let isComplete: Bool
        private let ranked: QueryRanker<Object>.Ranked
        let error = Mutex<(any Error)?>(nil)

        init(_ index: TextIndex<Object>, _ request: SearchRequest) throws {
            self.index = index
            let clock = index.clock(request)
            (ranked, self.request) = try index.usage.search { try index.ranked(request, clock) }
            isComplete = clock.isComplete
            // Once, before any is given out: every copy and iterator gives the same items.
            if case .items(let items) = ranked {
                for (rank, item) in items.enumerated() { item.rank = rank }
            }
        }

        var count: Int {
            switch ranked {
            case .entries(let entries): entries.count
            case .items(let items): items.count
            }
        }

        func items(_ ranks: Range<Int>) throws -> [SearchResultItem<Object>] {
            let ranks = ranks.clamped(to: 0..<count)
            guard !ranks.isEmpty else { return [] }
            return try index.usage.search {
                switch ranked {
                case .items(let items): return Array(items[ranks])
                case .entries(let entries):
                    guard let snapshot = request.snapshot else { return [] }
                    var maker = ItemMaker(
                        index.evaluator(snapshot, request.ranking), index: index, request: request)
                    return try maker.items(entries[ranks], firstRank: ranks.lowerBound)
                }
            }
        }
    }
}

extension TextIndex {
    fileprivate func items(
        _ ranks: Range<Int>, of state: AllResults<Object>.State
    ) async throws -> [SearchResultItem<Object>] {
        try await run { try state.items(ranks) }
    }
}

extension TextIndex {
    /// Returns all results of a query, made on demand.
    ///
    /// ```swift
    /// for try await item in try await self.results(for: .prefix("duck")) { show(item) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: the order of the results.
    ///   - minimumScore: results with a lower score are left out.
    ///   - budget: how long the search may take; making items does not count.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` as
    ///   ``TextIndex/search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:)``
    ///   does.
    public func results(
        for query: Query, ranking: Ranking = .relevance, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) throws -> AllResults<Object> {
        try AllResults(
            self,
            SearchRequest(
                query: query, ranking: ranking, minimumScore: minimumScore, budget: budget))
    }

    /// Returns all results of a query text, made on demand. The text is read as
    /// ``search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:steps:parser:)``
    /// does.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - ranking: the order of the results.
    ///   - minimumScore: results with a lower score are left out.
    ///   - budget: how long the search may take; making items does not count.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func results(
        for text: String, ranking: Ranking = .relevance, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) throws -> AllResults<Object> {
        try AllResults(
            self,
            request(
                text, limit: SearchRequest.usualCount, ranking: ranking,
                minimumScore: minimumScore, budget: budget))
    }

    /// Calls a block with the results of a query, in order.
    ///
    /// With `.concurrent` the block is called from a concurrent dispatch queue, each item exactly
    /// once, and the call returns when all are done, as
    /// ``enumerateResults(forKeyword:options:using:)`` does.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: the order of the results.
    ///   - options: `.reverse`, `.concurrent`.
    ///   - block: called with the item, its rank from 0, the number of all results, and what ends
    ///     the enumeration.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` as
    ///   ``TextIndex/search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:)``
    ///   does.
    public func enumerateResults(
        for query: Query, ranking: Ranking = .relevance, options: EnumerationOptions = [],
        using block:
            @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int, _ stop: EnumerationStop
            ) -> Void
    ) throws {
        try enumerateResults(
            for: query, ranking: ranking, options: options, budget: .unlimited, using: block)
    }

    /// The same of what is found within a budget.
    func enumerateResults(
        for query: Query, ranking: Ranking, options: EnumerationOptions, budget: SearchBudget,
        using block:
            @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int, _ stop: EnumerationStop
            ) -> Void
    ) throws {
        let results = try results(for: query, ranking: ranking, budget: budget)
        let stop = EnumerationStop()
        let count = results.count
        let isReversed = options.contains(.reverse)
        let length = options.contains(.concurrent) ? 512 : 32
        var done = 0
        while done < count, !stop.isStopped {
            let end = min(done + length, count)
            let items = try results.items(
                isReversed ? (count - end)..<(count - done) : done..<end)
            stop.enumerate(
                isReversed ? items.reversed() : items, from: done, of: count, options, block)
            done = end
        }
    }
}

extension EnumerationStop {
    /// Gives items their ranks, from `first` on, and calls `block` with them until the enumeration
    /// is stopped.
    func enumerate<Object>(
        _ items: [SearchResultItem<Object>], from first: Int, of count: Int,
        _ options: EnumerationOptions,
        _ block:
            @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int, _ stop: EnumerationStop
            ) -> Void
    ) {
        for (offset, item) in items.enumerated() { item.rank = first + offset }
        if options.contains(.concurrent) {
            ConcurrentRun.perform(items.count) { offset in
                if !isStopped { block(items[offset], first + offset, count, self) }
            }
        } else {
            for item in items where !isStopped { block(item, item.rank, count, self) }
        }
    }
}
