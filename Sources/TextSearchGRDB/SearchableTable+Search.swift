#if GRDB
    import Foundation
    public import GRDB
    public import TextSearch

    extension SearchableTable {
        /// The best rows for a text, of those that an SQL condition holds for.
        ///
        /// ```swift
        /// let page = try await notes.search("duck", where: Note.filter(Column("folder") == 3))
        /// ```
        ///
        /// All of the page is of one state of the index and one of the database. Rows that have
        /// gone since they were indexed are left out, and the page is filled up with the next ones.
        ///
        /// Complexity: that of the search for as many of the best as have to be looked at, and a
        /// look-up by key for each of them. Where the condition holds for few rows only, theirs are
        /// the only ones that are searched.
        ///
        /// - Parameters:
        ///   - text: the query text; any text is one.
        ///   - condition: the rows to choose from, with all columns and no limit; nil for all.
        ///   - limit: how many rows to give at most.
        ///   - offset: how many of the best to leave out.
        /// - Returns: The rows, best first.
        /// - Throws: ``TextSearch/TextIndexError``; what the database and the record throw.
        public func search(
            _ text: String, where condition: QueryInterfaceRequest<Record>? = nil,
            limit: Int = 20, offset: Int = 0
        ) async throws -> SearchPage<Record> {
            try await reader.read { db in
                try self.search(text, in: db, where: condition, limit: limit, offset: offset)
            }
        }

        /// The best rows for a query, of those that an SQL condition holds for; see
        /// ``search(_:where:limit:offset:)-(String,_,_,_)``.
        ///
        /// - Parameters:
        ///   - query: the query.
        ///   - condition: the rows to choose from, with all columns and no limit; nil for all.
        ///   - limit: how many rows to give at most.
        ///   - offset: how many of the best to leave out.
        /// - Returns: The rows, best first.
        /// - Throws: ``TextSearch/TextIndexError``; what the database and the record throw.
        public func search(
            _ query: Query, where condition: QueryInterfaceRequest<Record>? = nil,
            limit: Int = 20, offset: Int = 0
        ) async throws -> SearchPage<Record> {
            try await reader.read { db in
                try self.search(query, in: db, where: condition, limit: limit, offset: offset)
            }
        }

        /// The same within an access to the database, whose thread it blocks.
        ///
        /// - Parameters:
        ///   - text: the query text; any text is one.
        ///   - db: the database.
        ///   - condition: the rows to choose from, with all columns and no limit; nil for all.
        ///   - limit: how many rows to give at most.
        ///   - offset: how many of the best to leave out.
        /// - Returns: The rows, best first.
        /// - Throws: ``TextSearch/TextIndexError``; what the database and the record throw.
        public func search(
            _ text: String, in db: Database, where condition: QueryInterfaceRequest<Record>? = nil,
            limit: Int = 20, offset: Int = 0
        ) throws -> SearchPage<Record> {
            try PageSearch(self, condition, limit: limit, offset: offset).page(db) {
                try index.hits(text, limit: $0, filter: $1)
            }
        }

        /// The same within an access to the database, whose thread it blocks.
        ///
        /// - Parameters:
        ///   - query: the query.
        ///   - db: the database.
        ///   - condition: the rows to choose from, with all columns and no limit; nil for all.
        ///   - limit: how many rows to give at most.
        ///   - offset: how many of the best to leave out.
        /// - Returns: The rows, best first.
        /// - Throws: ``TextSearch/TextIndexError``; what the database and the record throw.
        public func search(
            _ query: Query, in db: Database, where condition: QueryInterfaceRequest<Record>? = nil,
            limit: Int = 20, offset: Int = 0
        ) throws -> SearchPage<Record> {
            try PageSearch(self, condition, limit: limit, offset: offset).page(db) {
                try index.hits(query, limit: $0, filter: $1)
            }
        }

        /// How many rows a query matches, of those that an SQL condition holds for.
        ///
        /// Complexity: that of matching, and linear in the number of matches.
        ///
        /// - Parameters:
        ///   - query: the query.
        ///   - condition: the rows to choose from; nil for all.
        /// - Returns: The number of rows.
        /// - Throws: ``TextSearch/TextIndexError``; what the database throws.
        public func count(
            _ query: Query, where condition: QueryInterfaceRequest<Record>? = nil
        ) async throws -> Int {
            try await reader.read { db in
                let request = condition ?? Record.all()
                return try request.filter(try self.keys(for: query).expression).fetchCount(db)
            }
        }

        /// The keys of all rows that a query finds.
        func keys(for query: Query) throws -> KeyList {
            KeyList(identifiers: try index.identifiers(for: .filter(query)), key)
        }
    }
#endif
