import Dispatch
import Foundation

extension TextIndex {
    /// The calls that wait, to be awaited instead: none blocks a thread of the caller's.
    public var background: Background { Background(index: self) }

    /// The awaited forms of what blocks its thread otherwise.
    public struct Background: Sendable {
        let index: TextIndex

        /// Closes the index as ``TextIndex/close()`` does.
        ///
        /// - Throws: ``TextIndexError``.
        public func close() async throws { try await run { try index.close() } }

        /// Optimizes the index as ``TextIndex/optimize()`` does.
        ///
        /// - Throws: ``TextIndexError``.
        public func optimize() async throws { try await run { try index.optimize() } }

        /// Flushes what is in memory as ``TextIndex/flush()`` does.
        ///
        /// - Throws: ``TextIndexError``.
        public func flush() async throws { try await run { try index.flush() } }

        /// Removes all objects as ``TextIndex/removeAll()`` does.
        ///
        /// - Throws: ``TextIndexError``.
        public func removeAll() async throws { try await run { try index.removeAll() } }

        /// Waits for everything submitted so far.
        public func waitUntilAllOperationsAreFinished() async {
            try? await run { index.indexingQueue.waitUntilAllOperationsAreFinished() }
        }

        /// Counts what the index holds as ``TextIndex/statistics()`` does.
        ///
        /// - Returns: The counts.
        /// - Throws: ``TextIndexError``.
        public func statistics() async throws -> IndexStatistics {
            try await run { try index.statistics() }
        }

        /// Searches as ``TextIndex/searchResults(forKeyword:options:)`` does.
        ///
        /// - Parameters:
        ///   - keyword: what to look for.
        ///   - options: `.reverse` gives the worst first.
        /// - Returns: All results.
        /// - Throws: ``TextIndexError``.
        public func searchResults(
            forKeyword keyword: String, options: SearchOptions = []
        ) async throws -> [SearchResultItem<Object>] {
            try await run {
                Handover(try index.searchResults(forKeyword: keyword, options: options))
            }.value
        }

        /// Searches as ``TextIndex/search(_:limit:offset:ranking:)`` does.
        ///
        /// - Parameters:
        ///   - text: the query text.
        ///   - limit: how many results to give at most.
        ///   - offset: how many of the best to leave out.
        ///   - ranking: what to order by.
        /// - Returns: The results.
        /// - Throws: ``TextIndexError``.
        public func search(
            _ text: String, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance
        ) async throws -> SearchResults<Object> {
            try await run {
                Handover(
                    try index.search(text, limit: limit, offset: offset, ranking: ranking))
            }.value
        }

        private func run<R: Sendable>(
            _ body: @escaping @Sendable () throws -> R
        ) async throws -> R {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async {
                    continuation.resume(with: Result { try body() })
                }
            }
        }
    }
}
