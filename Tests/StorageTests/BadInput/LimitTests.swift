import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Each limit, below it, at it and above it.
@Suite("Limits")
struct LimitTests {
    /// Whether an index with these settings takes an object; what it refuses it refuses with
    /// `.limitExceeded`, by the name of the setting.
    private func takes(
        _ object: IndexedObject, naming setting: String,
        _ configure: (inout TextIndexConfiguration) -> Void
    ) throws -> Bool {
        let folder = try TemporaryFolder("limits")
        var configuration = TextIndexConfiguration()
        configure(&configuration)
        let index = try TextIndex<Int>(at: folder("index"), configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { _, _ in object }
        let error = failure(of: index.indexObject(1))
        if let error {
            #expect(error.code == .limitExceeded, "\(error)")
            #expect(error.message.contains(setting), "\(error)")
        }
        #expect(index.count == (error == nil ? 1 : 0))
        try index.closeVerified()
        return error == nil
    }

    @Test("Strings, texts and contexts beyond their limits are refused", arguments: [-1, 0, 1])
    func objects(beyond: Int) throws {
        let isTaken = beyond <= 0
        let text = String(repeating: "é ", count: 20)  // 60 bytes
        #expect(
            try takes(IndexedObject(strings: ["a", text]), naming: "maximumStringLength") {
                $0.maximumStringLength = 60 - beyond
            } == isTaken)
        #expect(
            try takes(IndexedObject(strings: ["a", "b", "c"]), naming: "maximumStringCount") {
                $0.maximumStringCount = 3 - beyond
            } == isTaken)
        #expect(
            try takes(IndexedObject(strings: [text, text]), naming: "maximumTextLength") {
                $0.maximumTextLength = 120 - beyond
            } == isTaken)
        let context: [String: ContextValue] = ["name": .string("12345")]
        let object = IndexedObject(strings: ["a"], context: context)
        let size = "name".utf8.count + ContextValue.string("12345").byteCount
        #expect(
            try takes(object, naming: "maximumContextLength") {
                $0.maximumContextLength = size - beyond
            } == isTaken)
    }

    @Test(
        "Values nest 60 levels deep, and no deeper",
        arguments: [(59, true), (60, true), (61, false)])
    func levels(count: Int, isTaken: Bool) throws {
        let folder = try TemporaryFolder("limits")
        let index = try TextIndex<Int>(at: folder("index"))
        // A value that holds no others is one level.
        var value = ContextValue.int(7)
        for _ in 1..<count { value = .array([value]) }
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { [value] _, _ in
            IndexedObject(strings: ["a word"], context: ["name": value])
        }
        let error = failure(of: index.indexObject(1))
        #expect(error?.code == (isTaken ? nil : .limitExceeded))
        if isTaken {
            let contexts = try index.searchResults(forKeyword: "word").map(\.context)
            #expect(contexts.first?["name"] == value)
        }
        try index.closeVerified()
    }

    @Test("Identifiers beyond their limit are refused", arguments: [1, 7, 4096])
    func identifiers(limit: Int) throws {
        let folder = try TemporaryFolder("limits")
        var configuration = TextIndexConfiguration()
        configuration.maximumIdentifierLength = limit
        let index = try TextIndex<Int>(at: folder("index"), configuration: configuration)
        index.identifier = { Data(repeating: 7, count: $0) }
        index.indexer = { _, _ in IndexedObject(strings: ["a word"]) }
        for length in [limit - 1, limit] where length > 0 {
            #expect(failure(of: index.indexObject(length)) == nil)
        }
        #expect(failure(of: index.indexObject(limit + 1))?.code == .invalidArgument)
        #expect(failure(of: index.indexObject(0))?.code == .invalidArgument)
        try index.closeVerified()
    }

    @Test("Words are found by their first 255 bytes")
    func words() throws {
        let folder = try TemporaryFolder("limits")
        let index = try TextIndex<Int>(at: folder("index"))
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { length, _ in
            IndexedObject(strings: [String(repeating: "x", count: length - 1) + "q"])
        }
        for length in [254, 255, 256] { index.indexObject(length) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try index.resultCount(forKeyword: "xxq") == 2)
        #expect(try index.resultCount(forKeyword: "xxx") == 3)
        try index.closeVerified()
    }

    @Test("Keywords beyond the limits of length and words are refused", arguments: [-1, 0, 1])
    func keywords(beyond: Int) throws {
        let notes = try PlainNoteIndex([PlainNote("0", "alpha beta gamma delta")]) {
            $0.queryLimits.maximumTextLength = 22 - beyond
        }
        let clauses = try PlainNoteIndex([PlainNote("0", "alpha beta gamma delta")]) {
            $0.queryLimits.maximumClauses = 4 - beyond
        }
        for index in [notes.index, clauses.index] {
            let keyword = "alpha beta gamma delta"
            for search in [
                { try index.searchResults(forKeyword: keyword).count },
                { try index.resultCount(forKeyword: keyword) },
                { try index.search(Query.keyword(keyword)).items.count },
                {
                    let count = Shared(0)
                    try index.enumerateResults(forKeyword: keyword) { _, _, _, _ in
                        count.change { $0 += 1 }
                    }
                    return count.current
                },
            ] as [() throws -> Int] {
                if beyond <= 0 {
                    #expect(try search() == 1)
                } else {
                    expectError(.limitExceeded) { try search() }
                }
            }
        }
    }

    @Test("A page that reaches beyond its limit is refused")
    func results() throws {
        let notes = try PlainNoteIndex((0..<30).map { PlainNote("\($0)", "duck") }) {
            $0.queryLimits.maximumResults = 20
        }
        let index = notes.index
        #expect(try index.search("duck", limit: 19).items.count == 19)
        #expect(try index.search("duck", limit: 20).items.count == 20)
        #expect(try index.search("duck", limit: 5, offset: 15).items.count == 5)
        for (limit, offset) in [(21, 0), (5, 16), (.max, 1), (.max, .max), (0, 21)] {
            let error = expectError(.limitExceeded) {
                try index.search("duck", limit: limit, offset: offset)
            }
            #expect(error?.message.contains("maximumResults") == true)
        }
        let page = try index.search("duck", limit: 12)
        #expect(try index.search(after: page.cursor, limit: 8).items.count == 8)
        expectError(.limitExceeded) { try index.search(after: page.cursor, limit: 9) }
        // One by one there are all.
        #expect(try index.results(for: .term("duck")).count == 30)
    }

    @Test("An index is right whatever its limit of open table files", arguments: [-1, 64, 100])
    func openFiles(limit: Int) throws {
        let folder = try TemporaryFolder("limits")
        var configuration = tinyBuffers()
        configuration.maximumOpenFiles = limit
        let index = try openNotes(at: folder("index"), configuration)
        for round in 0..<6 {
            for id in 0..<40 { index.indexObject(WorkNote(id: id + round * 10, version: round)) }
            index.indexingQueue.waitUntilAllOperationsAreFinished()
        }
        #expect(try consistentNotes(index).count == 90)
        try index.closeVerified()
    }
}
