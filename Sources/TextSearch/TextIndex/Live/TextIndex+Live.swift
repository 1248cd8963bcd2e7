public import Dispatch

extension TextIndex {
    /// The results of a query as they change with the index.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - options: how many results, and in which order.
    /// - Returns: The differences, as a sequence that begins with the whole answer. It throws
    ///   ``TextIndexError`` with `.limitExceeded` for what ``QueryLimits`` refuse.
    public func liveResults(for query: Query, options: LiveOptions = .init()) -> LiveResults<Object>
    {
        LiveResults { try self.liveQuery(query, options) }
    }

    /// The results of a query text as they change with the index.
    ///
    /// The text is read as
    /// ``search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:steps:parser:)``
    /// does. If no object has all words, any of them are enough, until one has.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - options: how many results, in which order, and how the text is read.
    /// - Returns: The differences, as a sequence that begins with the whole answer. It throws
    ///   ``TextIndexError`` with `.limitExceeded` for a filter beyond ``QueryLimits``.
    public func liveResults(for text: String, options: LiveOptions = .init()) -> LiveResults<Object>
    {
        LiveResults { try self.liveQuery(text, options) }
    }

    /// Calls a function with each change of a query's results.
    ///
    /// ```swift
    /// observation = try index.observe(.term("duck"), on: .main) { change in
    ///     if let difference = try? change.get() { list = difference.applied(to: list) }
    /// }
    /// ```
    ///
    /// The first call has the whole answer, as in ``LiveResults``. Calls come one after the other:
    /// what changes during one comes with the next, and after an error it goes on with the next
    /// commit. Searches run on the queue, too.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - options: how many results, and in which order.
    ///   - queue: the queue to search on and to call from; nil for a queue of its own, which holds
    ///     no thread.
    ///   - body: called with each difference, or with what a search threw.
    /// - Returns: The observation: hold it as long as the calls are wanted.
    /// - Throws: ``TextIndexError``: `.limitExceeded` for what ``QueryLimits`` refuse.
    public func observe(
        _ query: Query, options: LiveOptions = .init(), on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable (Result<LiveDifference<Object>, any Error>) -> Void
    ) throws -> LiveObservation {
        observation(of: try liveQuery(query, options), queue, body)
    }

    /// Calls a function with each change of a query text's results, as
    /// ``observe(_:options:on:_:)-(Query,_,_,_)`` does.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - options: how many results, in which order, and how the text is read.
    ///   - queue: the queue to search on and to call from; nil for a queue of its own, which holds
    ///     no thread.
    ///   - body: called with each difference, or with what a search threw.
    /// - Returns: The observation: hold it as long as the calls are wanted.
    /// - Throws: ``TextIndexError``: `.limitExceeded` for a filter beyond ``QueryLimits``.
    public func observe(
        _ text: String, options: LiveOptions = .init(), on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable (Result<LiveDifference<Object>, any Error>) -> Void
    ) throws -> LiveObservation {
        observation(of: try liveQuery(text, options), queue, body)
    }

    private func observation(
        of query: LiveQuery<Object>, _ queue: DispatchQueue?,
        _ body: @escaping LiveObserver<Object>.Body
    ) -> LiveObservation {
        let queue =
            queue ?? DispatchQueue(label: "TextSearch.live", target: ApplicationCode.callbacks)
        let observer = LiveObserver(query, on: queue, body)
        observer.start()
        return LiveObservation { observer.cancel() }
    }

    /// A live query that whoever made it asks, when it likes.
    package func liveQuery(_ query: Query, _ options: LiveOptions) throws -> LiveQuery<Object> {
        let request = SearchRequest(
            query: try narrowed(query, to: options.fields, options.filter),
            ranking: options.ranking, minimumScore: options.minimumScore, limit: options.limit)
        return try LiveQuery(self, request, options)
    }

    /// The same for a query text.
    package func liveQuery(_ text: String, _ options: LiveOptions) throws -> LiveQuery<Object> {
        let request = try request(
            text, limit: options.limit, ranking: options.ranking, filter: options.filter,
            fields: options.fields, minimumScore: options.minimumScore, parser: options.parser)
        return try LiveQuery(self, request, options)
    }
}
