import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What is said of typed queries")
struct QueryRemarkTests {
    private func notes() throws -> PlainNoteIndex {
        try PlainNoteIndex([PlainNote("0", "duck", "swan"), PlainNote("1", "goose")]) {
            $0.fields = ["title", "body"]
        }
    }

    @Test("A field that the index does not have is reported")
    func unknownField() throws {
        let notes = try notes()
        let cases: [(Query, [String], Bool)] = [
            (.field("titel", .term("duck")), [], true),
            (.field("title", .term("duck")), ["0"], false),
            (.any(of: [.field("titel", .term("duck")), .term("swan")]), ["0"], true),
            (.all(of: [.none(of: [.field("titel", .term("duck"))])]), ["0", "1"], true),
            // The innermost field counts.
            (.field("titel", .field("body", .term("swan"))), ["0"], false),
            (.field("body", .field("titel", .term("swan"))), [], true),
        ]
        for (query, ids, isUnknown) in cases {
            let found = try notes.index.search(query)
            #expect(found.map(\.id).sorted() == ids, "\(query)")
            #expect(found.diagnostics.map(\.kind) == (isUnknown ? [.unknownField] : []), "\(query)")
            let next = try notes.index.search(after: found.cursor)
            #expect(next.diagnostics == found.diagnostics)
        }
        let parser = notes.index.queryParser
        let found = try notes.index.search("duck", fields: ["titel"], parser: parser)
        #expect(found.isEmpty)
        #expect(found.diagnostics.contains { $0.kind == .unknownField })
    }

    @Test("A comparison with a kind of value that an attribute does not have is reported")
    func otherKind() throws {
        let notes = try PlainNoteIndex()
        notes.index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings,
                attributes: [
                    "price": 12.5, "flag": true, "mixed": [1, "a"],
                    "when": AttributeValue(iso8601: "2024-05-01") ?? 0,
                ])
        }
        try notes.add([PlainNote("0", "duck"), PlainNote("1", "goose")])
        let attributes: Set<String> = ["price", "flag", "mixed", "when", "other"]
        let parser = QueryParser(fields: []) { attributes.contains($0) }
        for stage in Stage.allCases {
            try notes.enter(stage)
            for (text, remark) in [
                ("price:abc", "The values of \"price\" are numbers: none is a text."),
                ("price:12,5", "The values of \"price\" are numbers: none is a text."),
                ("flag:1", "The values of \"flag\" are true or false: none is a number or a text."),
                ("when:>duck", "The values of \"when\" are dates: none is a text."),
                ("price:12.6", nil), ("mixed:b", nil), ("other:1", nil), ("price:>20", nil),
                ("price:>20 -flag:1", nil),
            ] {
                let found = try notes.index.search(text, parser: parser)
                #expect(found.isEmpty, "\(text)")
                let said = found.diagnostics.filter { $0.kind == .otherKind }.map(\.message)
                #expect(said == [remark].compactMap(\.self), "\(text)")
            }
            #expect(try notes.index.search("price: >12", parser: parser).count == 2)
            #expect(try notes.index.search("price: !=12.5", parser: parser).isEmpty)
            #expect(try notes.index.search("price:  <=12", parser: parser).isEmpty)
        }
        let text = parser.parse("price: duck")
        #expect(text.diagnostics.first?.kind == .malformed)
        #expect(parser.parse("price: >20").query == parser.parse("price:>20").query)
        #expect(parser.parse("price: >").diagnostics.first?.kind == .malformed)
    }

    @Test("Marks and signs alone find nothing, and are left out beside others")
    func nothingIsLeft() throws {
        let notes = try notes()
        let mark = "\u{301}"
        for query in [
            Query.prefix(mark), .infix(mark), .suffix("\u{0}"), .wildcard("\(mark)*"),
            .wildcard("*\(mark)?"), .fuzzy(mark), .fuzzy(mark, distance: 0), .term("!!"),
            .phrase("?! ..."), .keyword(mark), .any(of: [.prefix(mark), .infix(mark)]),
            .field("title", .prefix(mark)), .boost(.prefix(mark), 2),
        ] {
            let found = try notes.index.search(query)
            #expect(found.isEmpty, "\(query)")
            #expect(found.diagnostics.map(\.kind) == [.ignored], "\(query)")
            #expect(try notes.index.results(for: query).count == 0)
        }
        let beside = try notes.index.search(.all(of: [.term("duck"), .prefix(mark)]))
        #expect(beside.map(\.id) == ["0"])
        #expect(beside.diagnostics.map(\.kind) == [.ignored])
        for text in ["\(mark)*", "*\(mark)*", "*\(mark)", "\(mark)~1"] {
            let found = try notes.index.search(text)
            #expect(found.isEmpty, "\(text)")
            #expect(!found.diagnostics.isEmpty, "\(text)")
        }
    }

    @Test("Everything is what is asked for by nothing at all")
    func everything() throws {
        let notes = try notes()
        for query in [
            Query.prefix(""), .infix(""), .suffix(""), .everything, .wildcard("*"), .keyword(""),
        ] {
            let found = try notes.index.search(query)
            #expect(found.count == 2, "\(query)")
            #expect(found.diagnostics.isEmpty, "\(query)")
        }
        for text in ["", " ", "*", "**"] {
            #expect(try notes.index.search(text).count == 2, "\(text)")
        }
    }
}
