public import Foundation

extension TextIndex {
    /// Searches for objects that are similar to one of the index.
    ///
    /// ```swift
    /// for item in try index.similarObjects(to: note.identifier) { print(item.score) }
    /// ```
    ///
    /// It searches for any of the object's significant terms, each with its weight; see
    /// ``significantTerms(of:options:texts:)``. The object itself is left out.
    /// ``SearchResults/query`` is the query that was run.
    ///
    /// Complexity: linear in the object's text; a look-up for each of its terms; then that of a
    /// search for any of ``SimilarityOptions/maximumTerms`` words.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - options: what counts as similar, and how many results to return.
    ///   - texts: returns the strings of the object; nil for ``SearchResultItem/strings()``, which
    ///     uses the hooks, since the index keeps no text.
    /// - Returns: The results; none if the object is not in the index or has no text.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`, `.missingHook`;
    ///   `.invalidArgument` for a field that the index does not have; `.limitExceeded` for what
    ///   ``QueryLimits`` refuse; what the hooks throw.
    public func similarObjects(
        to identifier: Data, options: SimilarityOptions = .init(),
        texts: ((SearchResultItem<Object>) throws -> [String])? = nil
    ) throws -> SearchResults<Object> {
        let clock = clock(options)
        let terms = try significantTerms(of: identifier, options, clock, texts)
        return try search(for: terms, options, except: identifier, clock)
    }

    /// Searches for objects that are similar to a text, as ``similarObjects(to:options:texts:)``
    /// does.
    ///
    /// - Parameters:
    ///   - text: any text; operators of the query language mean nothing here.
    ///   - options: what counts as similar, and how many results to return.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.invalidArgument` for a field
    ///   that the index does not have; `.limitExceeded` for what ``QueryLimits`` refuse.
    public func similarObjects(
        toText text: String, options: SimilarityOptions = .init()
    ) throws -> SearchResults<Object> {
        try similarObjects(toText: text, options, clock(options))
    }

    func similarObjects(
        toText text: String, _ options: SimilarityOptions, _ clock: SearchClock
    ) throws -> SearchResults<Object> {
        let terms = try significantTerms(ofText: text, options, clock)
        return try search(for: terms, options, except: nil, clock)
    }

    /// Searches for objects with some significant terms, as ``similarObjects(to:options:texts:)``
    /// does with those that it finds. An application can show the terms, or let people choose.
    ///
    /// Complexity: that of a search for any of the terms.
    ///
    /// - Parameters:
    ///   - terms: the terms, as ``significantTerms(of:options:texts:)`` or
    ///     ``significantTerms(ofText:options:)`` gives them.
    ///   - identifier: the object to leave out, if there is one.
    ///   - options: what counts as similar, and how many results to return.
    /// - Returns: The results; none without terms.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` for what
    ///   ``QueryLimits`` refuse.
    public func similarObjects(
        having terms: [SignificantTerm], except identifier: Data? = nil,
        options: SimilarityOptions = .init()
    ) throws -> SearchResults<Object> {
        try search(for: terms, options, except: identifier, clock(options))
    }

    /// Returns the terms that distinguish an object from others: those with the highest tf·idf, the
    /// product of occurrences in it and inverse document frequency.
    ///
    /// Stop words, and terms that no other object has, are left out.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - options: how many terms to return, and of which field.
    ///   - texts: returns the strings of the object; nil for ``SearchResultItem/strings()``.
    /// - Returns: The terms, the most significant first; none if the object is not in the index.
    /// - Throws: As ``similarObjects(to:options:texts:)``.
    public func significantTerms(
        of identifier: Data, options: SimilarityOptions = .init(),
        texts: ((SearchResultItem<Object>) throws -> [String])? = nil
    ) throws -> [SignificantTerm] {
        try significantTerms(of: identifier, options, clock(options), texts)
    }

    private func significantTerms(
        of identifier: Data, _ options: SimilarityOptions, _ clock: SearchClock,
        _ texts: ((SearchResultItem<Object>) throws -> [String])?
    ) throws -> [SignificantTerm] {
        let only = try options.field.map { try number(ofFieldLike: $0) }
        guard let item = try item(for: identifier) else { return [] }
        let strings = try texts?(item) ?? item.strings()
        let numbered = strings.enumerated().filter { only == nil || $0.offset == only }
        return try significantTerms(of: numbered, options, leastFrequency: 2, clock)
    }

    /// Returns the terms that distinguish a text from others, as
    /// ``significantTerms(of:options:texts:)`` does for an object.
    ///
    /// The text is analysed as the field is, or as strings without a name are. Terms that no object
    /// has are left out.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - options: how many terms to return, and of which field.
    /// - Returns: The terms, the most significant first.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.invalidArgument` for a field
    ///   that the index does not have.
    public func significantTerms(
        ofText text: String, options: SimilarityOptions = .init()
    ) throws -> [SignificantTerm] {
        try significantTerms(ofText: text, options, clock(options))
    }

    private func significantTerms(
        ofText text: String, _ options: SimilarityOptions, _ clock: SearchClock
    ) throws -> [SignificantTerm] {
        let field = try options.field.map { try number(ofFieldLike: $0) }
        let string = field ?? configuration.fields.count
        return try significantTerms(of: [(string, text)], options, leastFrequency: 1, clock)
    }

    private func significantTerms(
        of strings: [(offset: Int, element: String)], _ options: SimilarityOptions,
        leastFrequency: Int, _ clock: SearchClock
    ) throws -> [SignificantTerm] {
        try usage.search {
            let snapshot = writer.snapshot
            var terms = TermSignificance(clock)
            for (number, string) in strings where !clock.check() {
                try terms.add(
                    string, snapshot.analyzer.analysis(ofString: number),
                    discardsDuplicates: snapshot.analyzer.discardsDuplicates, clock)
            }
            return try terms.best(
                options.maximumTerms, occurrences: options.minimumOccurrences,
                leastFrequency: leastFrequency, snapshot, store, clock)
        }
    }

    private func number(ofFieldLike name: String) throws -> Int {
        guard let index = configuration.fields.firstIndex(of: name) else {
            throw TextIndexError(.invalidArgument, "The index has no field of that name.")
        }
        return index
    }

    private func search(
        for terms: [SignificantTerm], _ options: SimilarityOptions, except identifier: Data?,
        _ clock: SearchClock
    ) throws -> SearchResults<Object> {
        let words = terms.map { term in
            let word = Query.term(term.text)
            return Query.boost(options.field.map { .field($0, word) } ?? word, term.weight)
        }
        let least = max(options.minimumMatches, 1)
        var parts = [least > 1 ? Query.atLeast(least, of: words) : .any(of: words)]
        if let filter = options.filter { parts.append(.filter(filter)) }
        if let identifier { parts.append(.none(of: [.identifiers([identifier])])) }
        // Without terms nothing is asked for, and nothing is like it.
        let query = words.isEmpty ? Query.nothing : .all(of: parts)
        return try search(
            SearchRequest(
                query: query, ranking: options.ranking, limit: options.limit,
                offset: options.offset, budget: options.budget), clock)
    }

    private func clock(_ options: SimilarityOptions) -> SearchClock {
        SearchClock(
            options.budget, longest: configuration.searchTimeout,
            maximumExpansions: configuration.queryLimits.expansions,
            memory: configuration.queryLimits.memoryBytes)
    }
}

extension TextIndex {
    /// Searches for objects that are similar to one of the index, whose text comes from the hooks.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - options: what counts as similar, and how many results to return.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``; what the hooks throw; `CancellationError` in a cancelled task,
    ///   which ends the search.
    public func similarObjects(
        to identifier: Data, options: SimilarityOptions = .init()
    ) async throws -> SearchResults<Object> {
        try await cancellable(options.budget) { budget in
            var options = options
            options.budget = budget
            return try self.similarObjects(to: identifier, options: options)
        }
    }

    /// Searches for objects that are similar to a text.
    ///
    /// - Parameters:
    ///   - text: any text; operators of the query language mean nothing here.
    ///   - options: what counts as similar, and how many results to return.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func similarObjects(
        toText text: String, options: SimilarityOptions = .init()
    ) async throws -> SearchResults<Object> {
        try await cancellable(options.budget) { budget in
            var options = options
            options.budget = budget
            return try self.similarObjects(toText: text, options: options)
        }
    }

    /// Returns the objects that have significant terms, best first, without blocking a thread of
    /// the caller.
    ///
    /// - Parameters:
    ///   - terms: the terms.
    ///   - identifier: an object to leave out.
    ///   - options: how many results to return.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``; `CancellationError` in a cancelled task, which ends the
    ///   search.
    public func similarObjects(
        having terms: [SignificantTerm], except identifier: Data? = nil,
        options: SimilarityOptions = .init()
    ) async throws -> SearchResults<Object> {
        try await cancellable(options.budget) { budget in
            var options = options
            options.budget = budget
            return try self.similarObjects(having: terms, except: identifier, options: options)
        }
    }
}
