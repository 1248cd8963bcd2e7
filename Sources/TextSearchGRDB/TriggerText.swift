#if GRDB
    /// The SQL of a trigger, of which more than its names is not known.
    struct TriggerText {
        private let sql: String

        init(_ sql: String) {
            // Without comments, in which anything may stand; what is quoted stays.
            let comments = /("[^"]*"|`[^`]*`|\[[^\]]*\]|'[^']*')|--[^\n]*|\/\*(?s:.*?)\*\//
                .matchingSemantics(.unicodeScalar)
            self.sql = sql.replacing(comments) { $0.1.map(String.init) ?? " " }
        }

        /// The columns of a table that a trigger sets before a row of it is updated, and other
        /// names perhaps; none for another trigger.
        func columnsChangedBefore(updateOf table: SQLName) -> Set<SQLName> {
            // Without AFTER or INSTEAD OF it is one that runs before.
            let plain = sql.replacing(/"[^"]*"|`[^`]*`|\[[^\]]*\]|'[^']*'/, with: "_")
            guard let begin = plain.firstMatch(of: /(?i)\bbegin\b/),
                plain[..<begin.range.lowerBound].firstMatch(of: /(?i)\bupdate\b/) != nil,
                plain[..<begin.range.lowerBound].firstMatch(of: /(?i)\b(?:after|instead)\b/) == nil
            else { return [] }
            var columns: Set<SQLName> = []
            let updates = sql.matches(
                of:
                    /(?is)\bupdate\s*(?:or\s+\w+\s*)?("[^"]+"|`[^`]+`|\[[^\]]+\]|'[^']+'|\b\w+)\s*\bset\b([^;]*)/
            )
            for update in updates where Self.name(update.1) == table {
                for name in update.2.matches(of: /"[^"]+"|`[^`]+`|\[[^\]]+\]|'[^']+'|\w+/) {
                    columns.insert(Self.name(name.0))
                }
            }
            return columns
        }

        private static func name(_ text: Substring) -> SQLName {
            let isQuoted = text.first.map { "\"`['".contains($0) } ?? false
            return SQLName(String(isQuoted ? text.dropFirst().dropLast() : text))
        }
    }
#endif
