import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Identifiers and places of any kind.
@Suite("Identifiers and directories", .timeLimit(.minutes(30)))
struct IdentifierTests {
    @Test("Identifiers may be any bytes, also a beginning of others", arguments: testSeeds(2))
    func binaryIdentifiers(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("identifiers")
        // Few different bytes and zeros among them: many are prefixes of others, with 0 to 4 bytes
        // between.
        var identifiers: Set<Data> = [
            Data(repeating: 0, count: 4096), Data(repeating: 255, count: 4096),
        ]
        for _ in 0..<400 {
            let length = Int.random(in: 1...9, using: &generator)
            identifiers.insert(
                Data(
                    (0..<length).map { _ in
                        [0, 0, 1, 255][Int.random(in: 0..<4, using: &generator)]
                    }))
        }
        var kept = identifiers.sorted { $0.lexicographicallyPrecedes($1) }
        kept.shuffle(using: &generator)
        let index = try TextIndex<Data>(at: folder("index"), configuration: tinyBuffers())
        index.identifier = { $0 }
        index.indexer = { data, _ in IndexedObject(strings: ["text"], weight: Double(data.count)) }
        for (number, identifier) in kept.enumerated() {
            index.indexObject(identifier)
            if number % 100 == 50 { try index.flush() }
        }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        for (number, identifier) in kept.enumerated() where number % 3 == 0 {
            let operation = index.removeIndex(forIdentifier: identifier)
            operation.waitUntilFinished()
            #expect(operation.error == nil)
            if number % 50 == 0 { try index.flush() }
        }
        func check(_ index: TextIndex<Data>) throws {
            for (number, identifier) in kept.enumerated() {
                let item = try index.item(for: identifier)
                #expect((item == nil) == (number % 3 == 0), "seed \(seed)")
                if let item { #expect(item.weight == Double(identifier.count)) }
            }
            let rest = kept.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
            #expect(try index.identifiers() == rest, "seed \(seed)")
            #expect(try Set(index.searchResults(forKeyword: "text").map(\.identifier)) == Set(rest))
        }
        try check(index)
        try index.close()
        let again = try TextIndex<Data>(at: folder("index"))
        try check(again)
        try again.close()
    }

    #if os(Linux) || os(macOS)
        @Test("An index open in another process is locked here, and nothing of it is disturbed")
        func otherProcess() async throws {
            let folder = try TemporaryFolder("identifiers")
            let index = try openNotes(at: folder("index"))
            _ = try await index.indexObject(WorkNote(id: 1, version: 1)).value()
            await #expect(processExitsWith: .exitCode(17)) {
                [path = folder("index").path as String] in
                do {
                    _ = try openNotes(at: URL(fileURLWithPath: path))
                } catch let error as TextIndexError where error.code == .locked {
                    exit(17)
                }
                exit(18)
            }
            await #expect(processExitsWith: .exitCode(17)) {
                [path = folder("index").path as String] in
                do {
                    try TextIndex<WorkNote>.destroy(at: URL(fileURLWithPath: path))
                } catch let error as TextIndexError where error.code == .locked {
                    exit(17)
                }
                exit(18)
            }
            _ = try await index.indexObject(WorkNote(id: 2, version: 1)).value()
            #expect(try consistentNotes(index) == [1: 1, 2: 1])
            try await index.shutdown()
            // Free again, also for others.
            await #expect(processExitsWith: .exitCode(17)) {
                [path = folder("index").path as String] in
                let index = try openNotes(at: URL(fileURLWithPath: path))
                exit(index.count == 2 ? 17 : 18)
            }
        }
    #endif

    @Test("Refused openings leave the lock free, again and again")
    func refusedOpenings() throws {
        let folder = try TemporaryFolder("identifiers")
        let directory = folder("index")
        var other = TextIndexConfiguration()
        other.stopWords = .words(["a"])
        other.indexesStopWords = false
        other.discardDuplicateTokens = true
        let index = try openNotes(at: directory)
        index.indexObject(WorkNote(id: 1, version: 1))
        for _ in 0..<20 { expectError(.locked) { try openNotes(at: directory) } }
        try index.close()
        for _ in 0..<20 {
            let error = expectError(.configurationMismatch) { try openNotes(at: directory, other) }
            #expect(error?.message.contains("stopWords") == true)
            #expect(error?.message.contains("discardDuplicateTokens") == true)
            #expect(error?.message.contains("rebuild") == true)
        }
        let again = try openNotes(at: directory)
        #expect(try consistentNotes(again) == [1: 1])
        try again.close()
    }

    @Test("Paths that are no directories for an index are refused")
    func strangePlaces() throws {
        let folder = try TemporaryFolder("identifiers")
        let file = folder("file")
        try Data("letter".utf8).write(to: file)
        expectError(.invalidArgument) { try openNotes(at: file) }
        #expect(throws: TextIndexError.self) {
            try openNotes(at: file.appendingPathComponent("in"))
        }
        #expect(try Data(contentsOf: file) == Data("letter".utf8))
        let web = try #require(URL(string: "https://example.org/index"))
        expectError(.invalidArgument) { try openNotes(at: web) }
        #expect(throws: TextIndexError.self) {
            try openNotes(at: folder(String(repeating: "n", count: 5000)))
        }
        let dangling = folder("dangling")
        try FileManager.default.createSymbolicLink(
            at: dangling, withDestinationURL: folder("nowhere"))
        #expect(throws: TextIndexError.self) { try openNotes(at: dangling) }
        // Nothing to destroy is no error.
        try TextIndex<WorkNote>.destroy(at: folder("absent"))
        let unicode = folder("Ïndex 🦆 ü\u{308}")
        let index = try openNotes(at: unicode)
        index.indexObject(WorkNote(id: 1, version: 1))
        try index.close()
        let again = try openNotes(at: unicode)
        #expect(again.count == 1)
        try again.close()
        try TextIndex<WorkNote>.destroy(at: unicode)
        #expect(!FileManager.default.fileExists(atPath: unicode.path))
    }
}
