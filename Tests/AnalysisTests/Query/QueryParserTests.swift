import Foundation
import Testing

@testable import TextSearch

@Suite struct QueryParserTests {
    static let parser = QueryParser(fields: ["title", "method", "both"]) {
        ["stars", "tag", "date", "both"].contains($0)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let printed: String
        let diagnostics: String

        var testDescription: String { text }
    }

    static let table: [Row] = {
        guard
            let url = Bundle.module.url(
                forResource: "queries", withExtension: "tsv", subdirectory: "Fixtures"),
            let table = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return table.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { $0.replacingOccurrences(of: "␠", with: " ") }
            return Row(
                text: cells[0], printed: cells.count > 1 ? cells[1] : "",
                diagnostics: cells.count > 2 ? cells[2] : "")
        }
    }()

    @Test func tableIsComplete() { #expect(Self.table.count >= 250) }

    @Test(arguments: table) func readsAs(_ row: Row) {
        let parsed = Self.parser.parse(row.text)
        #expect(parsed.query.description == row.printed)
        #expect(parsed.diagnostics.map(\.kind.rawValue).joined(separator: ",") == row.diagnostics)
        #expect(parsed.query.normalized() == parsed.query)
        #expect(Self.parser.parse(row.printed).query == parsed.query)
        for diagnostic in parsed.diagnostics { #expect(diagnostic.range(in: row.text) != nil) }
    }

    /// The same syntax against trees, so that printing does not vouch for itself.
    static let trees: [(String, Query)] = [
        ("", .everything),
        ("duck", .term("duck")),
        ("peking duck", .all(of: [.term("peking"), .term("duck")])),
        ("\"peking duck\"~2", .phrase("peking duck", slop: 2)),
        ("\"peking du*\"", .phrase("peking du", lastWordIsPrefix: true)),
        ("\"peking \\*\"", .phrase("peking *")),
        ("@exactly(\"peking duck\")", .exactly("peking duck")),
        ("title:@exactly(\"duck\")", .exactly("duck", field: "title")),
        ("orange -peking", .all(of: [.term("orange"), .none(of: [.term("peking")])])),
        (
            "method:orange OR method:\"maltose",
            .any(of: [.field("method", .term("orange")), .field("method", .phrase("maltose"))])
        ),
        ("a OR b c", .any(of: [.term("a"), .all(of: [.term("b"), .term("c")])])),
        ("-(a OR b) c", .all(of: [.none(of: [.term("a"), .term("b")]), .term("c")])),
        ("title:(a OR b)", .field("title", .any(of: [.term("a"), .term("b")]))),
        ("pre*", .prefix("pre")),
        ("*in*", .infix("in")),
        ("*suf", .suffix("suf")),
        ("w?r*d", .wildcard("w?r*d")),
        ("w\\?r*d", .wildcard("w\\?r*d")),
        ("word~1", .fuzzy("word", distance: 1)),
        ("word~2/3^4", .boost(.fuzzy("word", distance: 2, exactPrefix: 3), 4)),
        ("(a b)^=0.5", .constantScore(.all(of: [.term("a"), .term("b")]), 0.5)),
        ("/colou?rs?/", .regularExpression("colou?rs?")),
        ("stars:>3", .attribute("stars", .greater(3))),
        ("stars:<=3", .attribute("stars", .lessOrEqual(3))),
        ("stars:[1 TO 5}", .attribute("stars", .range(1..<5))),
        ("stars:[1 TO 5]", .attribute("stars", .range(1...5))),
        ("stars:!=3", .attribute("stars", .notEqual(3))),
        ("tag:=*", .attribute("tag", .exists)),
        ("tag:red", .attribute("tag", .like("red"))),
        ("tag:=(red true 2)", .attribute("tag", .in(["red", true, 2]))),
        (
            "tag:(red OR blue)",
            .any(of: [.attribute("tag", .like("red")), .attribute("tag", .like("blue"))])
        ),
        ("date:=2001-01-01T00:01:00Z", .attribute("date", .equal(.date(date(60))))),
        ("date:>2001-01-01", .attribute("date", .greaterOrEqual(.date(date(86_400))))),
        ("date:<2001-01-01", .attribute("date", .less(.date(date(0))))),
        ("@weight:>=2", .weight(from: 2, through: nil)),
        ("@near/3(a \"b c\")", .near([.term("a"), .phrase("b c")], within: 3)),
        ("@ordered/3(a b)", .near(["a", "b"], within: 3, ordered: true)),
        ("@atleast/2(a b c)", .atLeast(2, of: [.term("a"), .term("b"), .term("c")])),
        ("@filter(a) b", .all(of: [.filter(.term("a")), .term("b")])),
        ("@keyword(\"pek duc\")", .keyword("pek duc")),
        ("@identifiers(0x01ff)", .identifiers([Data([1, 255])])),
        ("*", .everything),
        ("a\tb\r\nc", .all(of: [.term("a"), .term("b"), .term("c")])),
        ("a\0b", .term("a\0b")),
        ("title:stars:>3", .field("title", .term("stars:>3"))),
        (
            "both:>3 both:x",
            .all(of: [.attribute("both", .greater(3)), .field("both", .term("x"))])
        ),
    ]

    private static func date(_ seconds: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: seconds)
    }

    @Test(arguments: trees) func readsAsTree(_ text: String, _ query: Query) {
        #expect(Self.parser.parse(text).query == query)
    }

    // MARK: Options

    @Test(arguments: [
        ("a b", "a OR b"),
        ("a", "a"),
        ("+a b c", "a @atleast/0(b c)"),
        ("+a +b", "a b"),
        ("a b -c", "(a OR b) -c"),
        ("-a", "-a"),
        ("a b AND c", "a OR (b c)"),
        ("a +b AND c", "b c @atleast/0(a)"),
        ("a OR b c", "a OR b OR c"),
        ("(a b) c", "a OR b OR c"),
        ("title:(a b) c", "title:(a OR b) OR c"),
        ("a NOT b", "a -b"),
    ]) func anyOperator(_ text: String, _ printed: String) {
        var parser = Self.parser
        parser.options.defaultOperator = .any
        let query = parser.parse(text).query
        #expect(query.description == printed)
        #expect(Self.parser.parse(query.description).query == query)
    }

    @Test(arguments: [
        ("duck", "duck OR duck*"),
        ("peking du", "peking (du OR du*)"),
        ("peking du ", "peking du"),
        ("title:du", "title:(du OR du*)"),
        ("-du", "-du -du*"),
        ("\"peking du", "\"peking du*\""),
        ("\"peking du\"", "\"peking du\""),
        ("du^2", "du^2"),
        ("du*", "du*"),
        ("a OR", "a \\OR"),
        ("(du)", "du"),
    ]) func typing(_ text: String, _ printed: String) {
        var parser = Self.parser
        parser.options.lastWordIsPrefix = true
        #expect(parser.parse(text).query.description == printed)
    }

    // MARK: Searched texts

    @Test("A text that is searched for may be a title or pasted")
    func readings() {
        let cases: [(String, String, others: [String], kinds: [QueryDiagnostic.Kind])] = [
            ("tail -n 3", "tail -n 3", ["tail n 3"], [.minusExcludes]),
            ("(rm -rf)", "rm -rf", ["rm rf"], [.minusExcludes]),
            ("duck -goose", "duck -goose", ["duck goose"], []),
            ("duck -DUCK", "duck -DUCK", [], []),
            ("duck -title:c -\"d\" -e*", "duck -title:c -\"d\" -e*", [], []),
            ("duck -(a -b)", "duck -(a -b)", [], []),
            ("page?id=42", "page?id=42", ["page\\?id=42"], []),
            ("x?y -a", "x?y -a", ["x?y a", "x\\?y -a", "x\\?y a"], [.minusExcludes]),
            ("duck -x?y @filter(x?y)", "duck -x?y @filter(x?y)", [], []),
            ("NOT gate", "\\NOT gate", [], [.operatorReadAsText]),
            ("WHY NOT ME", "WHY \\NOT ME", [], [.operatorReadAsText]),
            ("304 NOT MODIFIED", "304 \\NOT MODIFIED", [], [.operatorReadAsText]),
            ("ROMEO AND JULIET", "ROMEO \\AND JULIET", [], [.operatorReadAsText]),
            ("DEAD OR ALIVE", "DEAD OR ALIVE", [], []),
            ("NOT (A OR B)", "-A -B", [], []),
            ("cat NOT dog", "cat -dog", ["cat \\NOT dog"], []),
            ("2024 NOT 2023", "2024 -2023", ["2024 \\NOT 2023"], []),
        ]
        for (text, printed, others, kinds) in cases {
            let (parsed, found) = Self.parser.readings(of: text)
            #expect(parsed.query.description == printed, "\(text)")
            #expect(found.map(\.query.description) == others, "\(text)")
            #expect(parsed.diagnostics.map(\.kind) == kinds, "\(text)")
        }
        var parser = Self.parser
        parser.options.defaultOperator = .any
        #expect(parser.readings(of: "tail -n x?y").others.isEmpty)
        parser.options.limits.maximumClauses = 2
        #expect(parser.readings(of: "WHY NOT ME").parsed.query.description == "WHY -ME")
        let range = Self.parser.readings(of: "a -bc +d -12 -long").parsed.diagnostics[0].utf8Range
        #expect(range == 2..<12)
    }

    // MARK: Diagnostics

    @Test func diagnosticsPointAtTheText() throws {
        let text = "żółw AND (kaczka OR) unknown:x"
        let parsed = Self.parser.parse(text)
        let pieces = parsed.diagnostics.map { diagnostic in
            diagnostic.range(in: text).map { String(text[$0]) } ?? "none"
        }
        #expect(pieces == ["unknown:", "OR"])
        #expect(parsed.diagnostics.allSatisfy { !$0.message.isEmpty })
        #expect(parsed.diagnostics.first?.range(in: "short") == nil)
    }

    @Test func diagnosticsAreLimited() {
        let parsed = Self.parser.parse(String(repeating: ") ", count: 1_000))
        #expect(parsed.diagnostics.count == QueryLimits().maximumDiagnostics)
        #expect(parsed.diagnostics.omittedCount == 900)
    }
}
