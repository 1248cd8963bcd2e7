import Foundation
import Testing

@testable import TextSearch

@Suite("Matches of scripts without spaces")
struct SpacelessMatchTests {
    @Test(
        "A place is one match with one range",
        arguments: [
            ("我在北京大学学习，北京大学很好", "北京大学", ["北京大学", "北京大学"]),
            ("東京都庁へ行く", "東京都庁", ["東京都庁"]), ("北京", "北京", ["北京"]),
        ])
    func ranges(_ text: String, _ query: String, _ wanted: [String]) throws {
        let notes = [PlainNote("0", text)]
        try PlainNoteIndex.inAllStages(notes) { _ in
        } _: { notes in
            let item = try #require(try notes.index.search(query).items.first)
            let found = item.resultTokens.compactMap { token in
                item.range(of: token, in: text).map { String(text[$0]) }
            }
            #expect(found == wanted)
        }
    }
}
