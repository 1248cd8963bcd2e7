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
        /// Returns what to index of a row; nil leaves it out.
        public let indexer: @Sendable (Record) throws -> IndexedObject?

        /// Creates a definition.
        ///
        /// - Parameters:
        ///   - table: the table; it needs a primary key of one to four columns. GRDB reads a text
        ///     in it only up to a zero character.
        ///   - columns: the columns that the indexer uses.
        ///   - name: what distinguishes the definition from others of the same table; nil for the
        ///     table's name.
        ///   - version: raise it when the indexer changes.
        ///   - indexer: returns the text of a row, with its weight and attributes; nil leaves the
        ///     row out. Called on any thread.
        public init(
            table: String, columns: [String], name: String? = nil, version: Int = 0,
            indexer: @escaping @Sendable (Record) throws -> IndexedObject?
        ) {
            self.table = table
            self.columns = columns
            self.name = name ?? table
            self.version = version
            self.indexer = indexer
        }

        /// What does not depend on the type of the records.
        var logged: LoggedTable { LoggedTable(name: name, table: table, columns: columns) }
    }

    extension SearchDefinition where Record: TableRecord {
        /// Creates a definition for the table of the record type.
        ///
        /// - Parameters:
        ///   - columns: the columns that the indexer uses.
        ///   - version: raise it when the indexer changes.
        ///   - indexer: returns the text of a row, with its weight and attributes; nil leaves the
        ///     row out. Called on any thread.
        public init(
            columns: [String], version: Int = 0,
            indexer: @escaping @Sendable (Record) throws -> IndexedObject?
        ) {
            self.init(
                table: Record.databaseTableName, columns: columns, version: version,
                indexer: indexer)
        }
    }
#endif
