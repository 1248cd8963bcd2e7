import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What objects were replaced often takes no more than what they are, and is searched like that.
@Suite("Aging", .timeLimit(.minutes(30)))
struct AgingTests {
    /// The entries of each table, and the bytes of their keys and values.
    private static func sizes(_ index: TextIndex<PlainNote>) throws -> [Table: [Int]] {
        var sizes: [Table: [Int]] = [:]
        for table in Table.allCases where table != .meta {
            var (count, bytes) = (0, 0)
            try index.store.makeCursor().forEach(in: table) { key, value in
                count += 1
                bytes += key.count + value.count
                return true
            }
            sizes[table] = [count, bytes]
        }
        return sizes
    }

    @Test(
        "An optimized index takes the space of a fresh one, however often its objects were replaced"
    )
    func space() throws {
        let last = 60
        let fresh = try PlainNoteIndex((0..<20).map { note($0, $0 == 7 ? 0 : last) })
        try fresh.enter(.optimized)
        let aged = try PlainNoteIndex { $0.leastUnusedNumbers = 100 }
        for version in 0...last {
            // One keeps its first version, and with that its low number.
            try aged.add((0..<20).filter { version == 0 || $0 != 7 }.map { note($0, version) })
            if version % 7 == 0 { try aged.enter(.flushed) }
        }
        aged.index.removeIndex(forIdentifier: Data("n99".utf8)).waitUntilFinished()
        // The order of documents is that of their last versions.
        try fresh.add([note(7, 0)])
        try fresh.add((0..<20).filter { $0 != 7 }.map { note($0, last) })
        for index in [fresh, aged] {
            try index.enter(.optimized)
            index.index.waitForMaintenance()
        }
        #expect(try Self.sizes(aged.index) == Self.sizes(fresh.index))
        let segment = try #require(aged.index.writer.state.withLock { $0.manifest.segments.first })
        #expect(segment.documentCount == 20)
        #expect(aged.index.writer.state.withLock { $0.dead.count } == 0)
        #expect(try aged.ids(.term("word1")) == fresh.ids(.term("word1")))
        #expect(try aged.ids(.term("version0")) == ["n7"])
        try aged.index.closeVerified()
        try fresh.index.closeVerified()
    }

    @Test("A merged segment spans its living documents alone")
    func span() throws {
        let index = try PlainNoteIndex { $0.leastUnusedNumbers = .max }
        for version in 0..<30 { try index.add((0..<5).map { note($0, version) }) }
        try index.enter(.optimized)
        let segment = try #require(index.index.writer.state.withLock { $0.manifest.segments.first })
        #expect(segment.documents == 145..<150)
        #expect(try index.ids(.term("version29")).count == 5)
        #expect(try index.ids(.term("version28")) == [])
        try index.add([note(2, 99)])
        try index.enter(.optimized)
        #expect(try index.ids(.term("version29")).count == 4)
        try index.index.closeVerified()
    }

    @Test("Nothing alive is left of a merged segment")
    func nothing() throws {
        let index = try PlainNoteIndex((0..<5).map { note($0, 0) })
        try index.enter(.flushed)
        for number in 0..<5 {
            index.index.removeIndex(forIdentifier: Data("n\(number)".utf8)).waitUntilFinished()
        }
        try index.enter(.optimized)
        #expect(try index.ids(.everything) == [])
        try index.add([note(1, 1)])
        #expect(try index.ids(.everything) == ["n1"])
        try index.enter(.optimized)
        #expect(try index.ids(.everything) == ["n1"])
        try index.index.closeVerified()
    }

    private struct Run {
        var generator: SeededGenerator
        var model: [Int: Int] = [:]
        let directory = temporaryDirectory("aging")
        var index: TextIndex<PlainNote>
        let source = Source()

        final class Source: Sendable {
            let versions = Mutex<[Int: Int]>([:])
        }

        static var configuration: TextIndexConfiguration {
            var configuration = TextIndexConfiguration()
            configuration.leastUnusedNumbers = 8
            return configuration
        }

        init(_ seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            index = try Self.open(directory, source)
        }

        static func open(_ directory: URL, _ source: Source) throws -> TextIndex<PlainNote> {
            let index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in IndexedObject(strings: note.strings, weight: note.weight) }
            index.objectGetter = { identifier in
                let number = Int(String(decoding: identifier, as: UTF8.self).dropFirst()) ?? -1
                return source.versions.withLock { $0[number] }.map { note(number, $0) }
            }
            return index
        }

        func ids(_ query: Query) throws -> [String] {
            try index.search(query, limit: .max).map(\.id).sorted()
        }

        mutating func step() async throws {
            switch generator.int(0...11) {
            case 0...5:
                for _ in 0..<generator.int(1...6) {
                    // Some are replaced often, some nearly never.
                    let number = min(generator.int(0...12), generator.int(0...12))
                    let version = generator.int(0...1000)
                    index.indexObject(note(number, version)).waitUntilFinished()
                    model[number] = version
                }
            case 6:
                let number = generator.int(0...12)
                index.removeIndex(forIdentifier: Data("n\(number)".utf8)).waitUntilFinished()
                model[number] = nil
            case 7: try await index.flush()
            case 8, 9:
                // Results of before show what they showed.
                let results = try await index.search(.term("word1"), limit: .max)
                try await index.optimize()
                for item in results { #expect(item.resultTokens.count == 1) }
            case 10:
                try index.closeVerified()
                if generator.once(in: 2) {
                    try TextIndex<PlainNote>.purge(
                        at: directory, configuration: Self.configuration)
                }
                index = try Self.open(directory, source)
            default:
                source.versions.withLock { $0 = model }
                _ = try await index.rebuild()
            }
        }

        func check(_ comment: String) throws {
            let all = model.keys.map { "n\($0)" }.sorted()
            #expect(try ids(.everything) == all, "\(comment)")
            for word in 0..<3 {
                let expected = model.keys.filter { $0 % 3 == word }.map { "n\($0)" }.sorted()
                #expect(try ids(.term("word\(word)")) == expected, "\(comment)")
            }
            for (number, version) in model {
                let found = try ids(.term("version\(version)"))
                #expect(found.contains("n\(number)"), "\(comment)")
            }
            #expect(try ids(.term("text")) == all, "\(comment)")
        }
    }

    @Test(
        "Random changes, merges, purges and rebuilds leave the objects as they are",
        arguments: testSeeds(4))
    func oracle(_ seed: UInt64) async throws {
        var run = try Run(seed)
        for step in 0..<120 {
            try await run.step()
            try run.check("seed \(seed), step \(step)")
        }
        try run.index.closeVerified()
        try? FileManager.default.removeItem(at: run.directory)
    }

    @Test("Documents that are numbered anew are the same objects, and an exchange")
    func exchange() throws {
        let index = try PlainNoteIndex([note(3, 0)]) { $0.leastUnusedNumbers = 8 }
        for version in 0..<30 { try index.add((0..<3).map { note($0, version) }) }
        let before = index.index.writer.snapshot
        try index.enter(.optimized)
        let after = index.index.writer.snapshot
        #expect(after.exchangeCount == before.exchangeCount + 1)
        #expect(after.count == before.count)
        #expect(after.flushed.map(\.manifest.documentCount) == [4])
    }

    @Test("Operations that are submitted while documents are numbered anew take effect")
    func concurrent() throws {
        let index = try PlainNoteIndex { $0.leastUnusedNumbers = 8 }
        let done = DispatchGroup()
        DispatchQueue.global().async(group: done) {
            for version in 1...150 { try? index.add((0..<4).map { note($0, version) }) }
        }
        for _ in 0..<20 { try index.enter(.optimized) }
        done.wait()
        try index.enter(.optimized)
        #expect(try index.ids(.everything) == ["n0", "n1", "n2", "n3"])
        #expect(try index.ids(.term("version150")) == ["n0", "n1", "n2", "n3"])
        #expect(try index.ids(.term("version149")) == [])
        try index.index.closeVerified()
    }
}

private func note(_ number: Int, _ version: Int) -> PlainNote {
    PlainNote(
        "n\(number)", "title \(number)", "word\(number % 3) version\(version) text of it",
        weight: Double(number))
}
