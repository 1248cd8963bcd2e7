import Synchronization

/// Search as you type: a session answers every keystroke, reuses earlier work and cancels stale
/// searches.
///
/// ```swift
/// let session = index.makeTypingSession()
/// for try await results in session.answers(to: field.text, within: .milliseconds(10)) {
///     show(results)
/// }
/// ```
///
/// An answer is that of
/// ``TextIndex/search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:steps:parser:)``
/// with ``QueryParser/Options/lastWordIsPrefix``, to the last bit, in the state of the index at
/// that time. The last word is looked for as it is and as the beginning of words, the others as
/// whole words; while the page is not full, further steps are taken (``SearchSteps``). Words that
/// the index lacks are not reported, since they may be unfinished: ask
/// ``TextIndex/suggestions(for:options:)``.
///
/// The text may change in any way from one answer to the next. If it grows, the words that begin
/// with it are found among those of the text before, without reading. If it shrinks, or the same
/// was typed recently, their counts are still known.
///
/// A new text ends the search for the text before at once, which throws `CancellationError`.
///
/// **Thread safety**: may be used from any thread. **Lifetime**: a session keeps its index open but
/// no state of it, so that between two texts anything may be flushed, merged and deleted. It takes
/// up to 8 MB.
public final class TypingSession<Object>: Sendable {
    /// One text that was typed.
    struct Keystroke: Sendable {
        var text: String
        var composing: Range<String.Index>?
        let cancellation = SearchCancellation()
    }

    /// What the session returns, and how it reads the text.
    public let options: TypingOptions
    let index: TextIndex<Object>
    let typed: TypedPrefixes
    private let last = Mutex<Keystroke?>(nil)

    init(_ index: TextIndex<Object>, _ options: TypingOptions) {
        self.index = index
        self.options = options
        typed = TypedPrefixes(index.writer.snapshot.caches)
    }

    // MARK: Answers

    /// Searches for a text as it is typed so far.
    ///
    /// Complexity: linear in the words of the index that begin with the last word of the text, and
    /// in the strings that contain these.
    ///
    /// - Parameters:
    ///   - text: the whole text, as it is now.
    ///   - composing: the range that an input method still composes (the marked text), if any. It
    ///     is looked for as the beginning of words, or within text in scripts without spaces. If
    ///     nothing matches it so, the answer is that of the whole text without a marked part; if
    ///     nothing matches that, it is that of the rest, if anything is left.
    ///   - time: how long it may take; nil for no limit.
    /// - Returns: The results. If time ran out they are the best so far,
    ///   ``SearchResults/isComplete`` is false, and ``rest()`` returns the whole answer.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`, `.limitExceeded` for a filter
    ///   beyond the limits; `CancellationError` when another text came, or ``cancel()``.
    public func update(
        _ text: String, composing: Range<String.Index>? = nil, within time: Duration? = nil
    ) throws -> SearchResults<Object> {
        try answer(begin(text, composing), within: time)
    }

    /// Returns the whole answer to the last text.
    ///
    /// - Returns: The results; nil if nothing was typed.
    /// - Throws: As ``update(_:composing:within:)``.
    public func rest() throws -> SearchResults<Object>? {
        try last.withLock { $0 }.map { try answer($0, within: nil) }
    }

    /// Returns the answers to a text: the best that is found in time, then all of it, if that was
    /// not all.
    ///
    /// Searches do not run in the caller's task, but end with it. When another text comes, there
    /// are no more answers, and no error.
    ///
    /// - Parameters:
    ///   - text: the whole text, as it is now.
    ///   - composing: the range that an input method still composes; see
    ///     ``update(_:composing:within:)``.
    ///   - time: how long the first answer may take; nil for a single answer without a limit.
    /// - Returns: One or two answers, found on demand. The text cancels earlier answers at once.
    public func answers(
        to text: String, composing: Range<String.Index>? = nil, within time: Duration? = nil
    ) -> TypingAnswers<Object> {
        TypingAnswers(session: self, keystroke: begin(text, composing), time: time)
    }

    /// Ends the search for the last text, and forgets what is known of it.
    public func cancel() {
        last.withLock { last in
            last?.cancellation.cancel()
            last = nil
        }
        typed.forget()
    }

    // MARK: Keystrokes

    /// Takes a text, and ends the search for the one before.
    func begin(_ text: String, _ composing: Range<String.Index>?) -> Keystroke {
        let keystroke = Keystroke(text: text, composing: composing)
        let before = last.withLock { last in
            defer { last = keystroke }
            return last
        }
        before?.cancellation.cancel()
        return keystroke
    }

    func answer(_ keystroke: Keystroke, within time: Duration?) throws -> SearchResults<Object> {
        let budget = SearchBudget(time: time, cancellation: keystroke.cancellation)
        return try answer(
            keystroke,
            SearchClock(
                budget, longest: index.configuration.searchTimeout,
                maximumExpansions: index.configuration.queryLimits.expansions,
                memory: index.configuration.queryLimits.memoryBytes))
    }

    func answer(_ keystroke: Keystroke, _ clock: SearchClock) throws -> SearchResults<Object> {
        guard !keystroke.cancellation.isCancelled else { throw CancellationError() }
        let results = try find(keystroke, clock)
        guard !keystroke.cancellation.isCancelled else { throw CancellationError() }
        return results
    }

    private func find(
        _ keystroke: Keystroke, _ clock: SearchClock
    ) throws -> SearchResults<Object> {
        func isEnough(_ results: SearchResults<Object>) -> Bool {
            !results.isEmpty || options.limit <= 0 || clock.isSpent
        }
        let text = keystroke.composing.map { ComposedText(keystroke.text, marked: $0) }
        if let text, let query = text.query {
            let results = try search(text.finished, query, lastWordIsPrefix: false, clock)
            if isEnough(results) { return results }
        }
        let results = try search(keystroke.text, nil, lastWordIsPrefix: true, clock)
        guard let text, !text.finished.allSatisfy(\.isWhitespace), !isEnough(results) else {
            return results
        }
        return try search(text.finished, nil, lastWordIsPrefix: false, clock)
    }

    /// Searches for a text, and for what is composed besides.
    private func search(
        _ text: String, _ composed: Query?, lastWordIsPrefix: Bool, _ clock: SearchClock
    ) throws -> SearchResults<Object> {
        var parser = options.parser ?? index.queryParser
        parser.options.lastWordIsPrefix = lastWordIsPrefix
        var request = try index.request(
            text, limit: options.limit, ranking: options.ranking, filter: options.filter,
            fields: options.fields, parser: parser)
        if let composed {
            let wanted = try index.narrowed(composed, to: options.fields, nil)
            request.query = NormalForm.all([request.query, wanted])
            // Some of the other words would be enough then, without what is composed.
            request.fallsBack = false
            request.readings = []
            request.steps = .exact
        }
        request.checksWords = false
        return try index.search(request, clock, typed: typed)
    }
}

extension TextIndex {
    /// Makes a session that answers a text while it is typed.
    ///
    /// - Parameter options: what the session returns, and how it reads the text.
    /// - Returns: The session; use one for each text field.
    public func makeTypingSession(_ options: TypingOptions = .init()) -> TypingSession<Object> {
        TypingSession(self, options)
    }
}
