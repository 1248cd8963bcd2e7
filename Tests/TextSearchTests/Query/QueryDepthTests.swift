import Foundation
import Testing

@testable import TextSearch

@Suite("Queries within queries")
struct QueryDepthTests {
    private func nested(_ count: Int) -> Query {
        var query = Query.term("duck")
        for level in 0..<count {
            query = level % 2 == 0 ? .any(of: [query, .term("swan")]) : .all(of: [query])
        }
        return query
    }

    @Test("Too many are refused, as many as the limit are not")
    func depth() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")])
        #expect(try notes.ids(nested(Query.deepest - 1)) == ["0"])
        #expect(throws: TextIndexError.self) { try notes.index.search(self.nested(Query.deepest)) }
        #expect(throws: TextIndexError.self) {
            try notes.index.explain(missing: Data("0".utf8), for: self.nested(Query.deepest + 9))
        }
        #expect(throws: TextIndexError.self) { try notes.index.results(for: self.nested(1000)) }
    }

    @Test("No text makes too many")
    func texts() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")]) { $0.fields = ["title"] }
        for open in ["(", "title:(", "-(", "NOT (", "+(a ", "@filter("] {
            let text =
                String(repeating: open, count: 300) + "duck" + String(repeating: ")^2", count: 300)
            _ = try notes.index.search(text)
        }
    }
}
