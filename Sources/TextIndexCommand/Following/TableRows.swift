#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    /// A row as the database gives it.
    struct TableRow: FetchableRecord, Sendable {
        private let values: [(column: String, value: DatabaseValue)]

        init(row: Row) { values = row.map { ($0.0, $0.1) } }

        /// The text of a column: numbers as SQLite writes them, nothing for NULL and blobs.
        func text(_ column: String) -> String {
            switch values.first(where: { SQLName.areSame($0.column, column) })?.value.storage {
            case .string(let text): text
            case .int64(let number): String(number)
            case .double(let number): "\(number)"
            default: ""
            }
        }
    }

    /// The rows of a table as records of the command. Identifiers are keys as they are written in
    /// SQL; rows whose written keys are too long for an index are left out.
    struct TableRows: ChangeSource {
        let source: TableSource<TableRow>
        let columns: [String]
        /// Told of rows that were read, of the bytes of text in them, and whether a reading of all
        /// rows begins with them.
        let onRead: @Sendable (_ rows: Int, _ bytes: Int, _ isFirst: Bool) -> Void

        private static let longestTitle = 80
        private static let longestBeginning = 200

        var storeIdentifier: String { get throws { try source.storeIdentifier } }

        func currentPosition() throws -> SourcePosition { try source.currentPosition() }

        func changes(
            after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<Record> {
            try records(try source.changes(after: position, limit: limit))
        }

        func changes(
            of store: String, after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<Record>? {
            try source.changes(of: store, after: position, limit: limit).map(records)
        }

        private func records(_ slice: ChangeSlice<TableRow>) throws -> ChangeSlice<Record> {
            let records = try slice.changes.compactMap(record)
            return ChangeSlice(
                records, position: slice.position, isLast: slice.isLast,
                skippedCount: slice.skippedCount + slice.changes.count - records.count)
        }

        func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<Record> {
            let slice = try source.objects(after: identifier, limit: limit)
            let records = try slice.objects.compactMap(record)
            onRead(
                records.count,
                records.reduce(0) { sum, entry in
                    sum + (entry.object?.strings.reduce(0) { $0 + $1.utf8.count } ?? 0)
                }, identifier == nil)
            return ObjectSlice(
                records, next: slice.next,
                skippedCount: slice.skippedCount + slice.objects.count - records.count)
        }

        func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<Record>] {
            // What is no key is of no row.
            let keys = identifiers.map { (try? TableKey.identifier($0)) ?? Data() }
            let found = try source.objects(withIdentifiers: keys).compactMap(record)
            let known = Set(found.map(\.identifier))
            return found + identifiers.filter { !known.contains($0) }.map { SourceObject($0, nil) }
        }

        func release(through position: SourcePosition) throws {
            try source.release(through: position)
        }

        private static let longestIdentifier = 4_096

        /// A row as a record; nil where its key is too long.
        private func record(_ entry: SourceObject<TableRow>) throws -> SourceObject<Record>? {
            guard !entry.identifier.isEmpty else { return nil }
            let identifier = try TableKey.text(entry.identifier)
            guard identifier.count <= Self.longestIdentifier else { return nil }
            guard let row = entry.object else { return SourceObject(identifier, nil) }
            let strings = columns.map(row.text)
            var hash = ContentHash()
            for string in strings {
                hash.combine(Array(string.utf8))
                hash.combine([0])
            }
            var origin = Origin(hash: hash.text)
            // Not where the database lies: it may be moved.
            origin.isRow = true
            origin.title = strings.lazy
                .map { Printable.line(Self.beginning(of: $0, Self.longestTitle)) }
                .first { !$0.isEmpty }
            origin.beginnings = strings.map { Self.beginning(of: $0, Self.longestBeginning) }
            return SourceObject(
                identifier, Record(identifier: identifier, strings: strings, origin: origin))
        }

        private static func beginning(of text: String, _ count: Int) -> String {
            String(text.prefix(count))
        }
    }
#endif
