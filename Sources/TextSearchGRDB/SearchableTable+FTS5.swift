#if GRDB
    public import GRDB
    public import TextSearch

    extension SearchableTable {
        /// Drops an FTS5 table with the triggers that fill it, in a migration, and says how to
        /// configure the index that takes its place.
        ///
        /// ```swift
        /// migrator.registerMigration("TextSearch") { db in
        ///     try SearchableTable<Note>.replaceFTS5(db, table: "noteSearch")
        /// }
        /// ```
        ///
        /// Only a table whose text is another table's (`content=`, as GRDB's
        /// `synchronize(withTable:)` makes it) is dropped: of one that holds its text itself the
        /// text would be lost.
        ///
        /// - Parameters:
        ///   - db: the database, in a transaction.
        ///   - table: the FTS5 table.
        /// - Returns: A configuration with its indexed columns as fields, and with English stems if
        ///   its tokenizer was `porter`.
        /// - Throws: ``TextSearch/TextIndexError`` with `.invalidArgument` for a table that is not
        ///   there, is none of FTS5, or holds its text itself; for a trigger that uses it and
        ///   does something else besides. Nothing is dropped then. What the database throws.
        @discardableResult
        public static func replaceFTS5(
            _ db: Database, table: String
        ) throws -> TextIndexConfiguration {
            let old = try FullTextTable(table, db)
            for trigger in try old.triggers(db) {
                try db.execute(sql: "DROP TRIGGER \(ChangeLog.quoted(trigger))")
            }
            try db.execute(sql: "DROP TABLE \(ChangeLog.quoted(old.name))")
            var configuration = TextIndexConfiguration()
            configuration.fields = old.columns
            if old.hasStems {
                configuration.analysis = TextAnalysis(stemming: .automatic([.english]))
            }
            return configuration
        }
    }

    /// An FTS5 table, as its declaration says.
    struct FullTextTable {
        let name: String
        /// The columns that are indexed.
        private(set) var columns: [String] = []
        private(set) var hasStems = false

        /// - Throws: `.invalidArgument` for a table that is none of FTS5, or that holds its text.
        init(_ table: String, _ db: Database) throws {
            let row = try Row.fetchOne(
                db,
                sql:
                    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE",
                arguments: [table])
            guard let row, let sql = row["sql"] as String?,
                let match = sql.firstMatch(of: /(?i)\bUSING\s+fts5\s*\(/)
            else { throw Self.error("There is no FTS5 table \"\(table)\" in the database.") }
            name = row["name"]
            var hasContent = false
            for argument in Self.arguments(sql[match.range.upperBound...]) {
                guard let (option, value) = Self.option(argument) else {
                    // A column: its name, and what is said of it.
                    let isIndexed = argument.firstMatch(of: /(?i)\bUNINDEXED\b/) == nil
                    if isIndexed { columns.append(Self.unquoted(argument)) }
                    continue
                }
                if option == "content" { hasContent = !Self.unquoted(value).isEmpty }
                if option == "tokenize" {
                    hasStems = value.firstMatch(of: /(?i)\bporter\b/) != nil
                }
            }
            guard hasContent else {
                throw Self.error(
                    """
                    The text of the FTS5 table "\(table)" is in no other table, and what it has would be lost with it. Copy the text \
                    to a table first, and search that one.
                    """)
            }
        }

        /// What is between the commas of a declaration.
        private static func arguments(_ text: Substring) -> [String] {
            var arguments = [""]
            var quote: Character?
            for character in text {
                if let end = quote {
                    if character == end { quote = nil }
                } else if character == ")" {
                    break
                } else if character == "," {
                    arguments.append("")
                    continue
                } else if "'\"`[".contains(character) {
                    quote = character == "[" ? "]" : character
                }
                arguments[arguments.count - 1].append(character)
            }
            return arguments.map { String($0.trimmingPrefix(/\s+/)) }
        }

        private static func option(_ argument: String) -> (name: String, value: String)? {
            guard let match = argument.wholeMatch(of: /(?s)(\w+)\s*=\s*(.*)/) else { return nil }
            return (match.1.lowercased(), String(match.2))
        }

        /// The name at the beginning of a column.
        private static func unquoted(_ argument: String) -> String {
            if let match = argument.prefixMatch(of: /["'`\[]([^"'`\]]*)["'`\]]/) {
                return String(match.1)
            }
            return String(argument.prefix { !$0.isWhitespace })
        }

        /// The triggers that write to the table, and do nothing else.
        ///
        /// - Throws: `.invalidArgument` for one that does.
        func triggers(_ db: Database) throws -> [String] {
            let rows = try Row.fetchAll(
                db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            return try rows.compactMap { row in
                guard let sql = row["sql"] as String?,
                    let begin = sql.firstMatch(of: /(?i)\bBEGIN\b/)
                else { return nil }
                let body = sql[begin.range.upperBound...]
                let statements = body.split(separator: ";")
                    .map { $0.trimmingPrefix(/\s+/) }
                    .filter { !$0.isEmpty && $0.firstMatch(of: /(?i)^END\s*$/) == nil }
                let own = statements.filter { isOwn($0) }
                if own.isEmpty, !names(in: sql) { return nil }
                guard !own.isEmpty, own.count == statements.count else {
                    throw Self.error(
                        "The trigger \"\(row["name"] as String)\" uses \"\(name)\" and does something else; change it first."
                    )
                }
                return row["name"]
            }
        }

        private func isOwn(_ statement: Substring) -> Bool {
            let verb = statement.prefixMatch(
                of:
                    /(?i)(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|DELETE\s+FROM|UPDATE(?:\s+OR\s+\w+)?)\s+/
            )
            guard let verb,
                let target = statement[verb.range.upperBound...].prefixMatch(
                    of: /"[^"]*"|'[^']*'|`[^`]*`|\[[^\]]*\]|[^\s"'`\[\](]+/)
            else { return false }
            let quotes: Set<Character> = ["\"", "'", "`", "[", "]"]
            let text =
                target.0.first.map { quotes.contains($0) } ?? false
                ? target.0.dropFirst().dropLast() : target.0
            return text.lowercased() == name.lowercased()
        }

        /// Whether a statement names the table, as it may in ways that are not known here.
        private func names(in sql: String) -> Bool {
            let (text, name) = (sql.lowercased(), name.lowercased())
            func isPart(_ character: Character) -> Bool {
                character.isLetter || character.isNumber || character == "_"
            }
            return text.ranges(of: name).contains { range in
                let before = text[..<range.lowerBound].last
                let after = text[range.upperBound...].first
                return !(before.map(isPart) ?? false) && !(after.map(isPart) ?? false)
            }
        }

        private static func error(_ message: String) -> TextIndexError {
            TextIndexError(.invalidArgument, message)
        }
    }
#endif
