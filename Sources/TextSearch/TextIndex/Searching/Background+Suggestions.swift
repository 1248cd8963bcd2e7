extension TextIndex.Background {
    /// Suggests as ``TextIndex/suggestions(for:options:texts:)`` does, without blocking a thread of
    /// the caller. The text of objects comes from the hooks of the index.
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
            return try index.suggestions(for: text, options: options)
        }
    }
}
