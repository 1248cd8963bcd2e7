#if GRDB
    import Foundation
    public import GRDB
    public import TextSearch

    extension FilteredRequest {
        /// Restricts a request to the rows that a query of an index matches. It is a condition like
        /// any other: SQL decides order, limit and joins.
        ///
        /// ```swift
        /// let recent = try Note.order(Column("date").desc)
        ///     .matching(.prefix("duck"), in: notes).limit(20).fetchAll(db)
        /// ```
        ///
        /// The query runs when the request does, in the state that the index has then. A
        /// `ValueObservation` of the request has new values when the index has caught up.
        ///
        /// Complexity: that of matching, and linear in the number of matches.
        ///
        /// - Parameters:
        ///   - query: the query; scores do not count.
        ///   - table: the table that the request fetches from, with its index.
        /// - Returns: The request with the condition. Fetching throws ``TextSearch/TextIndexError``
        ///   if the search does.
        public func matching<Record>(_ query: Query, in table: SearchableTable<Record>) -> Self {
            filterWhenConnected { db in
                try db.registerAccess(to: Table(ChangeLog.consumers))
                return try table.keys(for: query).expression
            }
        }
    }

    /// Keys of rows as an SQL condition.
    struct KeyList: Sendable {
        private let keys: [RowKey]
        private let columns: [String]
        /// The keys as a JSON array, which takes one argument for any number of them; nil where one
        /// is no integer and no text.
        private let json: String?

        private init(keys: [RowKey], columns: [String], json: String?) {
            self.keys = keys
            self.columns = columns
            self.json = json
        }

        init(_ keys: [RowKey], _ columns: [String]) {
            self.init(
                keys: keys, columns: columns, json: columns.count == 1 ? Self.json(keys) : nil)
        }

        /// The keys that identifiers stand for.
        init(identifiers: some Sequence<Data>, _ columns: [String]) {
            if columns.count == 1, let json = Self.json(integers: identifiers) {
                self.init(keys: [], columns: columns, json: json)
            } else {
                self.init(
                    identifiers.compactMap { RowKey($0, columnCount: columns.count) }, columns)
            }
        }

        /// Whether the rows have one of the keys.
        var expression: SQLExpression {
            if let json {
                return SQL("\(Column(columns[0])) IN (SELECT value FROM json_each(\(json)))")
                    .sqlExpression
            }
            guard !keys.isEmpty else { return false.sqlExpression }
            let names = columns.map { SQL("\(Column($0))") }.joined(separator: ", ")
            let rows = keys.map { "(\($0.values.map(Self.literal).joined(separator: ", ")))" }
            return SQL("(\(names)) IN (VALUES \(sql: rows.joined(separator: ", ")))").sqlExpression
        }

        /// Nil where an identifier is not that of an integer.
        private static func json(integers identifiers: some Sequence<Data>) -> String? {
            var numbers: [Int64] = []
            for identifier in identifiers {
                guard let number = RowKey.integer(of: identifier) else { return nil }
                numbers.append(number)
            }
            return json(numbers: &numbers)
        }

        /// Sorts the numbers: neighbours are on the same pages.
        static func json(numbers: inout [Int64]) -> String {
            numbers.sort()
            var digits: [UInt8] = []
            digits.reserveCapacity(numbers.count * 8)
            for number in numbers {
                digits.append(digits.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
                var number = String(number)
                number.withUTF8 { digits.append(contentsOf: $0) }
            }
            if digits.isEmpty { digits.append(UInt8(ascii: "[")) }
            digits.append(UInt8(ascii: "]"))
            return String(decoding: digits, as: UTF8.self)
        }

        private static func json(_ keys: [RowKey]) -> String? {
            var parts: [String] = []
            parts.reserveCapacity(keys.count)
            for key in keys {
                switch key.values[0].storage {
                case .int64(let number): parts.append(String(number))
                case .string(let text):
                    // SQLite's JSON ends texts at a zero.
                    guard !text.utf8.contains(0) else { return nil }
                    parts.append(quoted(text))
                default: return nil
                }
            }
            return "[\(parts.joined(separator: ","))]"
        }

        private static func quoted(_ text: String) -> String {
            var quoted = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\":
                    quoted += "\\"
                    quoted.unicodeScalars.append(scalar)
                case ..<" ": quoted += String(format: "\\u%04x", scalar.value)
                default: quoted.unicodeScalars.append(scalar)
                }
            }
            return quoted + "\""
        }

        private static func literal(_ value: DatabaseValue) -> String {
            switch value.storage {
            case .null: "NULL"
            case .int64(let number): String(number)
            case .double(let number):
                number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
            case .string(let text): "CAST(x'\(hex(Data(text.utf8)))' AS TEXT)"
            case .blob(let data): "x'\(hex(data))'"
            }
        }

        private static func hex(_ data: Data) -> String {
            data.map { String(format: "%02x", $0) }.joined()
        }
    }
#endif
