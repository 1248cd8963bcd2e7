#if GRDB
    import Foundation
    import GRDB
    import TextSearch

    /// Fills a page with the best hits whose rows a condition holds for.
    ///
    /// The best hits are looked at a stretch at a time, each as long as the ones before let expect
    /// that it nearly fills the page. Where that would take very many, the rows of the condition
    /// are asked for, and only these are searched, if they are few. Both ways give the same rows.
    struct PageSearch<Record: FetchableRecord & TableRecord & Sendable> {
        /// The best, with a limit and a filter.
        typealias Search = (Int, Query?) throws -> RankedHits<Record>

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
            /// The hits of the page, by the stretches that have some.
            var found: [(hits: RankedHits<Record>, places: [Int], identifiers: [Data])] = []
            /// Rows of the page that were read already, to see whether they are there.
            var records: [Data: Record] = [:]
            var foundCount = 0
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
            let filter = try condition.flatMap { try KeyFilter($0, table.key, db) }
            var progress = Progress()
            var count = max(min(wanted, Self.mostCount), condition == nil ? 1 : Self.firstCount)
            var hits = try search(count, nil)
            while true {
                try look(at: hits, filter, &progress, db)
                if progress.foundCount == limit || hits.count < count {
                    return try page(of: progress, db)
                }
                let expected = progress.expected(wanted)
                if expected > Double(Self.mostLookedAt), let keys = try fewKeys(db) {
                    return try page(of: keys, filter, db, search)
                }
                count = Int((expected * 1.1).clamped(to: 512...Double(Self.mostCount)))
                hits = try table.index.hits(after: hits.cursor, limit: count)
            }
        }

        /// The page, of the rows with these identifiers alone.
        private func page(
            of keys: [Data], _ filter: KeyFilter?, _ db: Database, _ search: Search
        ) throws -> SearchPage<Record> {
            var progress = Progress()
            var count = min(wanted, Self.mostCount)
            var hits = try search(count, .identifiers(keys))
            while true {
                try look(at: hits, filter, &progress, db)
                if progress.foundCount == limit || hits.count < count {
                    return try page(of: progress, db)
                }
                // Rows of the condition that are not in the index, or not any more.
                count = Self.mostCount
                hits = try table.index.hits(after: hits.cursor, limit: count)
            }
        }

        /// Adds the hits whose rows the condition holds for, until the page is full.
        private func look(
            at hits: RankedHits<Record>, _ filter: KeyFilter?, _ progress: inout Progress,
            _ db: Database
        ) throws {
            var (found, foundIdentifiers): ([Int], [Data]) = ([], [])
            var start = 0
            while start < hits.count, progress.foundCount < limit {
                let expected = progress.lookedAtCount == 0 ? 0 : progress.expected(wanted) * 0.75
                let length = Int(expected.clamped(to: Self.stretches))
                let places = start..<min(start + length, hits.count)
                start = places.upperBound
                let identifiers = try hits.identifiers(places)
                var read: [Data: Record] = [:]
                let passing =
                    try filter?.places(passing: identifiers, db)
                    ?? existing(identifiers, &read, db)
                progress.lookedAtCount += places.count
                for place in passing where progress.foundCount < limit {
                    progress.passedCount += 1
                    guard progress.passedCount > offset else { continue }
                    progress.foundCount += 1
                    found.append(places.lowerBound + place)
                    foundIdentifiers.append(identifiers[place])
                    progress.records[identifiers[place]] = read[identifiers[place]]
                }
            }
            if !found.isEmpty { progress.found.append((hits, found, foundIdentifiers)) }
        }

        /// The places of those identifiers whose rows are read, in ascending order.
        private func existing(
            _ identifiers: [Data], _ records: inout [Data: Record], _ db: Database
        ) throws -> [Int] {
            records = try self.records(of: identifiers, db)
            return identifiers.indices.filter { records[identifiers[$0]] != nil }
        }

        /// The rows and items of what was found.
        private func page(of progress: Progress, _ db: Database) throws -> SearchPage<Record> {
            var records = progress.records
            let unread = progress.found.flatMap(\.identifiers).filter { records[$0] == nil }
            records.merge(try self.records(of: unread, db)) { first, _ in first }
            var page = SearchPage<Record>()
            page.mayHaveMore = progress.foundCount == limit
            for (hits, places, identifiers) in progress.found {
                for (item, identifier) in zip(try hits.items(places), identifiers) {
                    guard let record = records[identifier] else { continue }
                    page.hits.append(SearchHit(record: record, item: item))
                }
            }
            return page
        }

        /// The rows of hits that the condition holds for.
        private func records(of identifiers: [Data], _ db: Database) throws -> [Data: Record] {
            let key = table.key
            guard !identifiers.isEmpty else { return [:] }
            let all = condition ?? table.definition.request ?? Record.all()
            let request = all.filter(KeyList(identifiers: identifiers, key).expression)
            var records: [Data: Record] = [:]
            // With what belongs to them, which a cursor does not fetch.
            let rows = try Row.fetchAll(db, request.asRequest(of: Row.self))
            let places = rows.first.map { RowKey.places(of: key, in: $0) } ?? []
            guard rows.isEmpty || places.count == key.count else {
                throw TextIndexError(
                    .invalidArgument, "The rows to choose from lack a column of the key.")
            }
            for row in rows {
                guard let identifier = RowKey(places.map { row[$0] }).identifier else { continue }
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
    }

    extension Double {
        fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
            min(max(self, range.lowerBound), range.upperBound)
        }
    }
#endif
