import Testing

@testable import TestSupport
@testable import TextSearch

/// The matchers against the plainest possible models.
@Suite struct TermMatcherTests {
    // MARK: Wildcards

    private static func wildcardModel(_ pattern: [Character], _ term: [Character]) -> Bool {
        guard let first = pattern.first else { return term.isEmpty }
        let rest = Array(pattern.dropFirst())
        if first == "*" {
            return (0...term.count).contains { wildcardModel(rest, Array(term.dropFirst($0))) }
        }
        guard let head = term.first, first == "?" || first == head else { return false }
        return wildcardModel(rest, Array(term.dropFirst()))
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func wildcardsEqualTheModel(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        for _ in 0..<300 {
            let pattern = random.string(of: ["a", "b", "é", "鴨", "*", "?"], upTo: 7)
            let term = random.string(of: ["a", "b", "é", "鴨"], upTo: 9)
            let matcher = WildcardMatcher(pattern)
            let expected = Self.wildcardModel(Array(pattern), Array(term))
            #expect((matcher.matches(term) == 0) == expected, "seed \(seed): \(pattern) \(term)")
            if expected {
                #expect(Array(term.utf8).starts(with: matcher.requiredPrefix))
                for text in matcher.requiredTexts {
                    #expect(term.contains(String(decoding: text, as: UTF8.self)))
                }
            }
            let longest = matcher.requiredTexts.map(\.count).max() ?? 0
            #expect(matcher.requiredText.count == longest)
            #expect(longest == 0 || matcher.requiredTexts.contains(matcher.requiredText))
        }
    }

    @Test func wildcardEscapesAndFolding() {
        #expect(WildcardMatcher("a\\*b").matches("a*b") == 0)
        #expect(WildcardMatcher("a\\*b").matches("axb") == nil)
        #expect(WildcardMatcher("A*É", folding: { $0.lowercased() }).matches("axé") == 0)
        #expect(WildcardMatcher("a\\").matches("a\\") == 0)
        #expect(WildcardMatcher("").matches("") == 0)
        #expect(WildcardMatcher("?").matches("👍") == 0)
    }

    @Test func wildcardsDoNotBlowUp() {
        let matcher = WildcardMatcher(String(repeating: "*a", count: 120) + "*b")
        #expect(matcher.matches(String(repeating: "a", count: 255)) == nil)
    }

    // MARK: Typing errors

    /// Optimal string alignment over the whole table.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var table = [[Int]](
            repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    table[i][j] = i + j
                    continue
                }
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                table[i][j] = min(
                    table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
                }
            }
        }
        return table[a.count][b.count]
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func fuzzyEqualsTheModel(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        let letters = ["a", "b", "c", "é", "鴨", "👍"]
        for _ in 0..<500 {
            // Around 64 characters, the way of comparing changes.
            let padding = String(repeating: "ab", count: random.element([0, 0, 0, 26, 30, 40]))
            let word = random.string(of: letters, upTo: 9) + padding
            let term = Array(random.edited(word, upTo: 3).unicodeScalars)
            let exactPrefix = random.int(0...3)
            let distance = random.int(0...2)
            let matcher = FuzzyMatcher(
                word, distance: distance, exactPrefix: exactPrefix, usesBits: random.bool())
            let scalars = Array(word.unicodeScalars)
            let split = min(exactPrefix, scalars.count)
            var expected: Int?
            if term.starts(with: scalars[..<split]) {
                let edits = Self.distance(Array(scalars[split...]), Array(term[split...]))
                if edits <= distance { expected = edits }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: term)
            #expect(
                matcher.matches(String(text)) == expected,
                "seed \(seed): \(word) \(String(text)) \(distance)/\(exactPrefix)")
        }
    }

    @Test(
        arguments: [
            ("duck", "duck", 0), ("duck", "dcuk", 1), ("duck", "duk", 1), ("duck", "ducks", 1),
            ("duck", "dock", 1), ("duck", "goose", nil), ("ca", "abc", nil), ("", "", 0),
            ("", "ab", 2),
            ("ab", "", 2), ("", "abc", nil), ("abcd", "badc", 2), ("abc", "cab", 2),
        ] as [(String, String, Int?)]) func fuzzy(_ word: String, _ term: String, _ edits: Int?)
    {
        #expect(FuzzyMatcher(word, distance: 2).matches(term) == edits)
        #expect(FuzzyMatcher(word, distance: 2, usesBits: false).matches(term) == edits)
    }

    @Test("Beginnings with an edit equal their definition", arguments: 0..<20 as Range<UInt64>)
    func beginnings(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        for _ in 0..<500 {
            let word = random.string(of: ["a", "b", "é", "鴨"], upTo: 7)
            let text = random.edited(word, upTo: 2) + random.string(of: ["a", "b", "é"], upTo: 3)
            let term = Array(text.unicodeScalars)
            let scalars = Array(word.unicodeScalars)
            let expected = (scalars.count - 1...scalars.count + 1).contains { count in
                guard count > 0, count <= term.count, term.first == scalars.first else {
                    return false
                }
                let beginning = Array(term[..<count])
                return Self.distance(beginning, scalars) == 1
                    && (beginning.last == scalars.last
                        || count == scalars.count
                            && beginning.suffix(2).elementsEqual(scalars.suffix(2).reversed()))
            }
            // What begins with the word itself is found without errors.
            guard !scalars.isEmpty, !term.starts(with: scalars) else { continue }
            let isFound = BeginningMatcher(word).matches(text) == 1
            #expect(isFound == expected, "seed \(seed): \(word), \(text)")
        }
    }

    @Test(
        "A beginning with an edit ends where the word does",
        arguments: [
            ("restuar", "restaurant", "restaur"), ("philosphic", "philosophical", "philosophic"),
            ("knigth", "knights", "knight"), ("nightt", "nights", "night"),
            ("restauk", "restaurant", nil), ("restaur", "restaurant", nil), ("x", "y", nil),
        ] as [(String, String, String?)])
    func beginning(_ word: String, _ term: String, _ beginning: String?) {
        let count = Array(term.utf8).withUnsafeBufferPointer {
            BeginningMatcher(word).beginning(of: $0)
        }
        #expect(count.map { String(term.prefix($0)) } == beginning)
    }

    @Test func fuzzyOnLongWords() {
        let word = String(repeating: "ab", count: 128)
        let matcher = FuzzyMatcher(word, distance: 2)
        #expect(matcher.matches(word) == 0)
        #expect(matcher.matches("x" + word + "x") == 2)
        #expect(matcher.matches("x" + word + "xx") == nil)
    }

    @Test func malformedTermsAreHarmless() throws {
        let expression = try RegularExpressionMatcher("a.*")
        for bytes: [UInt8] in [
            [0xFF], [0x61, 0xE2], [0x61, 0xE2, 0x82], [0xC3, 0x61], [0x80, 0x61],
        ] {
            bytes.withUnsafeBufferPointer { term in
                _ = FuzzyMatcher("a", distance: 2).matches(term)
                _ = BeginningMatcher("aéa").matches(term)
                _ = WildcardMatcher("a*?").matches(term)
                _ = expression.matches(term)
            }
        }
    }
}
