import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Typing sessions")
struct TypingSessionTests {
    private static let notes = [
        PlainNote("1", "white whale"), PlainNote("2", "white wheel"), PlainNote("3", "whisper"),
        PlainNote("4", "北京大学"), PlainNote("5", "とうきょう"),
    ]

    @Test func letterByLetter() throws {
        let index = try PlainNoteIndex(Self.notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            let session = index.index.makeTypingSession()
            func ids(_ text: String) throws -> [String] {
                try session.update(text).map(\.id).sorted()
            }
            #expect(try ids("w") == ["1", "2", "3"])
            #expect(try ids("wh") == ["1", "2", "3"])
            #expect(try ids("whi") == ["1", "2", "3"])
            #expect(try ids("whit") == ["1", "2"])
            // Where too few have all, some words are enough.
            #expect(try ids("white wh") == ["1", "2", "3"])
            #expect(try ids("white wha") == ["1", "2"])
            #expect(try session.update("white wha").map(\.matchedBy) == [.unfinished, .someWords])
            #expect(try ids("white wh") == ["1", "2", "3"])
            #expect(try ids("white wha ") == ["1", "2"])
            #expect(try ids("whis") == ["3"])
            // No word begins so; with a typing error two do.
            #expect(try ids("white whx").prefix(2) == ["1", "2"])
        }
    }

    @Test func whatIsTypedOnIsNotReadAgain() throws {
        let index = try PlainNoteIndex(Self.notes)
        try index.index.flush()
        let session = index.index.makeTypingSession()
        let segment = try #require(index.index.writer.snapshot.flushed.first).number
        _ = try session.update("w")
        #expect(session.typed.words(covering: Array("whi".utf8), [segment]) != nil)
        #expect(session.typed.words(covering: Array("x".utf8), [segment]) == nil)
        #expect(session.typed.words(covering: Array("w".utf8), [segment + 1]) == nil)
        _ = try session.update("wh")
        // Another session knows the counts of what was read, not the words.
        let other = index.index.makeTypingSession().typed
        #expect(other.counts(of: Array("w".utf8), in: segment)?.termCount == 4)
        #expect(other.counts(of: Array("wh".utf8), in: segment) == nil)
        #expect(other.words(covering: Array("whi".utf8), [segment]) == nil)
    }

    @Test func composedTextIsABeginningOrInside() throws {
        let index = try PlainNoteIndex(Self.notes)
        let session = index.index.makeTypingSession()
        func ids(_ before: String, _ marked: String, _ after: String = "") throws -> [String] {
            let text = before + marked + after
            let lower = text.index(text.startIndex, offsetBy: before.count)
            let range = lower..<text.index(lower, offsetBy: marked.count)
            return try session.update(text, composing: range).map(\.id).sorted()
        }
        #expect(try ids("", "京大") == ["4"])
        // The last letter waits to become a character.
        #expect(try ids("", "うきょk") == ["5"])
        #expect(try ids("", "k").isEmpty)
        // What is composed is no finished word, wherever it stands.
        #expect(try ids("", "wha", " white") == ["1"])
        #expect(try ids("w", "ha", " white") == ["1"])
        // Where nothing matches it, the rest does.
        #expect(try ids("white ", "qqq") == ["1", "2"])
        // Otherwise it is text with typing errors, or finds nothing; no text finds everything.
        #expect(try ids("", "whitr") == ["1", "2"])
        #expect(try ids("", "zzzz").isEmpty)
        #expect(try ids(" ", "!").isEmpty)
        #expect(try ids("", "").count == 5)
    }

    @Test func aNewTextEndsTheSearchForTheOneBefore() async throws {
        let index = try PlainNoteIndex(Self.notes)
        let session = index.index.makeTypingSession()
        let old = session.begin("w", nil)
        let answers = session.answers(to: "wh")
        #expect(throws: CancellationError.self) { try session.answer(old, within: nil) }
        var counts: [Int] = []
        for try await results in answers { counts.append(results.count) }
        #expect(counts == [3])
        _ = session.begin("whi", nil)
        for try await _ in answers { Issue.record("an answer to what nobody asks any more") }
        session.cancel()
        #expect(try session.rest() == nil)
    }

    @Test func noTimeGivesTheRestLater() async throws {
        let index = try PlainNoteIndex(Self.notes)
        let session = index.index.makeTypingSession()
        var answers: [SearchResults<PlainNote>] = []
        for try await results in session.answers(to: "wh", within: .zero) {
            answers.append(results)
        }
        #expect(answers.map(\.isComplete) == [false, true])
        #expect(answers.last?.count == 3)
    }

    @Test func noStateOfTheIndexIsHeld() throws {
        let index = try PlainNoteIndex(Self.notes)
        try index.index.flush()
        let session = index.index.makeTypingSession()
        weak var state: Snapshot?
        do {
            #expect(try session.update("wh").count == 3)
            state = index.index.writer.snapshot
        }
        try index.add([PlainNote("9", "whim")])
        #expect(state == nil)
        #expect(try session.update("whi").count == 4)
    }

    @Test func aClosedIndexSaysSo() throws {
        let index = try PlainNoteIndex(Self.notes)
        let session = index.index.makeTypingSession()
        try index.index.close()
        #expect { try session.update("w") } throws: { ($0 as? TextIndexError)?.code == .closed }
    }

    @Test func manyThreadsTypeWhileTheIndexChanges() async throws {
        let index = try PlainNoteIndex(Self.notes)
        let session = index.index.makeTypingSession()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        let text = String("white whale".prefix((thread + round) % 11 + 1))
                        do {
                            _ = try session.update(text)
                        } catch is CancellationError {}
                    }
                }
            }
            group.addTask {
                for number in 0..<20 {
                    try index.add([PlainNote("n\(number)", "whale \(number)")])
                    if number % 5 == 0 { try await index.index.flush() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try session.update("white wha").items.first?.id == "1")
        #expect(try session.update("wha", within: nil).totalCount == 21)
    }

    @Test func tooManyWordsAreLimitedAsElsewhere() throws {
        let notes = (0..<40).map { PlainNote("\($0)", "wh\($0)") }
        let index = try PlainNoteIndex(notes) { $0.queryLimits.maximumExpansions = 12 }
        for stage in Stage.allCases {
            try index.enter(stage)
            let session = index.index.makeTypingSession()
            var parser = index.index.queryParser
            parser.options.lastWordIsPrefix = true
            for text in ["w", "wh", "wh1", "wh12", "wh1", "w"] {
                let found = try session.update(text)
                let expected = try index.index.search(text, parser: parser)
                #expect(found.map(\.id) == expected.map(\.id), "\(text)")
                #expect(found.isComplete == expected.isComplete, "\(text)")
            }
        }
    }
}
