import TextSearch

/// Query text that hits must match besides, as words are written.
struct FilterText {
    /// Nil where there is none.
    var query: Query?
    /// What is to be said of it, for people.
    var notes: [String] = []

    init(_ text: String?, _ parser: QueryParser) {
        guard let text else { return }
        var exact = parser
        exact.options.matchModes = .exact
        let parsed = exact.parse(text)
        query = parsed.query
        notes = parsed.diagnostics.compactMap { Finder.note($0, in: text) }.map {
            "In the filter: \($0)"
        }
    }
}
