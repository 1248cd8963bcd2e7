import Testing

@testable import TestSupport
@testable import TextSearch

/// That few others are met on the way to terms within one edit: results do not show it.
@Suite("Tables for terms within one edit")
struct NearTermsTests {
    private static func part(_ terms: ArraySlice<[UInt8]>) throws -> VocabularyPart {
        try VocabularyPart.of(Array(terms))
    }

    @Test(
        "Few terms share a bucket with the tail that is looked for", arguments: [6, 9, 10, 13, 20])
    func buckets(width: Int) throws {
        let terms = (0..<20_000).map { number -> [UInt8] in
            let digits = Array("\(number)".utf8)
            return [UInt8](repeating: 48, count: width - digits.count) + digits
        }
        let parts = try stride(from: 0, to: terms.count, by: 1_700).map {
            try Self.part(terms[$0..<min($0 + 1_700, terms.count)])
        }
        let table = TailTable(parts)
        var met = 0
        var lookUps = 0
        for term in terms where lookUps * 97 < terms.count {
            lookUps += 1
            var isFound = false
            table.forEachTerm(withTail: Array(term.dropFirst())) { place in
                met += 1
                parts[Int(place.part)].withTerms {
                    if Array($0[Int(place.term)]) == term { isFound = true }
                }
            }
            #expect(isFound, "\(term)")
        }
        #expect(met < 16 * lookUps)
    }

    @Test("Endings differ by both of their bytes") func endings() throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        let terms = letters.flatMap { first in letters.map { [first, $0, UInt8(ascii: "g")] } }
        let part = try Self.part(terms[...])
        let ending = Array("ng".utf8)
        var met: [Int] = []
        ending.withUnsafeBufferPointer {
            EndingHashes(part).forEachTerm(ending: $0, in: 0..<part.termCount) { met.append($0) }
        }
        let expected = terms.indices.filter { terms[$0].suffix(2) == ending[...] }
        #expect(Set(expected).isSubset(of: met))
        #expect(met.count < 4 * expected.count)
    }

    @Test("Two edits make short words of any others that are short") func shortWords() throws {
        let terms = ["a", "ab", "abc", "abcd", "b", "é"].map { Array($0.utf8) }
        for count in [1, 5, 6] {
            let near = NearTerms([try Self.part(terms[..<count])])
            for word in ["", "x", "xy", "xyz", "👍"] {
                let matcher = FuzzyMatcher(word, distance: 2)
                var found: [[UInt8]] = []
                try near.forEachTerm(near: matcher) { term, _, _ in found.append(Array(term)) }
                let expected = terms[..<count].filter {
                    $0.withUnsafeBufferPointer { matcher.matches($0) } != nil
                }
                #expect(found == expected, "\(word)")
            }
        }
    }

    @Test("Few terms have nearly the letters and the length of a word") func letters() throws {
        var generator = SeededGenerator(seed: 7)
        let terms = Set(
            (0..<20_000).map { _ in
                (0..<generator.int(4...14)).map { _ in UInt8(generator.int(0x61...0x74)) }
            }
        ).sorted { $0.lexicographicallyPrecedes($1) }
        let parts = try stride(from: 0, to: terms.count, by: 1_700).map {
            try Self.part(terms[$0..<min($0 + 1_700, terms.count)])
        }
        let filter = LetterFilter(parts)
        var met = 0
        for term in terms.prefix(100) {
            let word = String(decoding: term, as: UTF8.self)
            var isFound = false
            filter.forEachTerm(near: LetterSet(word), distance: 2, work: { _ in }) { part, number in
                met += 1
                if terms[part * 1_700 + number] == term { isFound = true }
            }
            #expect(isFound, "\(word)")
        }
        #expect(met < 100 * terms.count / 20)
    }
}
