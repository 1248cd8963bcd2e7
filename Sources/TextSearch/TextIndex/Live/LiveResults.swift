/// The answer to a query as it changes: a sequence with a difference for each commit that changes
/// it.
///
/// ```swift
/// var list: [SearchResultItem<Note>] = []
/// for try await difference in try index.liveResults(for: "duck") {
///     list = difference.applied(to: list)
///     show(list)
/// }
/// ```
///
/// The first difference comes at once and inserts the whole answer, even if that is empty. A slow
/// reader misses nothing: the differences of several commits come as one. Applied in order they
/// give the answer of a search, in the state of the index after the last commit with an object that
/// matches, or a later one; see ``LiveOptions/rescoresAlways`` for scores.
///
/// A commit costs an evaluation of the query for its own objects. The query is searched for again
/// only if one of them matches or did. Matches are remembered by 4 bytes each.
///
/// Each loop over the sequence is a live query of its own, which ends with its task or when the
/// index closes. Searches do not run in the task.
///
/// **Thread safety**: an immutable value. **Lifetime**: it keeps its index open, but no state of
/// it.
public struct LiveResults<Object>: AsyncSequence, Sendable {
    let make: @Sendable () throws -> LiveQuery<Object>

    /// Starts to follow the query.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(query: Result { try make() }) }

    /// Waits for the changes of the answer, one after the other.
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
        /// - Returns: How it changed; nil if the index was closed or the task cancelled.
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
                        let (difference, generation) = try await query.index
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
