import Foundation
import Testing

@testable import TextSearch

extension TextIndex where Object == PlainNote {
    /// An index of the texts of notes, which its test closes and opens again.
    static func ofTexts(
        at directory: URL, _ configuration: TextIndexConfiguration
    ) throws -> TextIndex<PlainNote> {
        let index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in IndexedObject(strings: note.strings) }
        return index
    }
}

/// Expects `best` to be those that stand among all results from one on: objects, scores and places
/// of matches.
func expectBest(
    _ best: SearchResults<PlainNote>, among all: SearchResults<PlainNote>, from offset: Int = 0,
    limit: Int, _ note: Comment
) {
    let expected = all.items.dropFirst(offset).prefix(limit)
    #expect(best.items.map(\.identifier) == expected.map(\.identifier), note)
    #expect(best.items.map(\.score) == expected.map(\.score), note)
    #expect(best.items.map(\.resultTokens) == expected.map(\.resultTokens), note)
}
