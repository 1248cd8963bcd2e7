import Foundation

@testable import TextSearch

/// A character of test text with what it folds to, by the tables of this test alone.
struct TestCharacter: Sendable {
    var source: String
    var folded: String

    static let plain: [TestCharacter] = ["a", "b", "s", "e", "i", "f"].map {
        TestCharacter(source: $0, folded: $0)
    }
    /// Folding that changes lengths, in either direction and in any unit.
    static let traps: [TestCharacter] = [
        .init(source: "A", folded: "a"), .init(source: "ß", folded: "ss"),
        .init(source: "ﬁ", folded: "fi"), .init(source: "İ", folded: "i"),
        .init(source: "é", folded: "e"), .init(source: "e\u{301}", folded: "e"),
        .init(source: "Ａ", folded: "a"), .init(source: "ſ", folded: "s"),
        .init(source: "a\u{323}\u{302}", folded: "a"), .init(source: "æ", folded: "ae"),
        .init(source: "𝐛", folded: "b"),
    ]

    static func random(_ generator: inout SeededGenerator) -> TestCharacter {
        let pool = Int.random(in: 0..<4, using: &generator) == 0 ? traps : plain
        return pool[Int.random(in: 0..<pool.count, using: &generator)]
    }
}

/// A word of test text.
struct TestWord: Sendable {
    var characters: [TestCharacter]

    var source: String { characters.map(\.source).joined() }
    var folded: String { characters.map(\.folded).joined() }

    static func random(_ generator: inout SeededGenerator) -> TestWord {
        let count = Int.random(in: 1...5, using: &generator)
        return TestWord(characters: (0..<count).map { _ in .random(&generator) })
    }
}

/// A string of test text: words, and what stands between them.
struct TestString: Sendable {
    var words: [TestWord]
    var separators: [String]

    static let possibleSeparators = [" ", "  ", " - ", "\n", "! ", " 🦆 ", " 👩‍👩‍👧 ", "\0", " … "]

    var source: String {
        zip(words, separators).map { $0.source + $1 }.joined()
    }

    static func random(_ generator: inout SeededGenerator) -> TestString {
        let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            TestWord.random(&generator)
        }
        return TestString(
            words: words,
            separators: words.map { _ in
                possibleSeparators[Int.random(in: 0..<possibleSeparators.count, using: &generator)]
            })
    }
}

/// An object of the model.
struct TestObject: Sendable {
    var id: Int
    var strings: [TestString]
    var weight: Double
    var attributes: [String: AttributeValue] = [:]

    var identifier: Data { Data("object-\(id)".utf8) }

    var indexed: IndexedObject {
        IndexedObject(
            strings: strings.map(\.source), weight: weight, context: ["id": .int(Int64(id))],
            attributes: attributes)
    }

    static func random(_ id: Int, _ generator: inout SeededGenerator) -> TestObject {
        TestObject(
            id: id,
            strings: (0..<Int.random(in: 0...3, using: &generator)).map { _ in .random(&generator)
            },
            weight: [0, 0, 1, 1.5, -2][Int.random(in: 0..<5, using: &generator)])
    }
}

extension TextIndex where Object == TestObject {
    /// An index of objects of the model.
    static func ofTestObjects(
        at directory: URL, _ configuration: TextIndexConfiguration
    ) throws -> TextIndex<TestObject> {
        let index = try TextIndex<TestObject>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { object, _ in object.indexed }
        return index
    }
}

/// The posting relation written out: every suffix of every folded word, in memory.
struct ReferenceModel {
    struct Match: Equatable, CustomStringConvertible {
        var string: Int
        var word: Int
        var wordIndex: Int
        var token: Int
        var length: Int
        /// Where the token begins in the folded word, in bytes; only for the order of results.
        var offset = 0

        static func == (a: Match, b: Match) -> Bool {
            (a.string, a.word, a.wordIndex, a.token, a.length)
                == (b.string, b.word, b.wordIndex, b.token, b.length)
        }

        var description: String { "\(string):\(wordIndex)@\(word)+\(token)#\(length)" }
    }

    struct Result: Equatable {
        var identifier: Data
        var matches: [Match]
    }

    var minimalTokenLength = 2
    var stopWords: Set<String> = []
    var discardsDuplicates = false
    /// In the order in which they were indexed last.
    private(set) var objects: [TestObject] = []

    mutating func index(_ object: TestObject) {
        remove(object.id)
        objects.append(object)
    }

    mutating func remove(_ id: Int) { objects.removeAll { $0.id == id } }

    mutating func removeAll() { objects = [] }

    /// All matches of one folded keyword in an object, in text order.
    func matches(
        of keyword: String, in object: TestObject, shortWordsCount: Bool
    ) -> [Match] {
        var found: [Match] = []
        for (number, string) in object.strings.enumerated() {
            var location = 0
            var seen: Set<String> = []
            for (wordIndex, word) in string.words.enumerated() {
                defer {
                    location += word.source.utf16.count + string.separators[wordIndex].utf16.count
                }
                let term = word.folded
                if stopWords.contains(term) { continue }
                if discardsDuplicates, !seen.insert(term).inserted { continue }
                for (token, length, offset) in tokens(
                    of: word, beginningWith: keyword, shortWordsCount: shortWordsCount)
                {
                    found.append(
                        Match(
                            string: number, word: location, wordIndex: wordIndex, token: token,
                            length: length, offset: offset))
                }
            }
        }
        return found
    }

    private func tokens(
        of word: TestWord, beginningWith keyword: String, shortWordsCount: Bool
    ) -> [(token: Int, length: Int, offset: Int)] {
        let term = Array(word.folded)
        var found: [(Int, Int, Int)] = []
        for offset in term.indices
        where Self.letters(term[offset...]) >= minimalTokenLength || shortWordsCount && offset == 0
        {
            guard String(term[offset...]).hasPrefix(keyword) else { continue }
            // The characters of the source that gave any part of the match.
            var folded = 0
            var utf16 = 0
            var range: Range<Int>?
            for character in word.characters {
                let next = folded + character.folded.count
                let width = character.source.utf16.count
                if folded < offset + keyword.count, next > offset {
                    range = (range?.lowerBound ?? utf16)..<(utf16 + width)
                }
                folded = next
                utf16 += width
            }
            if let range {
                let bytes = String(term[..<offset]).utf8.count
                found.append((range.lowerBound, range.count, bytes))
            }
        }
        return found
    }

    /// How many letters characters have: a Korean syllable two, a vowel sign one.
    private static func letters(_ characters: ArraySlice<Character>) -> Int {
        String(characters).unicodeScalars.reduce(0) {
            $0 + ((0xac00...0xd7a3).contains($1.value) ? 2 : 1)
        }
    }

    /// What a search for these folded words must give.
    func search(_ keywords: [String]) -> [Result] {
        let wanted =
            keywords.allSatisfy(stopWords.contains)
            ? keywords
            : keywords.filter { !stopWords.contains($0) }
        var unique: [String] = []
        for keyword in wanted where !unique.contains(keyword) { unique.append(keyword) }
        var results: [(order: Int, object: TestObject, matches: [Match])] = []
        for (order, object) in objects.enumerated() {
            // A keyword of several words may have short ones, as "T-shirt" has.
            let parts = unique.map {
                matches(of: $0, in: object, shortWordsCount: unique.count > 1)
            }
            guard parts.allSatisfy({ !$0.isEmpty }) else { continue }
            let all = parts.flatMap { $0 }.sorted {
                ($0.string, $0.wordIndex, $0.token, $0.length, $0.offset)
                    < ($1.string, $1.wordIndex, $1.token, $1.length, $1.offset)
            }
            // One piece of text is one match, also where several letters of the folded word come
            // from it.
            let distinct = zip(all.indices, all).filter { $0 == 0 || all[$0 - 1] != $1 }.map(\.1)
            results.append((order, object, distinct))
        }
        results.sort { a, b in
            if a.object.weight != b.object.weight { return a.object.weight > b.object.weight }
            // Two letters that a ligature stands for have one place in the text, and two in the
            // folded word.
            let first = a.matches.map { ($0.string, $0.wordIndex, $0.offset) }.min(by: <)
            let second = b.matches.map { ($0.string, $0.wordIndex, $0.offset) }.min(by: <)
            if let first, let second, first != second { return first < second }
            if a.matches.count != b.matches.count { return a.matches.count > b.matches.count }
            return a.order < b.order
        }
        return results.map { Result(identifier: $0.object.identifier, matches: $0.matches) }
    }
}
