/// What one clause of a query asks for, and whether an object answers it: a tree as the query is one.
public struct ClauseExplanation: Sendable, Hashable, Codable {
    /// What became of a clause.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// The object matches it.
        case matched
        /// The object does not match it.
        case failed
        /// It asks for nothing, having stop words or signs only: it neither matches nor rules out.
        case ignored
    }

    /// The clause as query text.
    public let query: String
    /// What became of it.
    public let outcome: Outcome
    /// How many objects match it, whether or not they match the whole query; nil where that was not counted.
    public let objectCount: Int?
    /// The terms that its words were analysed as, in the order of the words; further ones of other fields' analyses behind them.
    public let terms: [String]
    /// The words that were dropped as stop words, folded.
    public let stopWords: [String]
    /// The field that it is about; nil for all.
    public let field: String?
    /// Whether the object must not match it.
    public let isExcluding: Bool
    /// Anything else worth knowing.
    public let note: String?
    /// The clauses that it is made of.
    public let clauses: [ClauseExplanation]
    /// What it adds to the object's relevance, if it matches.
    let score: ScoreExplanation?
}

extension ClauseExplanation: CustomStringConvertible {
    /// The tree, a line a clause, indented.
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

/// Why an object is not among the results of a query, or that it is.
public struct MissExplanation: Sendable, Hashable, Codable {
    /// The reason.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// No object is indexed under the identifier: it never was, it was removed, or the indexer left it out. The index does not
        /// remember which.
        case notIndexed
        /// It does not match the query: ``MissExplanation/clauses`` say where.
        case notMatched
        /// It matches, with a score below the least that was asked for.
        case belowMinimumScore
        /// It is among the results, on a page that may not have been asked for.
        case found
    }

    /// The reason.
    public let reason: Reason
    /// The query as it was run: of a text, with any of the words where no object has all.
    public let query: String
    /// The clauses of the query, with what became of each; nil when the object is not indexed.
    public let clauses: ClauseExplanation?
    /// The object's score, if it matches.
    public let score: ScoreExplanation?
    /// What was read as what, as in ``SearchResults/diagnostics``.
    public let notes: [String]
}

extension MissExplanation: CustomStringConvertible {
    /// The reason, the clauses and the score, a line each, indented.
    public var description: String {
        var lines = ["\(reason.rawValue): \(query)"]
        for note in notes { lines.append("  " + note) }
        clauses?.appendLines(to: &lines, depth: 1)
        score?.appendLines(to: &lines, depth: 1)
        return lines.joined(separator: "\n")
    }
}
