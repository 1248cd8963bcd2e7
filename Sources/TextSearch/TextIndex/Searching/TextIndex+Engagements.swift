public import Foundation

extension TextIndex {
    // MARK: Recording

    /// Records that a result of a search was chosen, so that it ranks higher for the same query
    /// with ``Ranking/learning(_:)``.
    ///
    /// ```swift
    /// let results = try index.search("duck", ranking: .relevance.learning())
    /// index.recordEngagement(results.items[0], for: "duck")
    /// ```
    ///
    /// Queries are the same if their words are, whatever their case, accents and order. In phrases
    /// the order counts, and so do fields and operators. The engagement is stored as any operation
    /// is: it takes effect in its turn, and survives what ``Durability`` says. It is forgotten in
    /// the moment in which the object is removed, and kept if the object is replaced. For an object
    /// that is not in the index nothing is recorded, which is no error. ``LearningSettings`` bound
    /// how much is remembered.
    ///
    /// - Parameters:
    ///   - item: the chosen result.
    ///   - text: the query text.
    ///   - strength: how much it counts, more than 0; 1 for an ordinary choice.
    ///   - date: when it was chosen.
    /// - Returns: The operation, already in the queue. It fails with ``TextIndexError``:
    ///   `.limitExceeded` for a query longer than ``LearningSettings/maximumQueryLength``;
    ///   `.invalidArgument` for one that asks for everything or nothing, and for numbers that are
    ///   not finite.
    @discardableResult
    public func recordEngagement(
        _ item: SearchResultItem<Object>, for text: String, strength: Double = 1,
        at date: Date = Date()
    ) -> IndexingOperation {
        recordEngagement(
            withIdentifier: item.identifier, for: text, strength: strength, at: date)
    }

    /// Records that a result of a typed query was chosen, as
    /// ``recordEngagement(_:for:strength:at:)-(_,String,_,_)`` does.
    ///
    /// - Parameters:
    ///   - item: the chosen result.
    ///   - query: the query.
    ///   - strength: how much it counts.
    ///   - date: when it was chosen.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func recordEngagement(
        _ item: SearchResultItem<Object>, for query: Query, strength: Double = 1,
        at date: Date = Date()
    ) -> IndexingOperation {
        record(item.identifier, strength, date) { [self] in try engagementName(of: query) }
    }

    /// Records that an object was chosen, as
    /// ``recordEngagement(_:for:strength:at:)-(_,String,_,_)`` does.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - text: the query text.
    ///   - strength: how much it counts.
    ///   - date: when it was chosen.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func recordEngagement(
        withIdentifier identifier: Data, for text: String, strength: Double = 1,
        at date: Date = Date()
    ) -> IndexingOperation {
        record(identifier, strength, date) { [self] in try engagementName(of: text) }
    }

    /// Adds an engagement that this or another index listed.
    ///
    /// - Parameter engagement: the engagement; its query is used as it is.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func recordEngagement(_ engagement: Engagement) -> IndexingOperation {
        record(engagement.identifier, engagement.strength, engagement.date) { [self] in
            try checkedName(engagement.query)
        }
    }

    private func record(
        _ identifier: Data, _ strength: Double, _ date: Date,
        _ name: @escaping @Sendable () throws -> [UInt8]
    ) -> IndexingOperation {
        submit(identifier: Result { identifier }) { identifier, _ in
            let time = date.timeIntervalSinceReferenceDate
            guard strength > 0, strength.isFinite, time.isFinite else {
                throw TextIndexError(
                    .invalidArgument,
                    "An engagement has a strength above 0 and a date, and both are numbers.")
            }
            let engagement = StoredEngagement(strength: strength, time: time)
            return .engagement(
                .record(identifier: identifier, query: try name(), engagement))
        }
    }

    // MARK: Names

    private func engagementName(of text: String) throws -> [UInt8] {
        try checkedName(engagementText(text))
    }

    private func engagementName(of query: Query) throws -> [UInt8] {
        try configuration.queryLimits.check(query)
        return try checkedName(engagementText(query))
    }

    private func checkedName(_ text: String?) throws -> [UInt8] {
        guard let text, !text.isEmpty else {
            throw TextIndexError(
                .invalidArgument, "The query asks for everything or nothing; learning needs words.")
        }
        let longest = min(max(configuration.learning.maximumQueryLength, 1), 4096)
        guard text.utf8.count <= longest else {
            throw TextIndexError(
                .limitExceeded,
                "The query has \(text.utf8.count) bytes; maximumQueryLength is \(longest).")
        }
        return Array(text.utf8)
    }

    // MARK: Forgetting

    /// Forgets all engagements of an object.
    ///
    /// - Parameter identifier: the object's identifier.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func forgetEngagements(withIdentifier identifier: Data) -> IndexingOperation {
        submit(identifier: Result { identifier }) { identifier, _ in
            .engagement(.forgetObject(identifier))
        }
    }

    /// Forgets all engagements with a query.
    ///
    /// - Parameter text: the query text, as it was recorded or as it is listed.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func forgetEngagements(for text: String) -> IndexingOperation {
        forget { [self] in
            let names = [engagementText(text), text].compactMap { $0.map { Array($0.utf8) } }
            return .forgetQueries(names, before: nil)
        }
    }

    /// Forgets all engagements with a typed query.
    ///
    /// - Parameter query: the query.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func forgetEngagements(for query: Query) -> IndexingOperation {
        forget { [self] in .forgetQueries([try engagementName(of: query)], before: nil) }
    }

    /// Forgets all engagements, at once.
    ///
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func forgetAllEngagements() -> IndexingOperation { forget { .forgetAll } }

    /// Forgets all engagements that were last strengthened before a date, and returns when that is
    /// done.
    ///
    /// Complexity: linear in all engagements, which are read. If it ends early, some of them are
    /// forgotten.
    ///
    /// - Parameter date: the date.
    /// - Throws: ``TextIndexError``.
    public func forgetEngagements(before date: Date) throws {
        for names in try namesToForget(before: date) {
            let operation = forget(names, before: date)
            operation.waitUntilFinished()
            if let error = operation.error { throw error }
        }
    }

    /// The queries some of whose engagements were strengthened last before a date, in parts for one
    /// operation each.
    fileprivate func namesToForget(before date: Date) throws -> [[[UInt8]]] {
        let time = date.timeIntervalSinceReferenceDate
        var parts: [[[UInt8]]] = []
        try forEachStored { name, engagements in
            guard engagements.objects.values.contains(where: { $0.time < time }) else {
                return true
            }
            if parts.last.map({ $0.count == 1_000 }) ?? true { parts.append([]) }
            parts[parts.count - 1].append(name)
            return true
        }
        return parts
    }

    fileprivate func forget(_ names: [[UInt8]], before date: Date) -> IndexingOperation {
        forget { .forgetQueries(names, before: date.timeIntervalSinceReferenceDate) }
    }

    private func forget(
        _ change: @escaping @Sendable () throws -> EngagementChange
    ) -> IndexingOperation {
        submit(about: .success([])) { _, _ in .engagement(try change()) }
    }

    // MARK: Listing

    /// Returns the engagements with a query, in the order of identifiers.
    ///
    /// - Parameter text: the query text.
    /// - Returns: The engagements.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func engagements(for text: String) throws -> [Engagement] {
        try usage.search {
            guard let query = engagementText(text) else { return [] }
            return try engagements(named: query)
        }
    }

    private func engagements(named query: String) throws -> [Engagement] {
        try QueryEngagements.stored(Array(query.utf8), in: store)?.entry.listed(query) ?? []
    }

    /// Returns the engagements of an object, in the order of queries.
    ///
    /// - Parameter identifier: the object's identifier.
    /// - Returns: The engagements.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func engagements(withIdentifier identifier: Data) throws -> [Engagement] {
        try usage.search {
            let object = try EngagedObject.stored(Array(identifier), in: store)?.entry
            let queries = object?.queries.keys.sorted { $0.lexicographicallyPrecedes($1) } ?? []
            return try queries.flatMap {
                try engagements(named: String(decoding: $0, as: UTF8.self))
                    .filter { $0.identifier == identifier }
            }
        }
    }

    /// Calls `body` with every engagement until it returns false, ordered by query and then by
    /// identifier, byte by byte.
    ///
    /// What is recorded or forgotten meanwhile may or may not be included.
    ///
    /// - Parameter body: called with an engagement; returns whether to continue.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; what `body` throws.
    public func forEachEngagement(_ body: (Engagement) throws -> Bool) throws {
        try forEachStored { name, engagements in
            for engagement in engagements.listed(String(decoding: name, as: UTF8.self)) {
                guard try body(engagement) else { return false }
            }
            return true
        }
    }

    /// The index is not held open while `body` runs, so that it may call what waits.
    private func forEachStored(
        _ body: ([UInt8], QueryEngagements) throws -> Bool
    ) throws {
        var next: [UInt8]? = []
        while let start = next {
            var some: [(name: [UInt8], engagements: QueryEngagements)] = []
            next = nil
            try usage.search {
                let from = start.isEmpty ? [] : QueryEngagements.key(start)
                try store.makeCursor(fillCache: false).forEach(in: .engagements, from: from) {
                    key, value in
                    let name = Array(key.dropFirst())
                    if some.count == 256 {
                        next = name
                        return false
                    }
                    some.append((name, try QueryEngagements(key, value)))
                    return true
                }
            }
            for (name, engagements) in some {
                guard try body(name, engagements) else { return }
            }
        }
    }
}

extension QueryEngagements {
    /// In the order of identifiers.
    func listed(_ query: String) -> [Engagement] {
        sorted.map { identifier, engagement in
            Engagement(
                identifier: Data(identifier), query: query, strength: engagement.strength,
                date: Date(timeIntervalSinceReferenceDate: engagement.time))
        }
    }
}

extension TextIndex {
    /// Forgets all engagements that were last strengthened before a date, and returns when that is
    /// done.
    ///
    /// - Parameter date: the date.
    /// - Throws: ``TextIndexError``.
    public func forgetEngagements(before date: Date) async throws {
        let parts = try await run { try self.namesToForget(before: date) }
        for names in parts { _ = try await forget(names, before: date).value() }
    }
}
