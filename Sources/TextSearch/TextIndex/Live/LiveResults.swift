/// The answer to a query as it changes: a sequence of differences, one after each commit that changes it.
///
/// ```swift
/// var list: [SearchResultItem<Note>] = []
/// for try await difference in try index.liveResults(for: "duck") {
///     list = difference.applied(to: list)
///     show(list)
/// }
/// ```
///
/// The first difference comes at once and inserts the whole answer; it comes also when nothing matches. Who is slow misses nothing: the differences of
/// all commits in between come as one. Applied one after the other they give the answer that a search gives, in the state of the index after the
/// last commit with an object that matches, or of one since; see ``LiveOptions/rescoresAlways`` for scores.
///
/// A commit costs a look at its own objects: the query is evaluated for them, and searched for again only when one of them matches or did.
/// Matches are remembered by 4 bytes each.
///
/// Each loop over the sequence is a live query of its own, which ends with its task or when the index closes. Searches run elsewhere than in the task.
///
/// **Thread safety**: an immutable value. **Lifetime**: it holds its index open, but no state of it.
public struct LiveResults<Object>: AsyncSequence, Sendable {
    let make: @Sendable () throws -> LiveQuery<Object>

    /// Begins to follow the query.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(query: Result { try make() }) }

    /// Follows the query.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private enum State: Sendable {
            case asks(LiveQuery<Object>)
            case waits(LiveQuery<Object>, after: UInt64)
            case failed(any Error)
            case ended
        }

        private var state: State

        init(query: Result<LiveQuery<Object>, any Error>) {
            switch query {
            case .success(let query): state = .asks(query)
            case .failure(let error): state = .failed(error)
            }
        }

        /// Waits for the answer to change.
        ///
        /// - Returns: How it changed; nil when the index was closed or the task cancelled.
        /// - Throws: ``TextIndexError``: `.corrupted`, `.io`, which ends the sequence.
        public mutating func next() async throws -> LiveDifference<Object>? {
            while true {
                switch state {
                case .ended: return nil
                case .failed(let error):
                    state = .ended
                    throw error
                case .waits(let query, let generation):
                    let goesOn = await query.waitForCommit(after: generation)
                    state = goesOn ? .asks(query) : .ended
                case .asks(let query):
                    // Until it is known how that went.
                    state = .ended
                    guard !Task.isCancelled else { return nil }
                    do {
                        let (difference, generation) = try await query.index.background
                            .cancellable(.unlimited) { try query.poll($0.cancellation) }
                        state = .waits(query, after: generation)
                        if let difference { return difference }
                    } catch let error as TextIndexError where error.code == .closed {
                        return nil
                    } catch is CancellationError {
                        return nil
                    }
                }
            }
        }
    }
}
