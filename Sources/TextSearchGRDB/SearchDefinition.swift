#if GRDB
    public import GRDB
    public import TextSearch

    /// Which table is searched, and what of its rows.
    ///
    /// ```swift
    /// let notes = SearchDefinition<Note>(columns: ["title", "body"]) { note in
    ///     IndexedObject(strings: [note.title, note.body])
    /// }
    /// ```
    public struct SearchDefinition<Record: FetchableRecord & Sendable>: Sendable {
        /// The table.
        public let table: String
        /// The columns that the indexer uses: a row is indexed again when one of these changes.
        public let columns: [String]
        /// What tells the definition from others of the same table; the table's name unless set.
        public let name: String
        /// Raise it when the indexer changes: all rows are read again.
        public let version: Int
        /// What to index of a row; nil leaves it out.
        public let indexer: @Sendable (Record) throws -> IndexedObject?

        /// Creates a definition.
        ///
        /// - Parameters:
        ///   - table: the table; a primary key of one to four columns is needed. Of a text in it GRDB reads what comes before a zero.
        ///   - columns: the columns that the indexer uses.
        ///   - name: what tells the definition from others of the same table; nil for the table's name.
        ///   - version: raise it when the indexer changes.
        ///   - indexer: gives the text of a row, with its weight and attributes; nil leaves the row out. Called on any thread.
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
        ///   - indexer: gives the text of a row, with its weight and attributes; nil leaves the row out. Called on any thread.
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
