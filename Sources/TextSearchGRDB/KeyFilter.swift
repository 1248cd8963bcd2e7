#if GRDB
    import Foundation
    import GRDB

    /// Says of many keys which of them have rows that a condition holds for.
    ///
    /// Where few rows pass that is a quarter faster than to fetch rows by a list of keys: SQLite
    /// makes no table of the keys. The SQL is made once.
    struct KeyFilter {
        private let sql: String
        private let arguments: StatementArguments

        /// Nil for a key of several columns.
        init?(
            _ condition: QueryInterfaceRequest<some Any>, _ key: [String], _ db: Database
        ) throws {
            guard key.count == 1 else { return nil }
            let same = SQL("\(Column(key[0])) = _key.value").sqlExpression
            let isThere: SQL = "\(condition.filter(same).exists())"
            let built = try isThere.build(db)
            sql = "SELECT _key.value FROM json_each(?) AS _key WHERE \(built.sql)"
            arguments = built.arguments
        }

        /// The places of those identifiers whose rows pass, in ascending order; nil where one is
        /// not that of an integer, since a collation may take other keys for the same.
        func places(passing identifiers: [Data], _ db: Database) throws -> [Int]? {
            var numbers: [Int64] = []
            numbers.reserveCapacity(identifiers.count)
            for identifier in identifiers {
                guard let number = RowKey.integer(of: identifier) else { return nil }
                numbers.append(number)
            }
            var sorted = numbers
            let json = KeyList.json(numbers: &sorted)
            let passing = Set(
                try Int64.fetchAll(
                    db.cachedStatement(sql: sql), arguments: [json] + arguments))
            guard !passing.isEmpty else { return [] }
            return numbers.indices.filter { passing.contains(numbers[$0]) }
        }
    }
#endif
