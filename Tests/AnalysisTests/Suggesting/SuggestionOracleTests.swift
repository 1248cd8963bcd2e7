import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Suggestions against plain words")
struct SuggestionOracleTests {
    /// Random objects, and an index of them.
    private struct Bench {
        var random: SeededGenerator
        let vocabulary: [String]
        let notes = PlainNotes()
        let index: PlainNoteIndex

        init(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            vocabulary = (0..<40).map { _ in
                String((0..<random.int(1...6)).map { _ in random.element(Array("asdfe")) })
            }
            self.random = random
            index = try PlainNoteIndex {
                $0.stopWords = .none
                $0.fields = ["title", "body"]
            }
            index.index.objectGetter = { [notes] in notes.note($0) }
        }

        mutating func change() throws {
            for _ in 0..<8 {
                let strings = (0..<random.int(1...2)).map { _ in
                    let words = (0..<random.int(0...7)).map { _ in random.element(vocabulary) }
                    return words.flatMap { random.once(in: 5) ? [$0, $0] : [$0] }
                        .joined(separator: " ")
                }
                var note = PlainNote(
                    "\(random.int(0...29))", weight: random.element([0, 0, 1, 1.5, -2]))
                note.strings = strings
                notes.set(note)
                try index.add([note])
            }
            let gone = "\(random.int(0...29))"
            notes.remove(gone)
            index.index.removeIndex(forIdentifier: Data(gone.utf8)).waitUntilFinished()
            if random.once(in: 3) { try index.index.flush() }
            if random.once(in: 6) { try index.index.optimize() }
        }

        /// Words, some mistyped, the last one perhaps unfinished.
        mutating func text() -> String {
            var words = (0..<random.int(0...3)).map { _ in random.element(vocabulary) }
            for _ in 0..<random.int(0...2) where !words.isEmpty {
                let place = random.int(0...(words.count - 1))
                words[place] = mistyped(words[place])
            }
            let last =
                random.once(in: 4) ? words.last ?? "a" : random.element(vocabulary)
            switch random.int(0...3) {
            case 0: return words.joined(separator: " ") + (words.isEmpty ? "" : " ")
            case 1: return (words + [last]).joined(separator: " ")
            default:
                let start = String(last.prefix(random.int(1...max(last.count, 1))))
                return (words + [start]).joined(separator: " ")
            }
        }

        private mutating func mistyped(_ word: String) -> String {
            var letters = Array(word)
            let place = random.int(0...(letters.count - 1))
            switch random.int(0...3) {
            case 0: letters.insert(random.element(Array("asdfegw")), at: place)
            case 1 where letters.count > 1: letters.remove(at: place)
            case 2 where place > 0: letters.swapAt(place, place - 1)
            default: letters[place] = random.element(Array("asdfegw"))
            }
            return String(letters)
        }
    }

    @Test(
        "Completions, phrases and corrections over random objects are those of plain words",
        arguments: testSeeds(10))
    func randomSuggestions(seed: UInt64) throws {
        var bench = try Bench(seed: seed)
        for _ in 0..<5 {
            try bench.change()
            for _ in 0..<30 {
                let text = bench.text()
                var options = SuggestionOptions()
                options.limit = bench.random.element([1, 3, 100])
                var model = PlainSuggestions(objects: bench.notes.all, limit: options.limit)
                if bench.random.once(in: 3) {
                    let field = bench.random.int(0...1)
                    options.field = ["title", "body"][field]
                    model.field = field
                }
                if bench.random.once(in: 3) {
                    options.filter = .weight(from: 1, through: nil)
                    model.leastWeight = 1
                }
                let found = try bench.index.index.suggestions(for: text, options: options)
                let comment = Comment("seed \(seed): \(text.debugDescription), \(options)")
                #expect(expected(found.completions) == model.completions(text), comment)
                #expect(expected(found.phrases) == model.phrases(text), comment)
                #expect(expected(found.corrections) == model.corrections(text), comment)
                #expect(found.isComplete)
                for suggestion in found.completions + found.phrases + found.corrections {
                    try checkRanges(suggestion, text)
                }
            }
        }
    }

    private func expected(_ found: [Suggestion]) -> [PlainSuggestions.Expected] {
        found.map { .init(text: $0.text, count: $0.objectCount, score: $0.score) }
    }

    /// The edits make the suggested text of the typed one; what was typed stands in what replaces
    /// it.
    private func checkRanges(_ suggestion: Suggestion, _ text: String) throws {
        var result = ""
        var place = text.startIndex
        for edit in suggestion.edits {
            let range = try #require(edit.range(in: text))
            result += text[place..<range.lowerBound] + edit.replacement
            place = range.upperBound
            let typed = try #require(edit.typedRange)
            if !typed.isEmpty {
                #expect(edit.replacement[typed] == text[range])
                #expect(typed.lowerBound == edit.replacement.startIndex)
            }
        }
        #expect(result + text[place...] == suggestion.text)
    }

    @Test("Costs of random typing errors are those of a plain count", arguments: testSeeds(10))
    func randomCosts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let errors = TypingErrors(.qwerty)
        for _ in 0..<200 {
            let words = (0..<2).map { _ in
                String((0..<random.int(0...6)).map { _ in random.element(Array("asqz")) })
            }
            let (a, b) = (words[0], words[1])
            let cost = errors.cost(
                typed: a.unicodeScalars.map(\.value), meant: b.unicodeScalars.map(\.value))
            #expect(
                cost == PlainTypingErrors.cost(a, b, easy: 0.5), "seed \(seed): \(a) for \(b)")
        }
    }
}

/// Notes by identifier, for an index that asks for them.
private final class PlainNotes: Sendable {
    private let notes = Mutex<[String: PlainNote]>([:])

    var all: [PlainNote] { notes.withLock { Array($0.values) } }
    func set(_ note: PlainNote) { notes.withLock { $0[note.id] = note } }
    func remove(_ id: String) { notes.withLock { $0[id] = nil } }
    func note(_ identifier: Data) -> PlainNote? {
        notes.withLock { $0[String(decoding: identifier, as: UTF8.self)] }
    }
}
