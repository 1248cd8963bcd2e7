/// The answers to a text that is being typed: see ``TypingSession/answers(to:composing:within:)``.
///
/// **Thread safety**: an immutable value; each iterator searches by itself.
public struct TypingAnswers<Object>: AsyncSequence, Sendable {
    /// Results: the best so far, or all of them.
    public typealias Element = SearchResults<Object>

    let session: TypingSession<Object>
    let keystroke: TypingSession<Object>.Keystroke
    let time: Duration?

    /// Returns an iterator that searches by itself.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(answers: self, next: time) }

    /// Returns one answer after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let answers: TypingAnswers
        /// How long the next answer may take.
        fileprivate var next: Duration?
        private var isOver = false

        fileprivate init(answers: TypingAnswers, next: Duration?) {
            self.answers = answers
            self.next = next
        }

        /// Waits for the next answer, and returns it.
        ///
        /// - Returns: The answer; nil after the whole answer, and once another text came.
        /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`, `.limitExceeded`;
        ///   `CancellationError` in a cancelled task.
        public mutating func next() async throws -> SearchResults<Object>? {
            guard !isOver else { return nil }
            let (session, keystroke, time) = (answers.session, answers.keystroke, next)
            isOver = true
            do {
                let results = try await withTaskCancellationHandler {
                    try await session.index.run {
                        Handover(try session.answer(keystroke, within: time))
                    }.value
                } onCancel: {
                    keystroke.cancellation.cancel()
                }
                // What was cut short by a limit, without a time, would be so again.
                isOver = results.isComplete || time == nil
                next = nil
                return results
            } catch is CancellationError {
                try Task.checkCancellation()
                return nil
            }
        }
    }
}
