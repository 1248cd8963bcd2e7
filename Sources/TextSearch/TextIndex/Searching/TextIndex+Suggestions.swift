extension TextIndex {
    /// Suggests what a typed text may mean: how its last word may go on, which words may follow,
    /// and what mistyped words may be.
    ///
    /// ```swift
    /// let suggestions = try index.suggestions(for: "white wh")
    /// for suggestion in suggestions.completions + suggestions.corrections {
    ///     print(suggestion.text, suggestion.objectCount)
    /// }
    /// ```
    ///
    /// The text is words; operators of the query language mean nothing here. Completions and
    /// corrections are terms of the index, folded. Phrases come from the text of the 50 objects
    /// that match best, as it is written there; objects whose text cannot be read add nothing.
    /// ``Suggestions`` describes the order.
    ///
    /// Complexity: completions are linear in the postings of the words that begin with the last
    /// one. Each corrected word scans the whole vocabulary. Phrases analyse the text of 50 objects.
    ///
    /// - Parameters:
    ///   - text: the text. If it is longer than ``QueryLimits/maximumTextLength``, nothing is
    ///     suggested.
    ///   - options: what to suggest.
    ///   - texts: returns the strings of an object, for phrases; nil for
    ///     ``SearchResultItem/strings()``, which uses the hooks of the index.
    /// - Returns: The suggestions.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.invalidArgument` for a field
    ///   that the index does not have; `.limitExceeded` for a filter beyond the limits.
    public func suggestions(
        for text: String, options: SuggestionOptions = .init(),
        texts: ((SearchResultItem<Object>) throws -> [String])? = nil
    ) throws -> Suggestions {
        try suggestions(
            for: text, options, texts,
            SearchClock(
                options.budget, longest: configuration.searchTimeout,
                memory: configuration.queryLimits.memoryBytes))
    }

    func suggestions(
        for text: String, _ options: SuggestionOptions,
        _ texts: ((SearchResultItem<Object>) throws -> [String])?, _ clock: SearchClock
    ) throws -> Suggestions {
        if let filter = options.filter { try configuration.queryLimits.check(filter) }
        let string = try options.field.map { try number(ofField: $0) }
        guard text.utf8.count <= max(configuration.queryLimits.maximumTextLength, 0),
            options.limit > 0
        else { return Suggestions() }
        let snapshot = writer.snapshot
        let analysis = snapshot.analyzer.analyses(of: string)[0].analysis
        let words = SuggestedText(text, analysis)
        guard !words.words.isEmpty else { return Suggestions() }
        var suggestions = try usage.search {
            try self.suggestions(words, options, in: string, snapshot, clock)
        }
        if options.kinds.contains(.phrases) {
            let rest = SearchClock(
                clock, maximumExpansions: configuration.queryLimits.expansions)
            suggestions.phrases = try phrases(
                words, options, analysis, rest, texts ?? { try $0.strings() })
            suggestions.isComplete = !rest.isSpent
        }
        return suggestions
    }

    private func number(ofField name: String) throws -> UInt32 {
        guard let index = configuration.fields.firstIndex(of: name) else {
            throw TextIndexError(.invalidArgument, "The index has no field of that name.")
        }
        return UInt32(index)
    }

    // MARK: What the index knows

    /// Completions and corrections.
    private func suggestions(
        _ text: SuggestedText, _ options: SuggestionOptions, in string: UInt32?,
        _ snapshot: Snapshot, _ clock: SearchClock
    ) throws -> Suggestions {
        var evaluator = evaluator(snapshot, .relevance, clock)
        let values = try ObjectValues(snapshot)
        var suggestions = Suggestions()
        do {
            if options.kinds.contains(.completions), let last = text.last {
                let rest = text.finished.filter { !$0.isStopWord }.map { Query.term($0.text) }
                let scope = try SuggestionScope(
                    rest, filter: options.filter, in: string, values, &evaluator)
                suggestions.completions = try completions(
                    of: last, text, scope, options.limit, in: string, &evaluator)
            }
            if options.kinds.contains(.corrections) {
                suggestions.corrections = try corrections(
                    text, options, in: string, values, &evaluator)
            }
        } catch is SearchEnded {}
        suggestions.isComplete = !clock.isSpent
        return suggestions
    }

    private func completions(
        of last: SuggestedText.Word, _ text: SuggestedText, _ scope: SuggestionScope, _ limit: Int,
        in string: UInt32?, _ evaluator: inout QueryEvaluator
    ) throws -> [Suggestion] {
        var finder = CompletionFinder(
            scope: scope, limit: limit,
            lowValueWords: evaluator.analyzer.analysis(ofString: Int(string ?? .max)).lowValueWords)
        finder.known = try scope.repeated(last, text, in: string, &evaluator)
        return try finder.completions(of: last.term, &evaluator.terms).map { term, tally in
            Suggestion(
                text.text,
                [
                    .init(
                        utf8Range: last.range, replacement: String(decoding: term, as: UTF8.self),
                        typedUTF8Range: 0..<last.term.count)
                ], objectCount: tally.count, score: tally.value)
        }
    }

    private func corrections(
        _ text: SuggestedText, _ options: SuggestionOptions, in string: UInt32?,
        _ values: ObjectValues, _ evaluator: inout QueryEvaluator
    ) throws -> [Suggestion] {
        let unknown = UnknownWords(
            snapshot: evaluator.snapshot, store: store, clock: evaluator.clock)
        var rest: [Query] = []
        var wrong: [SuggestedText.Word] = []
        for (number, word) in text.words.enumerated() {
            guard let read = word.word, !word.isStopWord else { continue }
            let isLast = text.endsInWord && number == text.words.count - 1
            if try word.isSpaceless || unknown.isKnown(read) {
                rest.append(isLast ? .prefix(word.text) : .term(word.text))
            } else if isLast, try unknown.beginsWord(word.term) {
                rest.append(.prefix(word.text))
            } else if wrong.count < CorrectionFinder.mostWords,
                wrong.last.map({ $0.range.upperBound <= word.range.lowerBound }) ?? true
            {
                // Of words that overlap, as a tokenizer may cut them, one is taken.
                wrong.append(word)
            }
        }
        guard !wrong.isEmpty else { return [] }
        let scope = try SuggestionScope(
            rest, filter: options.filter, in: string, values, &evaluator)
        let finder = CorrectionFinder(
            scope: scope, errors: TypingErrors(options.keyboard), limit: options.limit)
        let found = try finder.corrections(of: wrong.map(\.term), unknown, &evaluator.terms)
        return found.map { correction in
            let edits = zip(wrong, correction.terms).compactMap { word, term in
                term.map {
                    Suggestion.Edit(
                        utf8Range: word.range, replacement: String(decoding: $0, as: UTF8.self),
                        typedUTF8Range: 0..<0)
                }
            }
            return Suggestion(
                text.text, edits, objectCount: correction.tally.count, score: correction.score)
        }
    }

    // MARK: What the objects say

    private func phrases(
        _ text: SuggestedText, _ options: SuggestionOptions, _ analysis: FieldAnalyzer,
        _ clock: SearchClock, _ texts: (SearchResultItem<Object>) throws -> [String]
    ) throws -> [Suggestion] {
        let typed = Query.phrase(text.text, lastWordIsPrefix: text.endsInWord)
        let wanted = options.field.map { Query.field($0, typed) } ?? typed
        let query = options.filter.map { Query.all(of: [wanted, .filter($0)]) } ?? wanted
        let string = options.field.flatMap { configuration.fields.firstIndex(of: $0) }
        var finder = PhraseFinder(text, analysis, limit: options.limit, clock)
        for item in try search(SearchRequest(query: query, limit: 50), clock) {
            if clock.check() { break }
            guard let strings = try? texts(item) else { continue }
            let some = string.map { $0 < strings.count ? [strings[$0]] : [] } ?? strings
            try finder.add(some, value: ObjectValues.value(ofWeight: item.weight), clock)
        }
        return finder.suggestions
    }
}

extension TextIndex {
    /// Suggests what a typed text may mean: how its last word may go on, which words may follow,
    /// and what mistyped words may be. The text of objects, for phrases, comes from the hooks.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - options: what to suggest.
    /// - Returns: The suggestions.
    /// - Throws: ``TextIndexError``; `CancellationError` in a task that is cancelled, which ends
    ///   the work.
    public func suggestions(
        for text: String, options: SuggestionOptions = .init()
    ) async throws -> Suggestions {
        try await cancellable(options.budget) { budget in
            var options = options
            options.budget = budget
            return try self.suggestions(for: text, options: options)
        }
    }
}
