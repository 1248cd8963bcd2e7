import Foundation

/// The form in which queries are compared, to say which are the same.
///
/// Words are folded, cut as the standard analysis cuts them, and kept if they are stop words,
/// whatever the settings of the index: so a rebuild with others changes nothing. The order of what
/// stands side by side makes no difference, nor does repetition; that of words in phrases does, and
/// so do fields, operators and signs.
enum EngagementQuery {
    private static let analysis = FieldAnalyzer(.standard, defaultStopWords: .none, number: 0)

    /// The form of a query; nil when it asks for everything or nothing. What recurses relies on the
    /// limits of queries.
    static func text(_ query: Query) -> String? {
        let folded = folded(query.normalized()).normalized()
        switch folded.node {
        case .everything, .nothing: return nil
        default: return folded.description
        }
    }

    private static func folded(_ query: Query) -> Query {
        switch query.node {
        case .everything, .nothing, .regularExpression, .attribute, .identifiers, .weight:
            return query
        case .keyword(let text): return Query(.keyword(unordered(text)))
        case .term(let text):
            return row(text, slop: 0, lastIsPrefix: false)
        case .phrase(let text, let slop, let lastIsPrefix):
            return row(text, slop: slop, lastIsPrefix: lastIsPrefix)
        case .exactly(let text): return Query(.exactly(row(text)))
        case .prefix(let text): return Query(.prefix(fold(text)))
        case .infix(let text): return Query(.infix(fold(text)))
        case .part(let text): return Query(.part(fold(text)))
        case .suffix(let text): return Query(.suffix(fold(text)))
        case .fuzzy(let text, let distance, let exactPrefix):
            return Query(.fuzzy(fold(text), distance: distance, exactPrefix: exactPrefix))
        case .wildcard(let pattern): return Query(.wildcard(fold(pattern)))
        case .near(let parts, let within, let ordered):
            let parts = ordered ? parts.map { folded($0) } : sorted(parts)
            return Query(.near(parts, within: within, ordered: ordered))
        case .all(let parts): return Query(.all(sorted(parts)))
        case .any(let parts): return Query(.any(sorted(parts)))
        case .none(let parts): return Query(.none(sorted(parts)))
        // A word that is not required is the word: which words are of little value is a setting.
        case .atLeast(let count, let parts) where count <= 0 && parts.count == 1:
            // So is how little it counts.
            if case .boost(let part, _) = parts[0].node { return folded(part) }
            return folded(parts[0])
        // Repetition counts here.
        case .atLeast(let count, let parts):
            return Query(.atLeast(count, sorted(parts, keepingRepeated: true)))
        case .first, .field, .boost, .constantScore, .filter: return query.mapParts(folded)
        }
    }

    /// One word is a term, however it was asked for.
    private static func row(_ text: String, slop: Int, lastIsPrefix: Bool) -> Query {
        let words = words(text)
        if words.count == 1, !lastIsPrefix { return Query(.term(words[0])) }
        let row = row(text)
        if row.isEmpty { return Query(.term(text)) }
        return Query(.phrase(row, slop: slop, lastIsPrefix: lastIsPrefix))
    }

    private static func row(_ text: String) -> String {
        let words = words(text)
        // The pairs of characters that a script without spaces is cut into are nothing to read.
        let isRun = words.contains { SpacelessScript.begins(Array($0.utf8)) }
        return words.isEmpty || isRun ? fold(text) : words.joined(separator: " ")
    }

    private static func sorted(_ parts: [Query], keepingRepeated: Bool = false) -> [Query] {
        let named = parts.map { folded($0) }.map { (name: Array($0.description.utf8), query: $0) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        return named.indices.filter {
            keepingRepeated || $0 == 0 || named[$0].name != named[$0 - 1].name
        }.map { named[$0].query }
    }

    private static func fold(_ text: String) -> String {
        analysis.folder.fold(text)
    }

    private static func words(_ text: String) -> [String] {
        QueryWords(text, analysis: analysis).words.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    private static func unordered(_ text: String) -> String {
        let words = Set(words(text)).sorted()
        return words.isEmpty ? text : words.joined(separator: " ")
    }
}
