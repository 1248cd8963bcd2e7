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
    /// How far it is behind the table that it follows; nil where it follows none. Blocks its thread
    /// while the database answers.
    package var following: (@Sendable () -> FollowedTable)?

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

/// A table that an index follows, and how far behind it the index is.
package struct FollowedTable: Sendable {
    /// The phases of following, as clients see them.
    package enum Phase: String, Sendable {
        /// Nothing was read yet.
        case new
        /// All rows are read.
        case reading
        /// Rows that are gone are removed.
        case sweeping
        /// Changes are applied as they come.
        case following
    }

    /// Its name in the database.
    package let table: String
    package let phase: Phase
    /// Changes of the table that the index does not have; nil where that is not known.
    package let behind: Int?
    /// Why it is not known how far the index is behind; nil where it is.
    package let problem: String?

    /// A table.
    package init(table: String, phase: Phase, behind: Int?, problem: String? = nil) {
        self.table = table
        self.phase = phase
        self.behind = behind
        self.problem = problem
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
