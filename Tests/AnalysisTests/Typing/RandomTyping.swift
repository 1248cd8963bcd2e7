@testable import TestSupport
@testable import TextSearch

/// Somebody who types: letters at the end, corrections, insertions in the middle, other texts.
struct RandomTyping {
    var text = ""
    private var goal: [Character] = []

    /// What the next keystroke makes of the text; `words` are those of the corpus.
    mutating func strike(_ random: inout PlainQueryRandom) {
        var letters = Array(text)
        let kind = random.generator.int(0...11)
        let place = letters.isEmpty ? 0 : random.generator.int(0...(letters.count - 1))
        switch kind {
        case 0 where !letters.isEmpty: letters.remove(at: place)
        case 1 where !letters.isEmpty:
            letters.insert(
                random.generator.element(["a", "b", "s", " ", "-", "\"", "*"]), at: place)
        case 2, 3: letters.removeLast(min(random.generator.int(1...3), letters.count))
        case 4 where letters.count > 12: letters = []
        default:
            if goal.isEmpty {
                goal = Array(random.word().source + random.generator.element([" ", " ", "  ", ""]))
            }
            letters.append(goal.removeFirst())
        }
        if kind < 5 { goal = [] }
        text = String(letters)
    }
}
