import Foundation

@testable import TextSearch

/// Words of a string as they are indexed, with their positions.
struct PlainString {
    var string: Int
    /// All words, with those that are not indexed.
    var length: Int
    var words: [(position: Int, term: String)]
}

/// Objects as plain strings, to answer queries over: which objects, and how relevant each is.
struct PlainCorpus {
    typealias Scores = [Int: Double]

    var model: ReferenceModel
    var parameters = BM25Parameters()
    static let fields = ["title", "body"]

    private var unscored: Scores {
        Dictionary(uniqueKeysWithValues: model.objects.map { ($0.id, 0) })
    }

    func strings(of object: TestObject, in wanted: Int?) -> [PlainString] {
        object.strings.enumerated().compactMap { number, string in
            if let wanted, wanted != number { return nil }
            var seen: Set<String> = []
            var words: [(Int, String)] = []
            for (position, word) in string.words.enumerated() {
                if model.stopWords.contains(word.folded) { continue }
                if model.discardsDuplicates, !seen.insert(word.folded).inserted { continue }
                words.append((position, word.folded))
            }
            return PlainString(string: number, length: string.words.count, words: words)
        }
    }

    /// What the engine must find.
    func answer(_ query: PlainQuery) -> Set<Int> { Set(scores(query).keys) }

    /// How relevant each object that the engine must find is.
    func scores(_ query: PlainQuery) -> Scores {
        scores(query, in: nil) ?? keyword(query.words, in: nil)
    }

    private func scores(_ query: PlainQuery, in field: Int?) -> Scores? {
        switch query {
        case .everything: return unscored
        case .keyword(let words): return keyword(words, in: field)
        case .phrase(let words, let slop, let lastIsPrefix):
            return phrase(words, slop, lastIsPrefix, in: field)
        case .exactly(let words): return phrase(words, 0, false, in: field, isWhole: true)
        case .near(let words, let distance, let ordered):
            let wanted = words.map(\.folded).filter { !model.stopWords.contains($0) }
            if wanted.isEmpty { return nil }
            return near(wanted.map { word in { $0 == word } }, distance, ordered, in: field)
        case .nearPatterns(let patterns, let distance, let ordered):
            let wanted = patterns.map { pattern in
                { (term: String) in Self.matches(pattern[...], term[...]) }
            }
            return near(wanted, distance, ordered, in: field)
        case .prefix, .suffix, .infix, .fuzzy, .wildcard, .either:
            guard let test = Self.test(query) else { return nil }
            return leaf(in: field) { _, string in string.words.count { test($0.term) } }
        case .field(_, let part) where part.isField: return scores(part, in: field)
        case .field(let name, let part):
            guard let number = Self.fields.firstIndex(of: name) else { return [:] }
            return scores(part, in: number)
        case .attribute(let name, let comparison):
            return objects { comparison.holds(for: $0.attributes[name]) }
        case .weight(let lower, let upper):
            return objects { ($0.weight >= lower ?? -.infinity) && $0.weight <= upper ?? .infinity }
        case .objects(let ids): return objects { ids.contains($0.id) }
        default: return combination(query, in: field)
        }
    }

    /// Which terms a query of one word or pattern is for; nil for others.
    static func test(_ query: PlainQuery) -> ((String) -> Bool)? {
        switch query {
        case .phrase(let words, _, let isPrefix) where words.count == 1:
            { isPrefix ? $0.hasPrefix(words[0].folded) : $0 == words[0].folded }
        case .prefix(let word): { $0.hasPrefix(word.folded) }
        case .suffix(let word): { $0.hasSuffix(word.folded) }
        case .infix(let word): { $0.contains(word.folded) }
        case .fuzzy(let word, let distance): { edits($0, word.folded) <= distance }
        case .wildcard(let pattern): { matches(pattern[...], $0[...]) }
        case .either(let words): { term in words.contains { $0.folded == term } }
        default: nil
        }
    }

    private func objects(where isWanted: (TestObject) -> Bool) -> Scores {
        let wanted = model.objects.filter(isWanted)
        return Dictionary(uniqueKeysWithValues: wanted.map { ($0.id, 0) })
    }

    // MARK: Combinations

    private func combination(_ query: PlainQuery, in field: Int?) -> Scores? {
        switch query {
        case .all(let parts): return all(parts, in: field)
        case .any(let parts):
            let found = parts.compactMap { scores($0, in: field) }
            return found.isEmpty && !parts.isEmpty ? nil : Self.sum(found, atLeast: 1)
        case .none(let parts):
            let found = parts.compactMap { scores($0, in: field) }
            if found.isEmpty, !parts.isEmpty { return nil }
            return unscored.filter { id, _ in !found.contains { $0[id] != nil } }
        case .atLeast(let count, let parts):
            let found = parts.compactMap { scores($0, in: field) }
            if count == 0 { return Self.sum([unscored] + found, atLeast: 1) }
            if count > parts.count { return [:] }
            return found.isEmpty ? nil : Self.sum(found, atLeast: min(count, found.count))
        case .first(let parts): return first(parts, in: field)
        case .matching(let word, let modes):
            return first(PlainQuery.ways(word, modes), in: field)
        case .boost(let part, let factor): return scores(part, in: field)?.mapValues { $0 * factor }
        case .constantScore(let part, let score):
            return scores(part, in: field)?.mapValues { _ in score }
        case .filter(let part): return scores(part, in: field)?.mapValues { _ in 0 }
        default: return [:]
        }
    }

    private func all(_ parts: [PlainQuery], in field: Int?) -> Scores? {
        let found = parts.compactMap { scores($0, in: field) }
        if parts.isEmpty { return unscored }
        return found.isEmpty ? nil : Self.sum(found, atLeast: found.count)
    }

    /// What an earlier part finds is above all that later ones find alone.
    private func first(_ parts: [PlainQuery], in field: Int?) -> Scores? {
        if let first = parts.first, scores(first, in: field) == nil { return nil }
        var result: Scores = [:]
        for (number, part) in parts.enumerated() {
            guard let found = scores(part, in: field) else { continue }
            // What is found earlier does not count here.
            let earlier = Set(parts[..<number].flatMap { (scores($0, in: field) ?? [:]).keys })
            let new = found.filter { !earlier.contains($0.key) }
            let least = result.values.min()
            for (id, score) in new {
                guard let least else {
                    result[id] = score
                    continue
                }
                let share = (1 + score / (1 + abs(score))) / 2
                let lower = least > 0 ? least * share : least - (1 - share)
                result[id] = lower < least ? lower : least.nextDown
            }
        }
        return result
    }

    private static func sum(_ parts: [Scores], atLeast count: Int) -> Scores {
        var result: Scores = [:]
        for id in Set(parts.flatMap(\.keys)) {
            let found = parts.compactMap { $0[id] }
            if found.count >= count { result[id] = found.reduce(0, +) }
        }
        return result
    }
}

// MARK: - Words

extension PlainCorpus {
    /// BM25F of what stands `count` times in each string, as its formula is written.
    private func leaf(
        in field: Int?, count: (TestObject, PlainString) -> Int
    ) -> Scores {
        var frequencies: [Int: Double] = [:]
        for object in model.objects {
            var frequency = 0.0
            var isFound = false
            for string in strings(of: object, in: field) {
                let times = count(object, string)
                guard times > 0 else { continue }
                isFound = true
                let name = string.string < Self.fields.count ? Self.fields[string.string] : ""
                let b = parameters.fieldB[name] ?? parameters.b
                let share = 1 - b + b * Double(string.length) / averageLength(string.string)
                frequency +=
                    (parameters.fieldWeights[name] ?? (string.string == 0 ? 3 : 1)) * Double(times)
                    / share
            }
            if isFound { frequencies[object.id] = frequency }
        }
        let n = Double(model.objects.count)
        let df = Double(frequencies.count)
        let idf = log(1 + (n - df + 0.5) / (df + 0.5))
        return frequencies.mapValues {
            $0 > 0 ? idf * $0 * (parameters.k1 + 1) / (parameters.k1 + $0) : 0
        }
    }

    /// Over the objects that have such a string.
    private func averageLength(_ string: Int) -> Double {
        let lengths = model.objects.filter { $0.strings.count > string }.map {
            Double($0.strings[string].words.count)
        }
        return lengths.reduce(0, +) / Double(lengths.count)
    }

    /// Each different word counts by itself, by the words that it stands in.
    private func keyword(_ words: [TestWord], in field: Int?) -> Scores {
        let folded = words.map(\.folded)
        let wanted =
            folded.allSatisfy(model.stopWords.contains)
            ? folded : folded.filter { !model.stopWords.contains($0) }
        let unique = Set(wanted)
        if unique.isEmpty { return unscored }
        let found = unique.map { word in
            leaf(in: field) { object, string in
                let matches = model.matches(
                    of: word, in: object, shortWordsCount: unique.count > 1)
                return Set(matches.filter { $0.string == string.string }.map(\.wordIndex)).count
            }
        }
        return Self.sum(found, atLeast: found.count)
    }

    private func phrase(
        _ words: [TestWord], _ slop: Int, _ lastIsPrefix: Bool, in field: Int?,
        isWhole: Bool = false
    ) -> Scores? {
        var wanted = words.enumerated().filter { !model.stopWords.contains($1.folded) }
        // The beginning of a word is asked for even where it is a stop word, unless there is more.
        if wanted.isEmpty, lastIsPrefix { wanted = words.enumerated().suffix(1) }
        if wanted.isEmpty { return nil }
        let tests = wanted.map { number, word in
            { (term: String) in
                lastIsPrefix && number == words.count - 1
                    ? term.hasPrefix(word.folded) : term == word.folded
            }
        }
        return leaf(in: field) { _, string in
            let starts = Self.choices(tests, in: string).compactMap { positions -> Int? in
                guard Set(positions).count == positions.count else { return nil }
                let keys = zip(positions, wanted).map { $0 - $1.offset }
                let start = keys.min() ?? 0
                return (keys.max() ?? 0) - start <= slop ? start : nil
            }
            if isWhole { return string.length == words.count && starts.contains(0) ? 1 : 0 }
            return Set(starts).count
        }
    }

    private func near(
        _ wanted: [(String) -> Bool], _ distance: Int, _ ordered: Bool, in field: Int?
    ) -> Scores {
        leaf(in: field) { _, string in
            let starts = Self.choices(wanted, in: string).compactMap { positions -> Int? in
                guard Set(positions).count == positions.count else { return nil }
                if ordered, positions != positions.sorted() { return nil }
                let start = positions.min() ?? 0
                let others = (positions.max() ?? 0) - start - positions.count + 1
                return others <= distance ? start : nil
            }
            return Set(starts).count
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
