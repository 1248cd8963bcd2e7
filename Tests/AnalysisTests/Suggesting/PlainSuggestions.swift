import Foundation

@testable import TestSupport
@testable import TextSearch

/// What is to be suggested, written out over the words of all objects.
struct PlainSuggestions {
    struct Expected: Equatable, CustomStringConvertible {
        var text: String
        var count: Int
        var score: Double

        var description: String { "\(text) (\(count), \(score))" }
    }

    var objects: [PlainNote]
    /// Which of an object's strings are looked in.
    var field: Int?
    /// The least weight that is let pass.
    var leastWeight: Double?
    var limit: Int

    private func strings(_ object: PlainNote) -> [[String]] {
        object.strings.enumerated().filter { field == nil || $0.offset == field }.map {
            $0.element.split(separator: " ").map(String.init)
        }
    }

    private func words(_ object: PlainNote) -> Set<String> { Set(strings(object).joined()) }
    private func value(_ object: PlainNote) -> Double { 1 + max(object.weight, 0) }

    private var allowed: [PlainNote] {
        objects.filter { leastWeight == nil || $0.weight >= leastWeight ?? 0 }
    }

    private func base(_ rest: [(word: String, isPrefix: Bool)]) -> [PlainNote] {
        let matching = allowed.filter { object in
            rest.allSatisfy { word, isPrefix in
                words(object).contains { isPrefix ? $0.hasPrefix(word) : $0 == word }
            }
        }
        return matching.isEmpty ? allowed : matching
    }

    private func sorted(
        _ found: [(key: String, text: String, objects: [PlainNote], factor: Double)]
    )
        -> [Expected]
    {
        let scored = found.filter { !$0.objects.isEmpty }.map { found in
            let sum = found.objects.map(value).reduce(0, +)
            return (
                key: found.key,
                expected: Expected(
                    text: found.text, count: found.objects.count, score: sum * found.factor)
            )
        }
        let order = scored.sorted {
            $0.expected.score != $1.expected.score
                ? $0.expected.score > $1.expected.score
                : Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8))
        }
        return order.prefix(limit).map(\.expected)
    }

    private func read(_ text: String) -> (words: [String], endsInWord: Bool) {
        (text.split(separator: " ").map(String.init), text.last.map { $0 != " " } ?? false)
    }

    func completions(_ text: String) -> [Expected] {
        let (typed, endsInWord) = read(text)
        guard endsInWord, let last = typed.last else { return [] }
        let base = base(typed.dropLast().map { ($0, false) })
        let longer = Set(objects.flatMap(words)).filter { $0.hasPrefix(last) && $0 != last }
        return sorted(
            longer.map { word in
                let isThere = typed.dropLast().contains(word)
                let objects = base.filter { object in
                    isThere
                        ? strings(object).contains { has([typed[typed.count - 2], word], $0) }
                        : words(object).contains(word)
                }
                return (word, text.dropLast(last.count) + word, objects, 1)
            })
    }

    /// Whether two words stand one after the other.
    private func has(_ pair: [String], _ words: [String]) -> Bool {
        zip(words, words.dropFirst()).contains { [$0, $1] == pair }
    }

    func phrases(_ text: String) -> [Expected] {
        let (typed, endsInWord) = read(text)
        guard !typed.isEmpty else { return [] }
        var found: [String: [PlainNote]] = [:]
        for object in allowed {
            var here: Set<String> = []
            for words in strings(object) {
                for start in words.indices where start + typed.count <= words.count {
                    let isMatch = typed.indices.allSatisfy { offset in
                        let isPrefix = endsInWord && offset == typed.count - 1
                        let word = words[start + offset]
                        return isPrefix
                            ? word.hasPrefix(typed[offset]) : word == typed[offset]
                    }
                    guard isMatch else { continue }
                    let end = start + typed.count
                    for count in 1...2 where end + count <= words.count {
                        let first = endsInWord ? end - 1 : end
                        here.insert(words[first..<(end + count)].joined(separator: " "))
                    }
                }
            }
            for phrase in here { found[phrase, default: []].append(object) }
        }
        let kept = text.dropLast(endsInWord ? (typed.last ?? "").count : 0)
        return sorted(found.map { ($0.key, kept + $0.key, $0.value, 1) })
    }

    // MARK: Corrections

    func corrections(_ text: String) -> [Expected] {
        let (typed, endsInWord) = read(text)
        let all = Set(
            objects.flatMap(\.strings).flatMap { $0.split(separator: " ").map(String.init) })
        var rest: [(String, Bool)] = []
        var wrong: [Int] = []
        for (place, word) in typed.enumerated() {
            let isLast = endsInWord && place == typed.count - 1
            if all.contains(word) || (isLast && all.contains { $0.hasPrefix(word) }) {
                rest.append((word, isLast))
            } else {
                wrong.append(place)
            }
        }
        let base = base(rest)
        let candidates = wrong.map { best(typed[$0], base, wrong.count == 1 ? 64 : 8) }
        guard candidates.contains(where: { !$0.isEmpty }) else { return [] }
        var choices: [[(word: String, cost: Double)?]] = [[]]
        for some in candidates {
            choices = choices.flatMap { before in
                some.isEmpty ? [before + [nil]] : some.map { before + [$0] }
            }
        }
        return sorted(
            choices.map { choice in
                var words = typed
                for (place, chosen) in zip(wrong, choice) {
                    if let chosen { words[place] = chosen.word }
                }
                let chosen = choice.compactMap { $0 }
                return (
                    chosen.map(\.word).joined(separator: "\0"),
                    words.joined(separator: " ") + (endsInWord ? "" : " "),
                    base.filter { object in
                        chosen.allSatisfy { self.words(object).contains($0.word) }
                    }, pow(0.02, chosen.map(\.cost).reduce(0, +))
                )
            })
    }

    private func best(
        _ word: String, _ base: [PlainNote], _ count: Int
    ) -> [(word: String, cost: Double)] {
        // Words of few letters are not corrected.
        let distance = word.count < 4 ? 0 : word.count < 8 ? 1 : 2
        guard distance > 0 else { return [] }
        var found: [(word: String, cost: Double, score: Double)] = []
        for candidate in Set(base.flatMap(words)) {
            let edits = PlainTypingErrors.cost(word, candidate, easy: 1)
            guard edits <= Double(distance) else { continue }
            let cost = PlainTypingErrors.cost(word, candidate, easy: 0.5)
            let sum = base.filter { words($0).contains(candidate) }.map(value).reduce(0, +)
            found.append((candidate, cost, sum * pow(0.02, cost)))
        }
        found.sort { $0.score != $1.score ? $0.score > $1.score : $0.word < $1.word }
        return found.prefix(count).map { ($0.word, $0.cost) }
    }
}

/// Typing errors by their definition.
enum PlainTypingErrors {
    private static let neighbours = KeyboardLayout.qwerty.neighbours

    /// `easy` is the cost of what is easily done; with 1, all edits cost the same.
    static func cost(_ typed: String, _ meant: String, easy: Double) -> Double {
        let a = typed.unicodeScalars.map(\.value)
        let b = meant.unicodeScalars.map(\.value)
        var known: [[Int]: Double] = [:]
        func single(_ word: [UInt32], _ place: Int) -> Double {
            place > 0 && word[place] == word[place - 1] ? easy : 1
        }
        func cost(_ i: Int, _ j: Int) -> Double {
            if i == 0, j == 0 { return 0 }
            if let cost = known[[i, j]] { return cost }
            var ways: [Double] = []
            if i > 0 { ways.append(cost(i - 1, j) + single(a, i - 1)) }
            if j > 0 { ways.append(cost(i, j - 1) + single(b, j - 1)) }
            if i > 0, j > 0 {
                let isNear = neighbours.contains([a[i - 1], b[j - 1]])
                let change = a[i - 1] == b[j - 1] ? 0 : isNear ? easy : 1
                ways.append(cost(i - 1, j - 1) + change)
            }
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                ways.append(cost(i - 2, j - 2) + easy)
            }
            let least = ways.min() ?? 0
            known[[i, j]] = least
            return least
        }
        return cost(a.count, b.count)
    }
}
