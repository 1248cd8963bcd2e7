@testable import TextSearch

/// A query beside the plainest way of answering it.
///
/// A part that asks for nothing, having stop words only, answers nil: it neither matches nor rules out.
indirect enum PlainQuery: CustomStringConvertible {
    case everything
    case keyword([TestWord])
    case phrase([TestWord], slop: Int)
    case near([TestWord], within: Int, ordered: Bool)
    case nearPatterns([String], within: Int, ordered: Bool)
    case prefix(TestWord)
    case suffix(TestWord)
    case infix(TestWord)
    case fuzzy(TestWord, distance: Int)
    case wildcard(String)
    case field(String, PlainQuery)
    case all([PlainQuery])
    case any([PlainQuery])
    case none([PlainQuery])
    case atLeast(Int, [PlainQuery])

    var query: Query {
        switch self {
        case .everything: .everything
        case .keyword(let words): .keyword(Self.text(words))
        case .phrase(let words, let slop):
            words.count == 1 ? .term(Self.text(words)) : .phrase(Self.text(words), slop: slop)
        case .near(let words, let distance, let ordered):
            .near(words.map(\.source), within: distance, ordered: ordered)
        case .nearPatterns(let patterns, let distance, let ordered):
            .near(patterns.map { .wildcard($0) }, within: distance, ordered: ordered)
        case .prefix(let word): .prefix(word.source)
        case .suffix(let word): .suffix(word.source)
        case .infix(let word): .infix(word.source)
        case .fuzzy(let word, let distance): .fuzzy(word.source, distance: distance)
        case .wildcard(let pattern): .wildcard(pattern)
        case .field(let name, let part): .field(name, part.query)
        case .all(let parts): .all(of: parts.map(\.query))
        case .any(let parts): .any(of: parts.map(\.query))
        case .none(let parts): .none(of: parts.map(\.query))
        case .atLeast(let count, let parts): .atLeast(count, of: parts.map(\.query))
        }
    }

    var description: String { query.description }

    static func text(_ words: [TestWord]) -> String { words.map(\.source).joined(separator: " ") }

    /// The words that are looked for inside others when the whole query asks for nothing.
    var words: [TestWord] {
        switch self {
        case .phrase(let words, _): words
        case .field(_, let part): part.words
        case .all(let parts), .any(let parts), .atLeast(_, let parts): parts.flatMap(\.words)
        default: []
        }
    }
}

/// Words of a string as they are indexed, with their positions.
struct PlainString {
    var string: Int
    var words: [(position: Int, term: String)]
}

/// Objects as plain strings, to answer queries over.
struct PlainCorpus {
    var model: ReferenceModel
    static let fields = ["title", "body"]

    var ids: Set<Int> { Set(model.objects.map(\.id)) }

    private func strings(of object: TestObject, in wanted: Int?) -> [PlainString] {
        object.strings.enumerated().compactMap { number, string in
            if let wanted, wanted != number { return nil }
            var seen: Set<String> = []
            var words: [(Int, String)] = []
            for (position, word) in string.words.enumerated() {
                if model.stopWords.contains(word.folded) { continue }
                if model.discardsDuplicates, !seen.insert(word.folded).inserted { continue }
                words.append((position, word.folded))
            }
            return PlainString(string: number, words: words)
        }
    }

    private func objects(
        in field: Int?, where matches: ([PlainString]) -> Bool
    ) -> Set<Int> {
        Set(model.objects.filter { matches(strings(of: $0, in: field)) }.map(\.id))
    }

    private func objects(in field: Int?, withTerm matches: (String) -> Bool) -> Set<Int> {
        objects(in: field) { $0.contains { $0.words.contains { matches($0.term) } } }
    }

    /// What the engine must find.
    func answer(_ query: PlainQuery) -> Set<Int> {
        answer(query, in: nil) ?? keyword(query.words, in: nil)
    }

    private func answer(_ query: PlainQuery, in field: Int?) -> Set<Int>? {
        switch query {
        case .everything: return ids
        case .keyword(let words): return keyword(words, in: field)
        case .phrase(let words, let slop): return phrase(words, slop, in: field)
        case .near(let words, let distance, let ordered):
            let wanted = words.map(\.folded).filter { !model.stopWords.contains($0) }
            return wanted.isEmpty
                ? nil
                : near(
                    wanted.map { word in { (other: String) in other == word } }, distance, ordered,
                    in: field)
        case .nearPatterns(let patterns, let distance, let ordered):
            let wanted = patterns.map { pattern in
                { (term: String) in Self.matches(pattern[...], term[...]) }
            }
            return near(wanted, distance, ordered, in: field)
        case .prefix(let word): return objects(in: field) { $0.hasPrefix(word.folded) }
        case .suffix(let word): return objects(in: field) { $0.hasSuffix(word.folded) }
        case .infix(let word): return objects(in: field) { $0.contains(word.folded) }
        case .fuzzy(let word, let distance):
            return objects(in: field) { Self.edits($0, word.folded) <= distance }
        case .wildcard(let pattern):
            return objects(in: field) { Self.matches(pattern[...], $0[...]) }
        case .field(let name, let part):
            guard let number = Self.fields.firstIndex(of: name) else { return [] }
            return answer(part, in: number)
        case .all(let parts): return all(parts, in: field)
        case .any(let parts):
            let found = parts.compactMap { answer($0, in: field) }
            if found.isEmpty, !parts.isEmpty { return nil }
            return found.reduce([]) { $0.union($1) }
        case .none(let parts):
            return parts.compactMap { answer($0, in: field) }.reduce(ids) { $0.subtracting($1) }
        case .atLeast(let count, let parts):
            let found = parts.compactMap { answer($0, in: field) }
            return ids.filter { id in found.count { $0.contains(id) } >= count }
        }
    }

    private func all(_ parts: [PlainQuery], in field: Int?) -> Set<Int>? {
        let found = parts.compactMap { answer($0, in: field) }
        if found.isEmpty, !parts.isEmpty { return nil }
        return found.reduce(ids) { $0.intersection($1) }
    }

    /// By the reference model of keyword search, over the strings of the field alone.
    private func keyword(_ words: [TestWord], in field: Int?) -> Set<Int> {
        var part = ReferenceModel()
        part.minimalTokenLength = model.minimalTokenLength
        part.stopWords = model.stopWords
        part.discardsDuplicates = model.discardsDuplicates
        for var object in model.objects {
            if let field { object.strings = object.strings.dropFirst(field).prefix(1).map { $0 } }
            part.index(object)
        }
        let found = Set(part.search(words.map(\.folded)).map(\.identifier))
        return Set(part.objects.filter { found.contains($0.identifier) }.map(\.id))
    }

    private func phrase(_ words: [TestWord], _ slop: Int, in field: Int?) -> Set<Int>? {
        let wanted = words.enumerated().filter { !model.stopWords.contains($1.folded) }
        if wanted.isEmpty { return nil }
        let terms = wanted.map(\.element.folded)
        return objects(in: field) { strings in
            strings.contains { string in
                Self.choices(terms.map { term in { (other: String) in other == term } }, in: string)
                    .contains { positions in
                        guard Set(positions).count == positions.count else { return false }
                        let keys = zip(positions, wanted).map { $0 - $1.offset }
                        return (keys.max() ?? 0) - (keys.min() ?? 0) <= slop
                    }
            }
        }
    }

    private func near(
        _ wanted: [(String) -> Bool], _ distance: Int, _ ordered: Bool, in field: Int?
    ) -> Set<Int> {
        return objects(in: field) { strings in
            strings.contains { string in
                Self.choices(wanted, in: string).contains { positions in
                    guard Set(positions).count == positions.count else { return false }
                    if ordered, positions != positions.sorted() { return false }
                    let others =
                        (positions.max() ?? 0) - (positions.min() ?? 0) - positions.count + 1
                    return others <= distance
                }
            }
        }
    }

    /// Every way of choosing one place for each word.
    private static func choices(
        _ words: [(String) -> Bool], in string: PlainString
    ) -> [[Int]] {
        words.reduce([[]]) { begun, matches in
            let places = string.words.filter { matches($0.term) }.map(\.position)
            return begun.flatMap { start in places.map { start + [$0] } }
        }
    }

    /// Optimal string alignment, the whole table.
    static func edits(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
        var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    table[i][j] = i + j
                    continue
                }
                var best = min(table[i - 1][j], table[i][j - 1]) + 1
                best = min(best, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, table[i - 2][j - 2] + 1)
                }
                table[i][j] = best
            }
        }
        return table[a.count][b.count]
    }

    static func matches(_ pattern: Substring, _ term: Substring) -> Bool {
        guard let first = pattern.first else { return term.isEmpty }
        let rest = pattern.dropFirst()
        if first == "*" {
            return matches(rest, term) || (!term.isEmpty && matches(pattern, term.dropFirst()))
        }
        guard let next = term.first else { return false }
        return (first == "?" || first == next) && matches(rest, term.dropFirst())
    }
}
