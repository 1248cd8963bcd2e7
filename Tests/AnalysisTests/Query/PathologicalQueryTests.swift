import Foundation
import Testing

@testable import TextSearch

/// Texts made to cost time, memory or stack.
@Suite struct PathologicalQueryTests {
    private static let parser = QueryParser(fields: ["f"]) { $0 == "a" }

    @Test func tooManyClauses() {
        let words = (0..<10_000).map { "w\($0)" }
        for separator in [" ", " OR ", " AND ", " -", " NOT ", " OR f:"] {
            let parsed = Self.parser.parse(words.joined(separator: separator))
            #expect(parsed.diagnostics.map(\.kind) == [.limitExceeded])
            #expect(Self.leafCount(parsed.query) == 1_024)
        }
    }

    @Test func clausesBeyondTheLimitLeaveNoTrace() {
        var parser = Self.parser
        parser.options.limits.maximumClauses = 2
        #expect(parser.parse("x y AND (z OR f:(z)) -z NOT z").query.description == "x y")
        parser.options.limits.maximumClauses = 0
        #expect(parser.parse("x").diagnostics.map(\.kind) == [.limitExceeded])
        parser.options.limits.maximumClauses = .min
        #expect(parser.parse("x y").diagnostics.map(\.kind) == [.limitExceeded])
    }

    @Test func deepNesting() {
        func nested(_ depth: Int) -> String {
            String(repeating: "(x OR -(", count: depth / 2) + "y"
                + String(repeating: "))", count: depth / 2)
        }
        let fine = Self.parser.parse(nested(100))
        #expect(fine.diagnostics.isEmpty)
        #expect(Self.parser.parse(fine.query.description).query == fine.query)
        let deep = Self.parser.parse(nested(10_000))
        #expect(deep.diagnostics.contains { $0.kind == .limitExceeded })
        #expect(Self.leafCount(deep.query) > 100)
    }

    @Test func deepestTreeFitsASmallStack() async {
        // Threads of concurrency have half a megabyte on some platforms: half of that must do.
        let text =
            String(repeating: "(x OR f:(w -(z ", count: 33) + "y"
            + String(repeating: ")^2)^2)^2", count: 33)
        let isSame = await withCheckedContinuation { continuation in
            let thread = Thread {
                let query = Self.parser.parse(text).query
                let again = Self.parser.parse(query.description).query
                continuation.resume(returning: again == query.normalized())
            }
            thread.stackSize = 256 * 1_024
            thread.start()
        }
        #expect(isSame)
    }

    /// A quarter of a megabyte each of what invites quadratic time.
    @Test(arguments: [
        "word ", "(", ")", "() ", "(a ", "\"", "\\", "\\\"", "a\"", ":", "f:", "a:", "f:a:", "a:[",
        "a:[1 TO ", "a:=(", "a:=(x ", "a:=\"", "a:[\" ", "a:>\"\\\"", "-", "+", "- ", "NOT ", "OR ",
        "a OR ", "AND", "*", "?", "*?", "a*b", "~", "~1", "a~1", "~1^2", "^", "^1", "^=", "/", "/(",
        "/a/", "/ ", "@", "@near/3(", "@near/", "@filter(", "@keyword(\"", "@keyword(\"\\\"",
        "@identifiers(0x00 ", "@identifiers(", "@weight:[1 TO", "\"~", "\"~1", "\"a\"~9^2", "é",
        "\0",
        "👍🏽", "“", "\u{3000}", ")^2", "(a)^", "1", "^1e", "a:(", "f:(", "-(", "NOT (",
    ]) func repeated(_ piece: String) {
        let text = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
        let parsed = Self.parser.parse(text)
        #expect(Self.leafCount(parsed.query) <= 1_024)
        #expect(parsed.diagnostics.count <= QueryLimits().maximumDiagnostics)
    }

    @Test func longTextsAndWordsAreCut() {
        let text = String(repeating: "é", count: 600_000)
        let parsed = Self.parser.parse(text)
        #expect(parsed.diagnostics.map(\.kind) == [.limitExceeded, .limitExceeded])
        #expect(parsed.query == .term(String(repeating: "é", count: 512)))
        var parser = Self.parser
        parser.options.limits.maximumTextLength = 3
        #expect(parser.parse("abécd").query == .term("ab"))
        parser.options.limits.maximumTextLength = .min
        #expect(parser.parse("abc").query == .everything)
        parser.options.limits = QueryLimits()
        parser.options.limits.maximumWordLength = 3
        #expect(parser.parse("abcdef abé*x").query.description == "abc ab")
    }

    private static func leafCount(_ query: Query) -> Int {
        switch query.node {
        case .all(let queries), .any(let queries), .none(let queries), .atLeast(_, let queries),
            .near(let queries, _, _):
            return queries.reduce(0) { $0 + leafCount($1) }
        case .field(_, let query), .boost(let query, _), .constantScore(let query, _),
            .filter(let query):
            return leafCount(query)
        default: return 1
        }
    }
}
