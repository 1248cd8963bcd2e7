@testable import TestSupport
@testable import TextSearch

/// The steps of a text by their rules, over plain lists of lower-case words: the model that
/// searches must agree with.
struct LadderModel {
    /// The words of each object's only string.
    var objects: [[String]]

    /// Whether the last word is taken for the beginning of words from the first step on.
    var isTyping = false

    private func frequency(_ word: String) -> Int { objects.count { $0.contains(word) } }

    /// The words of each object's title, which `objects` has too; nil where objects have one
    /// string.
    var titles: [[String]]?

    /// The step that finds an object, and how many queries were before.
    struct Place {
        var step: SearchSteps
        var tier: Int
    }

    /// The first step by which each object is found, and nothing for others; `count` is how many
    /// results end the search.
    func places(of text: String, _ allowed: SearchSteps, until count: Int) -> [Int: Place] {
        let words = text.split(separator: " ").map(String.init)
        var found: [Int: Place] = [:]
        var tier = 0
        for step in SearchSteps.inOrder {
            // One such title comes before unfinished words, eight of three words before errors.
            let most = step == .unfinished ? 1 : step == .typos && words.count == 3 ? 8 : 0
            if most > 0, let titles = titles(of: words, allowed) {
                if found.count >= count { return found }
                tier += 1
                let meant = titles.indices.filter { number in
                    let matching = words.indices.count {
                        matches(words, $0, titles[number], .unfinished, allowed)
                    }
                    return matching >= words.count - 1
                }
                for number in meant where meant.count <= most && found[number] == nil {
                    found[number] = Place(step: .someWords, tier: tier)
                }
            }
            guard allowed.contains(step) || step == .exact else { continue }
            for least in least(step, words.count) {
                if found.count >= count { return found }
                tier += 1
                for (number, object) in objects.enumerated() where found[number] == nil {
                    let matching = words.indices.count {
                        matches(words, $0, object, step, allowed)
                    }
                    guard matching >= least else { continue }
                    let isBegun = step == .exact && !words.allSatisfy(object.contains)
                    found[number] = Place(step: isBegun ? .unfinished : step, tier: tier)
                }
            }
        }
        return found
    }

    /// The titles, where those with all words but one come before unfinished words and errors.
    private func titles(of words: [String], _ allowed: SearchSteps) -> [[String]]? {
        guard allowed.contains(.someWords), (3...7).contains(words.count),
            words.allSatisfy({ frequency($0) > 0 })
        else { return nil }
        return titles
    }

    /// How many of the words a step takes for enough, in turn.
    private func least(_ step: SearchSteps, _ count: Int) -> [Int] {
        guard step == .someWords else { return [count] }
        var tries = [count - 1, (count + 1) / 2, 1]
        tries.removeAll { $0 < 1 || $0 >= count }
        return tries
    }

    private func matches(
        _ words: [String], _ place: Int, _ object: [String], _ step: SearchSteps,
        _ allowed: SearchSteps
    ) -> Bool {
        let word = words[place]
        let isUnfinished = isTyping && place == words.count - 1
        if object.contains(where: { isUnfinished ? $0.hasPrefix(word) : $0 == word }) {
            return true
        }
        if step == .exact { return false }
        let isKnown = frequency(word) > 0
        let onlyKnown = step == .someWords && isKnown
        func takes(_ way: SearchSteps) -> Bool {
            allowed.contains(way) && way.rawValue <= step.rawValue
        }
        if takes(.variants), hasVariant(words, place, object, step, isKnown) { return true }
        if onlyKnown { return false }
        if takes(.unfinished), place == words.count - 1,
            object.contains(where: { $0.hasPrefix(word) })
        {
            return true
        }
        let distance = word.count < 4 ? 0 : word.count < 8 || isKnown ? 1 : 2
        if takes(.typos), distance > 0,
            object.contains(where: { PlainCorpus.edits($0, word) <= distance })
        {
            return true
        }
        return takes(.insideWords) && word.count >= (isKnown ? 5 : 3)
            && object.contains { $0.contains(word) }
    }

    private func hasVariant(
        _ words: [String], _ place: Int, _ object: [String], _ step: SearchSteps, _ isKnown: Bool
    ) -> Bool {
        let word = words[place]
        if object.contains(where: { areNumbers($0, word) || areNumbers(word, $0) }) { return true }
        for other in [place - 1, place] where words.indices.contains(other) {
            guard words.indices.contains(other + 1) else { continue }
            if object.contains(words[other] + words[other + 1]) { return true }
        }
        for (a, b) in splits(word) {
            if zip(object, object.dropFirst()).contains(where: { $0 == a && $1 == b }) {
                return true
            }
            if !isKnown, step.rawValue >= SearchSteps.typos.rawValue, object.contains(a),
                object.contains(b)
            {
                return true
            }
        }
        return false
    }

    /// Whether one word is a plural of the other.
    private func areNumbers(_ plural: String, _ singular: String) -> Bool {
        guard singular.count > 2 else { return false }
        if singular.hasSuffix("y"), plural == singular.dropLast() + "ies" { return true }
        if singular.hasSuffix("s"), !singular.hasSuffix("ss") { return false }
        return plural == singular + "s" || !singular.hasSuffix("i") && plural == singular + "es"
    }

    private func splits(_ word: String) -> [(String, String)] {
        var found: [(halves: (String, String), order: (Int, Int))] = []
        guard word.count >= 4 else { return [] }
        for end in word.indices.dropFirst() {
            let (a, b) = (String(word[..<end]), String(word[end...]))
            let least = min(frequency(a), frequency(b))
            guard least > 0 else { continue }
            found.append(((a, b), (min(a.count, b.count) > 1 ? 0 : 1, -least)))
        }
        // Stable: of equal ones the earlier place.
        let sorted = found.enumerated().sorted {
            ($0.element.order.0, $0.element.order.1, $0.offset)
                < ($1.element.order.0, $1.element.order.1, $1.offset)
        }
        return sorted.prefix(2).map(\.element.halves)
    }
}
