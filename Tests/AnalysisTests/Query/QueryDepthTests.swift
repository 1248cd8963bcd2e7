import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Queries within queries")
struct QueryDepthTests {
    @Test("No text makes a query that is nested too deeply")
    func texts() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")]) { $0.fields = ["title"] }
        for open in ["(", "title:(", "-(", "NOT (", "+(a ", "@filter("] {
            let text =
                String(repeating: open, count: 300) + "duck" + String(repeating: ")^2", count: 300)
            _ = try notes.index.search(text)
        }
    }
}
