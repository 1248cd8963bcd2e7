package import TextSearch

/// An index with what the server has to know of its objects.
package struct ServedIndex<Object>: Sendable {
    /// The index.
    package let index: TextIndex<Object>
    /// Reads query texts.
    package var parser: QueryParser
    /// The attributes that its objects are said to have.
    package var attributes: [String]
    /// What hits are ordered by when nobody says otherwise.
    package var ranking: Ranking
    /// The strings of an object, or their beginnings; nil where they cannot be had.
    package var strings: @Sendable (SearchResultItem<Object>) -> [String]?
    /// What to call an object beside its identifier.
    package var title: @Sendable (SearchResultItem<Object>) -> String?

    /// An index.
    package init(
        _ index: TextIndex<Object>, attributes: [String] = [], ranking: Ranking = .relevance,
        title: @escaping @Sendable (SearchResultItem<Object>) -> String? = { _ in nil },
        strings: @escaping @Sendable (SearchResultItem<Object>) -> [String]?
    ) {
        self.index = index
        self.attributes = attributes
        self.ranking = ranking
        self.title = title
        self.strings = strings
        let names = Set(attributes)
        parser = index.queryParser
        parser.isAttribute = { names.contains($0) }
    }
}

/// Where an index comes from: how it is opened, and how a newer one is noticed.
package struct IndexSource<Object>: Sendable {
    /// What clients call it.
    package let name: String
    /// Opens it, or its newest generation.
    package let open: @Sendable () throws -> ServedIndex<Object>
    /// The number of the newest generation; nil where the index is opened itself.
    package let newest: (@Sendable () throws -> Int?)?

    /// A source.
    package init(
        name: String, newest: (@Sendable () throws -> Int?)? = nil,
        open: @escaping @Sendable () throws -> ServedIndex<Object>
    ) {
        self.name = name
        self.newest = newest
        self.open = open
    }
}
