import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Laws that hold for every text and every query.
@Suite struct QueryPropertyTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func everyTextIsAQuery(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        for _ in 0..<200 {
            let text = random.text(random.int(0...30))
            var parser = QueryRandom.parser
            parser.options.defaultOperator = random.bool() ? .all : .any
            parser.options.lastWordIsPrefix = random.bool()
            parser.options.matchModes = MatchModes(rawValue: random.int(0...63))
            let parsed = parser.parse(text)
            #expect(
                parsed.query.normalized() == parsed.query, "seed \(seed): \(text.debugDescription)")
            let again = QueryRandom.parser.parse(parsed.query.description).query
            #expect(again == parsed.query, "seed \(seed): \(text.debugDescription)")
            for diagnostic in parsed.diagnostics {
                #expect(diagnostic.range(in: text) != nil, "seed \(seed): \(text.debugDescription)")
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func everyScalarIsAQuery(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        for _ in 0..<100 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<random.int(0...20) {
                let value = UInt32(random.int(0...(random.bool() ? 0x7F : 0x10FFFF)))
                if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
            }
            let text = String(scalars)
            let query = QueryRandom.parser.parse(text).query
            let again = QueryRandom.parser.parse(query.description).query
            #expect(again == query, "seed \(seed): \(text.debugDescription)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func printedQueriesParseBack(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        for _ in 0..<100 {
            let query = random.query(depth: 4)
            let normal = query.normalized()
            let parsed = QueryRandom.parser.parse(query.description)
            // Not inside the macro: it reflects operands, and Foundation traps when it describes a
            // date that is not finite.
            let isStable = normal.normalized() == normal
            let isSame = parsed.query == normal
            let hashesAlike = parsed.query.hashValue == normal.hashValue
            #expect(isStable, "seed \(seed): \(normal)")
            #expect(isSame, "seed \(seed): \(normal) is read as \(parsed.query)")
            #expect(hashesAlike, "seed \(seed): \(normal)")
            #expect(parsed.diagnostics.isEmpty, "seed \(seed): \(query)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func codedQueriesDecode(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        for _ in 0..<50 {
            let query = random.query(depth: 4)
            let json = try JSONEncoder().encode(query)
            let decoded = try JSONDecoder().decode(Query.self, from: json)
            let isSame = decoded == query
            #expect(isSame, "seed \(seed): \(query)")
            let list = try PropertyListEncoder().encode(query)
            let relisted = try PropertyListDecoder().decode(Query.self, from: list)
            let isSameAgain = relisted == query
            #expect(isSameAgain, "seed \(seed): \(query)")
        }
    }

    @Test(arguments: [
        "{}", "[]", "3", "{\"term\":3}", "{\"unknown\":\"a\"}", "{\"term\":\"a\",\"prefix\":\"b\"}",
        "{\"fuzzy\":{}}", "{\"boost\":{\"factor\":2}}", "{\"boost\":{\"queries\":[]}}",
        "{\"attribute\":{\"name\":\"a\"}}", "{\"attribute\":{\"name\":\"a\",\"comparison\":{}}}",
    ]) func malformedCodedQueriesThrow(_ json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Query.self, from: Data(json.utf8))
        }
    }

    @Test func numbersFromOutsideAreClamped() throws {
        let json = #"{"fuzzy":{"text":"a","distance":99,"exactPrefix":-4}}"#
        let query = try JSONDecoder().decode(Query.self, from: Data(json.utf8))
        #expect(query == .fuzzy("a", distance: 2))
        #expect(Query.boost(.term("a"), .nan) == .boost(.term("a"), 1))
        #expect(Query.boost(.term("a"), -.infinity) == .boost(.term("a"), 0))
        #expect(Query.phrase("a", slop: .min) == .phrase("a"))
        #expect(Query.phrase("a", slop: .max) == .phrase("a", slop: Query.maximumSlop))
        #expect(Query.atLeast(.min, of: [.term("a")]) == .atLeast(0, of: [.term("a")]))
    }

    @Test(arguments: [
        (Query.all(of: []), Query.everything),
        (.any(of: []), .nothing),
        (.none(of: []), .everything),
        (.all(of: [.all(of: [.term("a")]), .term("b")]), .all(of: [.term("a"), .term("b")])),
        (.any(of: [.any(of: [.term("a")]), .term("b")]), .any(of: [.term("a"), .term("b")])),
        (.none(of: [.any(of: [.term("a"), .term("b")])]), .none(of: [.term("a"), .term("b")])),
        (.boost(.boost(.term("a"), 2), 3), .boost(.term("a"), 6)),
        (.filter(.boost(.term("a"), 3)), .filter(.term("a"))),
        (.field("a", .field("b", .term("c"))), .field("b", .term("c"))),
        (.atLeast(2, of: [.term("a")]), .nothing),
        (.attribute("a", .less(["x"])), .nothing),
        (.all(of: [.everything, .term("a")]), .term("a")),
    ]) func normalForm(_ query: Query, _ normal: Query) {
        #expect(query.normalized() == normal)
    }
}
