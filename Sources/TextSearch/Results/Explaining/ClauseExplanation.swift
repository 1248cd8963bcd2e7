/// What one clause of a query asks for, and whether an object satisfies it. It is a tree, as the
/// query is.
public struct ClauseExplanation: Sendable, Hashable, Codable {
    /// Whether an object satisfies a clause.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// The object matches the clause.
        case matched
        /// The object does not match the clause.
        case failed
        /// The clause asks for nothing, since it has only stop words or symbols. It neither matches
        /// nor excludes.
        case ignored
    }

    /// The clause as query text.
    public let query: String
    /// Whether the object matches the clause.
    public let outcome: Outcome
    /// How many objects match the clause, whether or not they match the whole query; nil if that
    /// was not counted.
    public let objectCount: Int?
    /// The terms that its words were analysed as, in the order of the words, followed by those of
    /// other fields' analyses.
    public let terms: [String]
    /// The words that were dropped as stop words, folded.
    public let stopWords: [String]
    /// The field that the clause is about; nil for all.
    public let field: String?
    /// Whether the object must not match the clause.
    public let isExcluding: Bool
    /// A further remark for people; nil without one.
    public let note: String?
    /// The clauses that the clause consists of.
    public let clauses: [ClauseExplanation]
    /// What it adds to the object's relevance, if it matches.
    let score: ScoreExplanation?
}

extension ClauseExplanation: CustomStringConvertible {
    /// The tree as text, with an indented line for each clause.
    public var description: String {
        var lines: [String] = []
        appendLines(to: &lines, depth: 0)
        return lines.joined(separator: "\n")
    }

    func appendLines(to lines: inout [String], depth: Int) {
        var line = String(repeating: "  ", count: depth) + "\(outcome.rawValue): "
        line += (isExcluding ? "excluded " : "") + query
        if let field { line += ", in \(field)" }
        if !terms.isEmpty { line += ", read as \(terms.joined(separator: " "))" }
        if !stopWords.isEmpty { line += ", stop words \(stopWords.joined(separator: " "))" }
        if let objectCount { line += ", \(objectCount) objects" }
        if let note { line += ", \(note)" }
        lines.append(line)
        for clause in clauses { clause.appendLines(to: &lines, depth: depth + 1) }
    }
}

/// Why an object is missing from the results of a query, or that it is not.
public struct MissExplanation: Sendable, Hashable, Codable {
    /// The reasons why an object may be missing.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// No object is indexed under the identifier: it never was, it was removed, or the indexer
        /// left it out. The index does not remember which.
        case notIndexed
        /// The object does not match the query; ``MissExplanation/clauses`` say where.
        case notMatched
        /// The object matches, but scores below the minimum.
        case belowMinimumScore
        /// The object is among the results, perhaps on another page.
        case found
    }

    /// Why the object is missing, if it is.
    public let reason: Reason
    /// The query as it was run. If no object has all words of a text, it asks for any of them.
    public let query: String
    /// The clauses of the query with their outcomes; nil if the object is not indexed.
    public let clauses: ClauseExplanation?
    /// The object's score, if it matches.
    public let score: ScoreExplanation?
    /// How the text was read, as in ``SearchResults/diagnostics``.
    public let notes: [String]
}

extension MissExplanation: CustomStringConvertible {
    /// The reason, the clauses and the score as text, on indented lines.
    public var description: String {
        var lines = ["\(reason.rawValue): \(query)"]
        for note in notes { lines.append("  " + note) }
        clauses?.appendLines(to: &lines, depth: 1)
        score?.appendLines(to: &lines, depth: 1)
        return lines.joined(separator: "\n")
    }
}
