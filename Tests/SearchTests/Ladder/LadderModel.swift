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
            let units = step == .someWords ? units(words) : words.indices.map { Unit(place: $0) }
            let letters = units.count { words[$0.place].count == 1 }
            for least in least(step, units) {
                if found.count >= count { return found }
                tier += 1
                for (number, object) in objects.enumerated() where found[number] == nil {
                    let matching = units.filter { matches(words, $0, object, step, allowed) }
                    let hasEnough =
                        step == .someWords && least <= letters
                        ? matching.contains { words[$0.place].count > 1 }
                        : matching.count >= least
                    guard hasEnough else { continue }
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

    /// What counts as a word: a word, or a part of a joined one in the step of some words.
    private struct Unit {
        var place: Int
        var part: String?
    }

    private func units(_ words: [String]) -> [Unit] {
        words.indices.flatMap { place -> [Unit] in
            let cut = parts(words[place])
            return cut.count > 1
                ? cut.map { Unit(place: place, part: $0) } : [Unit(place: place)]
        }
    }

    private func parts(_ word: String) -> [String] { word.split(separator: "_").map(String.init) }

    /// How many of the words a step takes for enough, in turn.
    private func least(_ step: SearchSteps, _ units: [Unit]) -> [Int] {
        let count = units.count
        guard step == .someWords else { return [count] }
        let hasParts = units.contains { $0.part != nil }
        // All parts of a joined word are less than the word.
        var tries = hasParts ? [count] : []
        tries += [count - 1, (count + 1) / 2, 1].filter { $0 >= 1 && $0 < count }
        return tries
    }

    private func matches(
        _ words: [String], _ unit: Unit, _ object: [String], _ step: SearchSteps,
        _ allowed: SearchSteps
    ) -> Bool {
        if matches(words, unit.place, object, step, allowed) { return true }
        guard let part = unit.part else { return false }
        return object.contains(part)
            || allowed.contains(.variants) && object.contains { parts($0).contains(part) }
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
        // From the step of variants on, an unfinished word is one of parts of joined words, too.
        if isUnfinished, allowed.contains(.variants),
            object.contains(where: { parts($0).contains { $0.hasPrefix(word) } })
        {
            return true
        }
        let isKnown = frequency(word) > 0
        let onlyKnown = step == .someWords && isKnown
        func takes(_ way: SearchSteps) -> Bool {
            allowed.contains(way) && way.rawValue <= step.rawValue
        }
        if takes(.variants), hasVariant(words, place, object, step, isKnown) { return true }
        if onlyKnown { return false }
        if takes(.unfinished), place == words.count - 1,
            object.contains(where: { term in
                term.hasPrefix(word)
                    || allowed.contains(.variants) && parts(term).contains { $0.hasPrefix(word) }
            })
        {
            return true
        }
        let distance = word.count < 4 ? 0 : word.count < 8 || isKnown ? 1 : 2
        if takes(.typos), distance > 0,
            object.contains(where: { PlainCorpus.edits($0, word) <= distance })
        {
            return true
        }
        if takes(.typos), takes(.unfinished), place == words.count - 1, !isKnown,
            word.count >= 5, object.contains(where: { Self.begins($0, nearly: word) })
        {
            return true
        }
        if takes(.typos), allowed.contains(.variants), !isKnown, hasNearHalves(word, object) {
            return true
        }
        return takes(.insideWords) && word.count >= (isKnown ? 5 : 3)
            && object.contains { $0.contains(word) }
    }

    /// Whether a word has a beginning that is another one but for one edit, with the same first and
    /// last letters unless the last two are swapped.
    static func begins(_ word: String, nearly other: String) -> Bool {
        (other.count - 1...other.count + 1).contains { count in
            let beginning = String(word.prefix(count))
            guard beginning.count == count, PlainCorpus.edits(beginning, other) == 1,
                beginning.first == other.first
            else { return false }
            return beginning.last == other.last
                || count == other.count
                    && beginning.suffix(2).elementsEqual(other.suffix(2).reversed())
        }
    }

    private func hasVariant(
        _ words: [String], _ place: Int, _ object: [String], _ step: SearchSteps, _ isKnown: Bool
    ) -> Bool {
        let word = words[place]
        if object.contains(where: { areNumbers($0, word) || areNumbers(word, $0) }) { return true }
        // A part of a joined word, and the parts of one side by side.
        if object.contains(where: { parts($0).contains(word) }) { return true }
        let cut = parts(word)
        for start in object.indices where cut.count > 1 {
            if object[start...].starts(with: cut) { return true }
        }
        for other in [place - 1, place] where words.indices.contains(other) {
            guard words.indices.contains(other + 1) else { continue }
            if object.contains(words[other] + words[other + 1]) { return true }
        }
        for other in [place - 2, place - 1, place] where words.indices.contains(other) {
            guard words.indices.contains(other + 2) else { continue }
            if object.contains(words[other...(other + 2)].joined()) { return true }
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

    /// All words, and the parts of joined ones.
    private var known: Set<String> {
        Set(objects.joined()).union(objects.joined().flatMap { parts($0) })
    }

    /// Whether an object has two words side by side that make a word with one error in one of them,
    /// where no word is that word with errors.
    private func hasNearHalves(_ word: String, _ object: [String]) -> Bool {
        let distance = word.count < 4 ? 0 : word.count < 8 ? 1 : 2
        let known = known
        guard distance > 0, word.count >= 6, word.allSatisfy(\.isLetter),
            !known.contains(where: { (1...distance).contains(PlainCorpus.edits($0, word)) })
        else { return false }
        var splits: [(known: String, other: String, isFirst: Bool)] = []
        for end in word.indices.dropFirst(3) where word[end...].count >= 3 {
            let (a, b) = (String(word[..<end]), String(word[end...]))
            if known.contains(a) { splits.append((a, b, true)) }
            if known.contains(b) { splits.append((b, a, false)) }
        }
        let longest = splits.enumerated().sorted {
            (-$0.element.known.count, $0.offset) < (-$1.element.known.count, $1.offset)
        }
        return longest.prefix(3).contains { _, split in
            zip(object, object.dropFirst()).contains { a, b in
                let (same, near) = split.isFirst ? (a, b) : (b, a)
                return same == split.known && PlainCorpus.edits(near, split.other) == 1
            }
        }
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
