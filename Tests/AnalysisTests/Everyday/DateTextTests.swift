import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Dates in the usual forms")
struct DateTextTests {
    @Test(
        "A text is the moment that Foundation reads",
        arguments: [
            ("2024", "2024-01-01T00:00:00Z"), ("2024-05", "2024-05-01T00:00:00Z"),
            ("2024-12", "2024-12-01T00:00:00Z"), ("2024-05-01", "2024-05-01T00:00:00Z"),
            ("2024-05-01T12:30:05+02:00", "2024-05-01T10:30:05Z"),
            ("1714521600", "2024-05-01T00:00:00Z"), ("1714521600.5", "2024-05-01T00:00:00.5Z"),
            ("Wed, 1 May 2024 12:30:00 +0200", "2024-05-01T10:30:00Z"),
            ("1 May 2024 12:30 GMT", "2024-05-01T12:30:00Z"),
            ("29 feb 2024", "2024-02-29T00:00:00Z"), ("1 May 24", "2024-05-01T00:00:00Z"),
            ("1 May 99 12:00 GMT", "1999-05-01T12:00:00Z"),
            ("Sat, 31 Dec 2016 23:59:60 +0000", "2017-01-01T00:00:00Z"),
            ("2024-05-01 12:30:05", "2024-05-01T12:30:05Z"),
            ("2024-05-01T12:30:05+0200", "2024-05-01T10:30:05Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("Tue, 31 Dec 2024 23:59:59 EST (winter)", "2025-01-01T04:59:59Z"),
            ("1714521600000", "2024-05-01T00:00:00Z"),
            ("1714521600500", "2024-05-01T00:00:00.5Z"),
            ("-1714521600", "1915-09-03T00:00:00Z"), ("-126230400000", "1966-01-01T00:00:00Z"),
            ("2024/05/01", "2024-05-01T00:00:00Z"), ("2024/5/1 12:30", "2024-05-01T12:30:00Z"),
            ("01.05.2024", "2024-05-01T00:00:00Z"),
            ("31.12.2024 23:59:59 +0100", "2024-12-31T22:59:59Z"),
            ("May 1, 2024", "2024-05-01T00:00:00Z"), ("sept. 30 2024", "2024-09-30T00:00:00Z"),
            ("Wednesday, May 1, 2024 12:30 PM", "2024-05-01T12:30:00Z"),
            ("1 May 2024 12:05 am EST", "2024-05-01T05:05:00Z"),
            ("Wed May  1 12:30:00 2024", "2024-05-01T12:30:00Z"),
            ("Wed May  1 12:30:00 PDT 2024", "2024-05-01T19:30:00Z"),
            ("Wed May 1 12:30:00 UTC 2024", "2024-05-01T12:30:00Z"),
            ("1 May 2024 12:30 CEST", "2024-05-01T12:30:00Z"),
            ("2024/05/01 12:30 Z", "2024-05-01T12:30:00Z"),
        ])
    func read(_ text: String, _ moment: String) throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: moment.contains("."))
        #expect(try AttributeValue(dateText: text) == .date(style.parse(moment)))
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "12", "12345", "2024-13", "2024-", "0000", "30 Feb 2024", "1 Mai 2024", "1 May 4",
            "1 May 2024 25:00", "1 May 2024 12:61", "2024-05-01  12:30", "2024-05-01T12:30+020",
            "1 May 2024 12:00 +02:00", "Wed, 1 May 2024 12:30:00 +0200 x",
            "duck", "05/06/2024", "1/5/24", "2024/13/01", "2024/05", "2024.05.01", "32.01.2024",
            "01.13.2024", "1.5.24", "1.2.3.2024", "May 1", "May 2024", "May 32, 2024",
            "Ma 1, 2024", "May 1, 2024 13:30 PM", "May 1, 2024 0:30 AM",
            "Wed May 1 2024 12:30:00 2024", "05.06.2024 x", "2024/05/01T12:30",
            "Wed May 1 12:30:00 CEST 2024", "2024/05/01 12:30 CEST", "May 1, 2024 12:30 A",
            "1714521600000000", "-1714521600000000", "1714521600000000000", "1000000000000000",
        ])
    func refused(_ text: String) { #expect(AttributeValue(dateText: text) == nil) }

    @Test("A year and a month are all of their moments in query text")
    func spans() throws {
        var configuration = TextIndexConfiguration()
        configuration.attributes = ["when", "number"]
        let index = try TextIndex<String>(
            at: temporaryDirectory("dates"), configuration: configuration)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: index.directory)
        }
        index.identifier = { Data($0.utf8) }
        index.indexer = { text, _ in
            IndexedObject(
                strings: ["thing"],
                attributes: [
                    "when": AttributeValue(dateText: text) ?? .bool(false), "number": .number(2024),
                ])
        }
        for text in ["2023-12-31T23:59:59Z", "2024-01-01", "2024-05-31T23:00:00Z", "2024-06-01"] {
            index.indexObject(text).waitUntilFinished()
        }
        for (text, count) in [
            ("when:2024", 3), ("when:2024-05", 1), ("when:=2024-05", 1), ("when:>2024-05", 1),
            ("when:<=2024-05", 3), ("when:[2023-12 TO 2024-05]", 3), ("number:2024", 4),
            ("when:2024/05/31", 1), ("when:31.05.2024", 1), ("when:\"31 May 2024\"", 1),
            ("when:\"Fri, 31 May 2024\"", 1), ("when:\"May 31, 2024\"", 1),
            ("when:>\"May 31, 2024\"", 1), ("when:<=31.05.2024", 3),
            ("when:01.01.2024..31.05.2024", 2), ("when:=2024/01/01", 1),
            ("when:\"31.05.2024 23:00\"", 1), ("when:\"2024-05-31 23:00\"", 1),
            ("when:>1704067200000", 2), ("when:1704067200000", 1),
            ("when:2024-06-01", 1), ("when:>2023", 3), ("when:>2024", 0), ("when:>=2024", 3),
            ("when:<2024", 1), ("when:<=2024", 4), ("when:<=2023", 1), ("when:=2024", 3),
            ("when:[2023 TO 2024]", 4), ("when:{2023 TO 2024]", 3), ("when:[2023 TO 2024}", 1),
            ("when:[2024 TO 2024-05]", 2), ("when:[* TO 2023]", 1), ("when:2023..2023", 1),
            ("when:2024..2025", 3), ("when:2023..2024-05", 3), ("when:2024-06..", 1),
            ("when:..2024-05-31", 3), ("when:..2023", 1), ("number:2023..2025", 4),
            ("number:>2023", 4), ("number:>2024", 0), ("number:2025..", 0),
            ("when:\"Mon, 1 Jan 2024 00:00:00 +0000\"", 1),
            ("when:>\"31 May 2024 22:59 GMT\"", 2), ("when:<=\"31 May 2024 19:00 EDT\"", 3),
            ("when:1704067200", 1), ("when:>1704067200", 2), ("when:>=1704067200", 3),
            ("when:1704067200..1717196400", 2), ("when:!=2024", 1),
            ("when:!=2024-05", 3), ("when:!=2024-05-31", 3), ("when:!=(2024-05-31 2023)", 2),
            ("when:=(2024)", 3), ("when:=(2024-05 2023-12)", 2), ("when:=()", 0), ("when:!=*", 0),
            ("number:!=*", 0), ("number:=*", 4),
            ("when:!=()", 4), ("number:!=2024", 0), ("number:!=2023", 4), ("number:=(2024)", 4),
            ("number:=(1 2024.0)", 4), ("@weight:>2024", 0),
            ("@weight:<2024", 4), ("@weight:=2024", 0),
        ] {
            #expect(try index.search(text).count == count, "\(text)")
            let parser = index.queryParser
            let query = parser.parse(text).query
            #expect(parser.parse(query.description).query == query, "\(text)")
        }
    }

    @Test(
        "What looks like a date and is none reads back as it was",
        arguments: [
            Query.attribute("when", .greater(2024)), .attribute("when", .equal(2024)),
            .attribute("when", .in([2024, 1_714_521_600])),
            .attribute("when", .less(1_714_521_600)),
            .attribute("when", .range(2023...2024)), .attribute("when", .equal("1 May 2024")),
            .attribute("when", .like("1 May 2024")), .attribute("when", .greater("1 May 2024")),
            .attribute("when", .notEqual("1 May 2024")), .attribute("when", .like("2023..2024")),
            .attribute("when", .in(["1 May 2024", "2024"])), .attribute("when", .notEqual(2024)),
            .attribute("when", .in([2024, "a"])), .attribute("when", .equal(123_456_789.5)),
            .attribute("when", .notEqual(1_714_521_600)),
            .attribute("when", .in([1_714_521_600, 123_456_789.5])),
            .attribute("when", .equal(1_714_521_600_000)), .attribute("when", .equal("01.05.2024")),
            .attribute("when", .like("2024/05/01 12:30")), .attribute("when", .like("1,May,2024")),
            .attribute("when", .greater("2024-05-01 12:30")),
        ])
    func typed(_ query: Query) {
        let parser = QueryParser(fields: []) { $0 == "when" }
        #expect(parser.parse(query.description).query == query.normalized(), "\(query)")
    }
}
