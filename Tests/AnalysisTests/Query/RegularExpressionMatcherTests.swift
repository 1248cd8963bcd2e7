import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite struct RegularExpressionMatcherTests {
    /// A random pattern of the syntax that Foundation's engine reads the same way.
    private static func pattern(_ random: inout QueryRandom, depth: Int) -> String {
        switch random.int(0...(depth > 0 ? 11 : 5)) {
        case 0, 1: return random.element(["a", "b", "é", "鴨"])
        case 2: return "."
        case 3: return random.element(["[ab]", "[^a]", "[a-c]", "[^b鴨]", "[é-ü]", "\\d", "\\w"])
        case 4: return random.element(["ab", "ba", "a"])
        case 5: return random.element(["b", "1"])
        case 6, 7: return pattern(&random, depth: depth - 1) + pattern(&random, depth: depth - 1)
        case 8:
            return "(\(pattern(&random, depth: depth - 1))|\(pattern(&random, depth: depth - 1)))"
        case 9: return "(?:\(pattern(&random, depth: depth - 1)))*"
        case 10: return "(\(pattern(&random, depth: depth - 1)))" + random.element(["+", "?"])
        default:
            return "(\(pattern(&random, depth: depth - 1)))"
                + random.element(["{2}", "{1,2}", "{0,1}", "{1,}", "{0,}"])
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func equalsFoundation(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        for _ in 0..<50 {
            let pattern = Self.pattern(&random, depth: 3)
            let matcher = try RegularExpressionMatcher(pattern)
            let model = try NSRegularExpression(
                pattern: "^(?:\(pattern))$", options: .dotMatchesLineSeparators)
            for _ in 0..<10 {
                let term = random.string(of: ["a", "b", "é", "鴨", "1"], upTo: 5)
                let all = NSRange(term.startIndex..., in: term)
                let expected = model.firstMatch(in: term, range: all) != nil
                #expect(
                    (matcher.matches(term) == 0) == expected, "seed \(seed): \(pattern) \(term)")
                guard expected else { continue }
                #expect(Array(term.utf8).starts(with: matcher.requiredPrefix))
                #expect(
                    matcher.requiredText.isEmpty
                        || term.contains(String(decoding: matcher.requiredText, as: UTF8.self)),
                    "seed \(seed): \(pattern) \(term)")
            }
        }
    }

    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a|", "", true), ("colou?rs?", "colors", true),
        ("a{2,3}", "aaaa", false), ("a{2,3}", "aaa", true), ("a{0}", "", true), ("\\.", ".", true),
        ("\\.", "a", false), ("[]a]", "]", true), ("[a\\]]", "]", true), ("[a-]", "-", true),
        ("[^a-c]x", "dx", true), ("(a|b)*c", "ababc", true), ("(a*)*", "aaa", true),
        ("鴨+", "鴨鴨", true), ("x\\*", "x*", true), ("()", "", true), ("\\D+", "ab", true),
        ("a+?", "aa", true), ("}", "}", true),
    ]) func matches(_ pattern: String, _ term: String, _ expected: Bool) throws {
        #expect((try RegularExpressionMatcher(pattern).matches(term) == 0) == expected)
    }

    @Test(arguments: [
        "(", ")", "(a", "a)", "[", "[a", "[z-a]", "*", "+a", "a{", "a{2", "a{3,2}", "a{999}",
        "a{,}",
        "\\", "\\q", "(?=a)", "(?<n>a)", "[\\D]", "a****", "a{1,x}", "{", "[a\\", "|*",
    ]) func malformed(_ pattern: String) {
        #expect(throws: PatternError.self) { try RegularExpressionMatcher(pattern) }
        #expect(throws: PatternError.self) { try RegularExpressionMatcher.check(pattern) }
    }

    @Test(arguments: [
        String(repeating: "(", count: 1_000), String(repeating: "a", count: 1_000),
        "((((a{255}){255}){255}){255}){255}", "((((){255}){255}){255}){255}",
        String(repeating: "(", count: 49) + String(repeating: "){255}", count: 49),
        String(repeating: "[", count: 100_000), String(repeating: "x|", count: 512),
    ]) func tooLarge(_ pattern: String) {
        #expect(throws: PatternError.self) { try RegularExpressionMatcher(pattern) }
    }

    @Test func doesNotBacktrack() throws {
        let matcher = try RegularExpressionMatcher("(a*)*(a|aa)+(a?){100}b")
        #expect(matcher.matches(String(repeating: "a", count: 255)) == nil)
        #expect(matcher.matches(String(repeating: "a", count: 255) + "b") == 0)
        let largest = try RegularExpressionMatcher("(\(String(repeating: "a?", count: 250)))*")
        #expect(largest.matches(String(repeating: "a", count: 255)) == 0)
    }

    @Test func foldsLiterals() throws {
        func matches(_ pattern: String, _ term: String) throws -> Bool {
            try RegularExpressionMatcher(pattern) { $0.lowercased() }.matches(term) == 0
        }
        #expect(try matches("DUCK\\D", "duckx"))
        #expect(try matches("[A-C]+[É]", "abcé"))
        #expect(try RegularExpressionMatcher("ß", folding: { _ in "ss" }).matches("ss") == 0)
    }

    @Test func requiredPrefixes() throws {
        func prefix(_ pattern: String) throws -> String {
            String(decoding: try RegularExpressionMatcher(pattern).requiredPrefix, as: UTF8.self)
        }
        #expect(try prefix("duck.*") == "duck")
        #expect(try prefix("(du)ck|goose") == "")
        #expect(try prefix("du(ck)+s") == "duck")
        #expect(try prefix("dé?x") == "d")
        #expect(try prefix("a{1}b") == "ab")
    }

    @Test(arguments: [
        ("duck.*", "duck"), (".*duck", "duck"), ("d.*uck", "uck"), ("duck|goose", ""),
        (".*(x|_)duck(y.*)?|duck(x|_).*", "duck"), ("ab|xaby|.*cab", "ab"), ("(ab|ac)x|x", "x"),
        ("x(du)ck|goose", ""), ("a(b|c)def", "def"), ("(ab)+cd", "ab"), ("x(ab)?cd", "cd"),
        ("(abc){2}x", "abc"), ("a{0}bc", "bc"), ("[a]b[c-d]", "ab"), ("[^a]b", "b"),
        ("dé?xyz", "xyz"), ("..", ""), ("a{1}b", "ab"), ("(\\d+)鴨x", "鴨x"), ("", ""),
    ]) func requiredTexts(_ pattern: String, _ text: String) throws {
        let matcher = try RegularExpressionMatcher(pattern)
        #expect(String(decoding: matcher.requiredText, as: UTF8.self) == text)
    }
}
