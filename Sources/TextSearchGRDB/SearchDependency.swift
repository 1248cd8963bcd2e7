#if GRDB
    import GRDB
    import TextSearch

    /// Another table, whose rows say something of the rows that are searched.
    ///
    /// ```swift
    /// let photos = SearchDefinition<PhotoInfo>(
    ///     table: "photo", columns: ["name"], request: Photo.including(all: Photo.tags),
    ///     dependencies: [
    ///         .rows(of: "photoTag", naming: ["photoId"]),
    ///         .rows(
    ///             of: "tag", columns: ["name"],
    ///             namedBy: "SELECT photoId FROM photoTag WHERE tagId = :id"),
    ///     ]) { photo in … }
    /// ```
    ///
    /// A change of such a row logs the keys of the rows that it says something of, in the
    /// transaction of whoever writes: a row of the log for each.
    public struct SearchDependency: Sendable, Hashable {
        let table: String
        /// What changes count, besides those of `naming`; empty for all.
        let columns: [String]
        /// The columns that hold the key of a searched row; empty where a query finds the keys.
        let naming: [String]
        let keys: String

        /// Rows that name a searched row by its key, as those of a table of joins and comments do.
        ///
        /// - Parameters:
        ///   - table: the table; it needs a primary key.
        ///   - naming: its columns that hold the key of the searched row, in the order of that key.
        ///   - columns: the other columns that say something; empty for those that name alone.
        /// - Returns: The dependency.
        public static func rows(
            of table: String, naming: [String], columns: [String] = []
        ) -> SearchDependency {
            SearchDependency(table: table, columns: columns, naming: naming, keys: "")
        }

        /// Rows that searched rows name, directly or by a table of joins.
        ///
        /// - Parameters:
        ///   - table: the table; it needs a primary key.
        ///   - columns: the columns that say something; empty for all.
        ///   - keys: SQL that gives the keys of the searched rows, with `:column` for the value of
        ///     a column of the row that changes.
        /// - Returns: The dependency.
        public static func rows(
            of table: String, columns: [String], namedBy keys: String
        ) -> SearchDependency {
            SearchDependency(table: table, columns: columns, naming: [], keys: keys)
        }
    }

    extension ChangeLog {
        /// The triggers of a table that others depend on, by the ends of their names.
        static func triggers(
            _ dependency: SearchDependency, _ shape: TableShape, number: Int64, keyCount: Int
        ) -> [String: String] {
            let table = quoted(dependency.table)
            let names = (0..<keyCount).map { "k\($0)" }.joined(separator: ", ")
            func insert(_ row: String) -> String {
                "INSERT INTO \(log)(source, \(names)) \(dependency.select(row, number: number));"
            }
            let isWatched = !dependency.naming.isEmpty || !dependency.columns.isEmpty
            let watched = shape.key + dependency.naming + dependency.columns
            let changed = isWatched ? shape.isChanged(watched) : "1"
            let columns = isWatched ? shape.clause(of: watched) : ""
            var triggers = [
                "ai": "AFTER INSERT ON \(table) BEGIN \(insert("NEW")) END",
                "ad": "AFTER DELETE ON \(table) BEGIN \(insert("OLD")) END",
                "au":
                    "AFTER UPDATE\(columns) ON \(table) WHEN \(changed) BEGIN \(insert("OLD")) \(insert("NEW")) END",
            ]
            // Also by its key: a row that REPLACE deletes so may name another one than the new row.
            let key = shape.keyIndex
            for (place, index) in ([key] + shape.uniqueIndexes).enumerated() {
                let same = index.isInTheWay
                let unique = shape.clause(of: index.columns.map(\.name))
                let rows =
                    "INSERT INTO \(log)(source, \(names)) \(dependency.select(table, number: number, where: same));"
                triggers["bi\(place)"] = "BEFORE INSERT ON \(table) BEGIN \(rows) END"
                triggers["bu\(place)"] =
                    "BEFORE UPDATE\(unique) ON \(table) BEGIN \(rows) END"
            }
            for (suffix, body) in shape.rowNumberTriggers(
                on: table,
                { same in
                    "INSERT INTO \(log)(source, \(names)) \(dependency.select(table, number: number, where: same));"
                })
            { triggers[suffix] = body }
            return triggers
        }
    }

    extension SearchDependency {
        /// The keys of the searched rows that a row says something of: of OLD or NEW, or of the
        /// rows of its table that a condition holds for.
        fileprivate func select(
            _ row: String, number: Int64, where condition: String? = nil
        ) -> String {
            let source = condition.map { " FROM \(row) WHERE \($0)" } ?? " WHERE 1"
            if keys.isEmpty {
                let values = naming.map { "\(row).\(ChangeLog.quoted($0))" }
                let isThere = values.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
                return "SELECT \(number), \(values.joined(separator: ", "))\(source) AND \(isThere)"
            }
            // One row at most is in the way of another by a unique index.
            let found = keys(with: { column in
                condition.map { "(SELECT \(column) FROM \(row) WHERE \($0))" }
                    ?? "\(row).\(column)"
            })
            return "SELECT \(number), * FROM (\(found))"
        }

        /// The query for keys, with SQL in the place of the names of columns; what is in quotation
        /// marks or a comment stays as it is.
        private func keys(with value: (_ column: String) -> String) -> String {
            // What follows must not be part of a comment at its end.
            let end = keys.contains("--") ? "\n" : ""
            return keys.replacing(
                /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*(?s:.*?)\*\/|:(\w+)/
            ) { match in
                match.1.map { value(ChangeLog.quoted(String($0))) } ?? String(match.0)
            } + end
        }

        /// Throws where the query for keys does not run, or does not give keys: its trigger would
        /// fail whoever writes.
        func check(_ shape: TableShape, keyCount: Int, _ db: Database) throws {
            guard naming.isEmpty else {
                guard naming.count == keyCount else {
                    throw TextIndexError(
                        .invalidArgument,
                        "The rows of \"\(table)\" name searched rows by \(naming.count) columns; their key has \(keyCount)."
                    )
                }
                return
            }
            do {
                let row = "(SELECT * FROM \(ChangeLog.quoted(table)) LIMIT 1) AS _row"
                let found = keys(with: { "(SELECT \($0) FROM \(row))" })
                let count = try db.makeStatement(sql: "SELECT * FROM (\(found))").columnCount
                guard count == keyCount else {
                    throw TextIndexError(
                        .invalidArgument,
                        "The query for the rows that name those of \"\(table)\" gives \(count) columns; the key has \(keyCount)."
                    )
                }
            } catch let error as DatabaseError {
                throw TextIndexError(
                    .invalidArgument,
                    "The query for the rows that name those of \"\(table)\" is none: \(error.message ?? "")",
                    underlying: error)
            }
        }
    }
#endif
