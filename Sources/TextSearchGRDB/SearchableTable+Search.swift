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
                try index.search(text, limit: $0, offset: $1, filter: $2)
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
                try index.search(query, limit: $0, offset: $1, filter: $2)
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

    /// Fills a page with the best hits whose rows a condition holds for.
    ///
    /// The best hits are looked at a stretch at a time, each as long as the ones before let expect
    /// that it nearly fills the page. Where that would take very many, the rows of the condition
    /// are asked for, and only these are searched, if they are few. Both ways give the same rows.
    private struct PageSearch<Record: FetchableRecord & TableRecord & Sendable> {
        /// Of the best, with a limit, an offset and a filter.
        typealias Search = (Int, Int, Query?) throws -> SearchResults<Record>

        /// The first stretch with a condition; most pages are full then.
        private static var firstCount: Int { 64 }
        /// Hits that are ranked at once.
        private static var mostCount: Int { 4_096 }
        /// Rows that are asked for at once: for fewer, to ask takes longer than to look.
        private static var stretches: ClosedRange<Double> { 256...2_048 }
        /// To look at so many hits takes as long as to find the documents of `mostKeys`
        /// identifiers.
        private static var mostLookedAt: Int { 8_192 }
        private static var mostKeys: Int { 2_000 }

        private let table: SearchableTable<Record>
        private let condition: QueryInterfaceRequest<Record>?
        private let limit: Int
        private let offset: Int
        /// Rows up to the end of the page.
        private let wanted: Int

        init(
            _ table: SearchableTable<Record>, _ condition: QueryInterfaceRequest<Record>?,
            limit: Int, offset: Int
        ) {
            self.table = table
            self.condition = condition
            self.limit = max(limit, 0)
            self.offset = max(offset, 0)
            wanted = min(self.offset, Int.max - self.limit) + self.limit
        }

        /// How far it has come.
        private struct Progress {
            var page = SearchPage<Record>()
            var passedCount = 0
            var lookedAtCount = 0

            /// About how many more hits have to be looked at for so many rows in all.
            func expected(_ wanted: Int) -> Double {
                Double(wanted - passedCount) * Double(lookedAtCount)
                    / max(Double(passedCount), 0.5)
            }
        }

        func page(_ db: Database, _ search: Search) throws -> SearchPage<Record> {
            guard limit > 0 else { return SearchPage() }
            let count = max(min(wanted, Self.mostCount), condition == nil ? 1 : Self.firstCount)
            let results = try search(count, 0, nil)
            var progress = Progress()
            try take(results, &progress, db)
            var (cursor, isLast) = (results.cursor, results.count < count)
            while true {
                progress.page.mayHaveMore = progress.page.hits.count == limit
                if progress.page.mayHaveMore || isLast { return progress.page }
                if progress.expected(wanted) > Double(Self.mostLookedAt),
                    let keys = try fewKeys(db)
                {
                    return try page(of: keys, db, search)
                }
                let count = Int(
                    (progress.expected(wanted) * 1.1).clamped(to: 512...Double(Self.mostCount)))
                let hits = try table.index.hits(after: cursor, limit: count)
                try take(hits, &progress, db)
                (cursor, isLast) = (hits.cursor, hits.count < count)
            }
        }

        private func take(
            _ results: SearchResults<Record>, _ progress: inout Progress, _ db: Database
        ) throws {
            let records = try self.records(of: results.map(\.identifier), db)
            progress.lookedAtCount += results.count
            for item in results where progress.page.hits.count < limit {
                guard let record = records[item.identifier] else { continue }
                progress.passedCount += 1
                guard progress.passedCount > offset else { continue }
                progress.page.hits.append(SearchHit(record: record, item: item))
            }
        }

        /// The same of hits without items, until the page is full: those of the page get one.
        private func take(
            _ hits: RankedHits<Record>, _ progress: inout Progress, _ db: Database
        ) throws {
            let filter = try condition.flatMap { try KeyFilter($0, table.key, db) }
            var start = 0
            while start < hits.count, progress.page.hits.count < limit {
                let found = try passing(hits, filter, from: &start, &progress, db)
                let records = try self.records(of: found.map(\.identifier), db)
                let items = try hits.items(found.map(\.place))
                for (item, hit) in zip(items, found) {
                    guard let record = records[hit.identifier] else { continue }
                    progress.page.hits.append(SearchHit(record: record, item: item))
                }
            }
        }

        /// The hits behind `start` whose rows the condition holds for, as many as the page takes.
        private func passing(
            _ hits: RankedHits<Record>, _ filter: KeyFilter?, from start: inout Int,
            _ progress: inout Progress, _ db: Database
        ) throws -> [(place: Int, identifier: Data)] {
            var found: [(place: Int, identifier: Data)] = []
            while start < hits.count, progress.page.hits.count + found.count < limit {
                let length = (progress.expected(wanted) * 0.75).clamped(to: Self.stretches)
                let places = start..<min(start + Int(length), hits.count)
                start = places.upperBound
                let identifiers = try hits.identifiers(places)
                let passing =
                    try filter?.places(passing: identifiers, db)
                    ?? Self.places(of: try records(of: identifiers, db), among: identifiers)
                progress.lookedAtCount += places.count
                for place in passing where progress.page.hits.count + found.count < limit {
                    progress.passedCount += 1
                    guard progress.passedCount > offset else { continue }
                    found.append((places.lowerBound + place, identifiers[place]))
                }
            }
            return found
        }

        private static func places(
            of records: [Data: Record], among identifiers: [Data]
        ) -> [Int] {
            identifiers.indices.filter { records[identifiers[$0]] != nil }
        }

        /// The rows of hits that the condition holds for.
        private func records(of identifiers: [Data], _ db: Database) throws -> [Data: Record] {
            let key = table.key
            guard !identifiers.isEmpty else { return [:] }
            let all = condition ?? table.definition.request ?? Record.all()
            let request = all.filter(KeyList(identifiers: identifiers, key).expression)
            var records: [Data: Record] = [:]
            // With what belongs to them, which a cursor does not fetch.
            for row in try Row.fetchAll(db, request.asRequest(of: Row.self)) {
                guard let identifier = RowKey(key.map { row[$0] }).identifier else { continue }
                records[identifier] = try Record(row: row)
            }
            return records
        }

        /// The identifiers of all rows that the condition holds for; nil where these are many.
        private func fewKeys(_ db: Database) throws -> [Data]? {
            guard let condition else { return nil }
            var keys: [Data] = []
            let request = condition.select(table.key.map { Column($0) }).asRequest(of: Row.self)
            let rows = try Row.fetchCursor(db, request)
            while let row = try rows.next() {
                guard keys.count < Self.mostKeys else { return nil }
                guard let identifier = RowKey(Array(row.databaseValues)).identifier
                else { continue }
                keys.append(identifier)
            }
            return keys
        }

        /// The page, of these rows alone.
        private func page(
            of keys: [Data], _ db: Database, _ search: Search
        ) throws -> SearchPage<Record> {
            var count = min(wanted, Self.mostCount)
            var results = try search(count, 0, .identifiers(keys))
            var progress = Progress()
            while true {
                try take(results, &progress, db)
                progress.page.mayHaveMore = progress.page.hits.count == limit
                if progress.page.mayHaveMore || results.count < count { return progress.page }
                // Rows of the condition that are not in the index, or not any more.
                count = Self.mostCount
                results = try table.index.search(after: results.cursor, limit: count)
            }
        }
    }

    extension Double {
        fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
            min(max(self, range.lowerBound), range.upperBound)
        }
    }
#endif
