import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Any of the words, where no object has all")
struct FallbackTests {
    private static let notes = [
        PlainNote("both", "The boundary-layer of a plate."), PlainNote("one", "A layer of paint."),
        PlainNote("other", "The boundary conditions."),
        PlainNote("apart", "Layers: a boundary, a layer."),
        PlainNote("none", "A duck."), PlainNote("cjk", "北京烤鸭"),
    ]

    private func notes() throws -> PlainNoteIndex {
        try PlainNoteIndex(Self.notes) {
            $0.fields = ["text"]
            $0.steps = .exact
        }
    }

    @Test(
        "A hyphenated word is any of its words then",
        arguments: [
            ("boundary-layer swan", ["both", "one", "other", "apart"]),
            ("text:boundary-layer swan", ["both", "one", "other", "apart"]),
            ("boundary-layer^2 swan", ["both", "one", "other", "apart"]),
            // What is quoted is wanted as it is.
            ("\"boundary layer\" swan", ["both"]),
            // All of it is there.
            ("boundary-layer plate", ["both"]),
            ("boundary-layer -plate swan", ["one", "other", "apart"]),
            ("北京烤 swan", ["cjk"]),
            ("北京鸭 swan", []),
        ])
    func hyphens(_ text: String, _ ids: [String]) throws {
        let notes = try notes()
        for stage in Stage.allCases {
            try notes.enter(stage)
            let found = try notes.index.search(text)
            #expect(Set(found.map(\.id)) == Set(ids), "\(text)")
            let fellBack = text.contains("swan") && !ids.isEmpty
            #expect(found.diagnostics.contains { $0.kind == .fellBackToAny } == fellBack, "\(text)")
            // One at a time as all at once.
            let all = try Array(notes.index.results(for: text)).map { $0.id }
            #expect(all == found.map(\.id))
            let pages = try (0..<5).flatMap {
                try notes.index.search(text, limit: 1, offset: $0).map(\.id)
            }
            #expect(pages == all)
        }
    }

    @Test("With all steps, a phrase is enough where no step finds an object")
    func afterSteps() throws {
        let notes = try notes()
        for stage in Stage.allCases {
            try notes.enter(stage)
            let found = try notes.index.search("\"boundary layer\" swan", steps: .all)
            #expect(found.map(\.id) == ["both"])
            #expect(found.diagnostics.contains { $0.kind == .fellBackToAny })
            let few = try notes.index.search("\"boundary layer\" swan", steps: [.variants, .typos])
            #expect(few.isEmpty)
        }
    }

    @Test("Each word is shown where it stands")
    func ranges() throws {
        let notes = try notes()
        let found = try notes.index.search("boundary-layer swan")
        var shown: [String: [String]] = [:]
        for item in found {
            let text = try #require(Self.notes.first { $0.id == item.id }).strings[0]
            shown[item.id] = try item.resultTokens.map {
                String(text[try #require(item.range(of: $0, in: text))])
            }
        }
        #expect(
            shown == [
                "both": ["boundary", "layer"], "one": ["layer"], "other": ["boundary"],
                "apart": ["boundary", "layer"],
            ])
    }
}
