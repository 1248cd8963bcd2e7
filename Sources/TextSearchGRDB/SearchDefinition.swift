#if GRDB
    public import GRDB
    public import TextSearch

    /// Which table is searched, and what to index of its rows.
    ///
    /// ```swift
    /// let notes = SearchDefinition<Note>(columns: ["title", "body"]) { note in
    ///     IndexedObject(strings: [note.title, note.body])
    /// }
    /// ```
    public struct SearchDefinition<Record: FetchableRecord & Sendable>: Sendable {
        /// The name of the searched table.
        public let table: String
        /// The columns that the indexer uses. A row is indexed again when one of these changes.
        public let columns: [String]
        /// What distinguishes the definition from others of the same table; by default the table's
        /// name.
        public let name: String
        /// The version of the indexer. Raise it when the indexer changes, and all rows are read
        /// again.
        public let version: Int
        /// What to fetch of a row besides its columns; nil for its columns alone.
        public let request: QueryInterfaceRequest<Record>?
        /// The other tables whose rows say something of a row.
        public let dependencies: [SearchDependency]
        /// What to index of a row; nil leaves it out.
        public let indexer: @Sendable (Record) throws -> IndexedObject?

        /// Creates a definition.
        ///
        /// - Parameters:
        ///   - table: the table; a primary key of one to four columns is needed. Rows whose key has
        ///     more than about 4,000 bytes are left out and counted. Of a text in it GRDB reads
        ///     what comes before a zero.
        ///   - columns: the columns that the indexer uses.
        ///   - name: what distinguishes the definition from others of the same table; nil for the
        ///     table's name.
        ///   - version: raise it when the indexer changes.
        ///   - request: fetches rows with what belongs to them (`including(all:)`), without
        ///     conditions, order, limit and joins; nil for the columns of the table. It is run for
        ///     each row that has changed.
        ///   - dependencies: the other tables whose rows say something of a row.
        ///   - indexer: gives the text of a row, with its weight and attributes; nil leaves the row
        ///     out. Called on any thread.
        public init(
            table: String, columns: [String], name: String? = nil, version: Int = 0,
            request: QueryInterfaceRequest<Record>? = nil, dependencies: [SearchDependency] = [],
            indexer: @escaping @Sendable (Record) throws -> IndexedObject?
        ) {
            self.table = table
            self.columns = columns
            self.name = name ?? table
            self.version = version
            self.request = request
            self.dependencies = dependencies
            self.indexer = indexer
        }

        /// What does not depend on the type of the records.
        var logged: LoggedTable {
            LoggedTable(name: name, table: table, columns: columns, dependencies: dependencies)
        }
    }

    extension SearchDefinition where Record: TableRecord {
        /// Creates a definition for the table of the record type.
        ///
        /// - Parameters:
        ///   - columns: the columns that the indexer uses.
        ///   - version: raise it when the indexer changes.
        ///   - request: fetches rows with what belongs to them (`including(all:)`), without
        ///     conditions, order, limit and joins; nil for the columns of the table. It is run for
        ///     each row that has changed.
        ///   - dependencies: the other tables whose rows say something of a row.
        ///   - indexer: gives the text of a row, with its weight and attributes; nil leaves the row
        ///     out. Called on any thread.
        public init(
            columns: [String], version: Int = 0,
            request: QueryInterfaceRequest<Record>? = nil, dependencies: [SearchDependency] = [],
            indexer: @escaping @Sendable (Record) throws -> IndexedObject?
        ) {
            self.init(
                table: Record.databaseTableName, columns: columns, version: version,
                request: request, dependencies: dependencies, indexer: indexer)
        }
    }
#endif
