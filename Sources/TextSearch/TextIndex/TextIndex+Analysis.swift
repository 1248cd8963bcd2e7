extension TextIndex {
    /// Shows how a text is analysed: its words, what each is indexed as, and why some cannot be
    /// found.
    ///
    /// Complexity: linear in the text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - field: the name of the field whose analysis to show; nil for that of strings without a
    ///     name.
    ///   - language: the language of the text, as in ``IndexedObject/language``.
    ///   - asQuery: whether to show how the text of a query is read.
    /// - Returns: The words, in text order.
    /// - Throws: ``TextIndexError`` with `.invalidArgument` when there is no such field.
    public func analyze(
        _ text: String, field: String? = nil, language: StemmerLanguage? = nil,
        asQuery: Bool = false
    ) throws -> [AnalyzedWord] {
        var string = configuration.fields.count
        if let field {
            guard let index = configuration.fields.firstIndex(of: field) else {
                throw TextIndexError(
                    .invalidArgument,
                    """
                    The index has no field of that name; it has \
                    \(configuration.fields.isEmpty ? "none" : configuration.fields.joined(separator: ", ")).
                    """)
            }
            string = index
        }
        return writer.snapshot.analyzer.analysis(ofString: string).analyze(
            text, language: language, asQuery: asQuery)
    }
}
