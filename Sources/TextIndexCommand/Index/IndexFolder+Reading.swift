import TextSearch

extension IndexFolder {
    /// How texts of queries are read: the attributes of the index are known by their names.
    ///
    /// - Parameters:
    ///   - mode: how to read queries.
    ///   - others: names that are attributes too.
    /// - Returns: the parser.
    func queryParser(_ mode: SearchMode = .auto, others: [String] = []) -> QueryParser {
        let attributes = Set(settings.attributeChoices.map(\.name) + others)
        var parser = index.queryParser
        parser.isAttribute = { attributes.contains($0) }
        if mode == .lenient { parser.options.matchModes = .lenient }
        if mode == .query { parser.options.steps = .exact }
        return parser
    }

    /// - Throws: ``CommandError`` for a field that the index does not have.
    func check(field: String?) throws {
        if let field, !settings.fields.contains(field) { throw settings.noField(field) }
    }
}
