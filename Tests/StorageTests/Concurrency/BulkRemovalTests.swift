import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Removing many objects", .timeLimit(.minutes(30)))
struct BulkRemovalTests {
    private func ids(_ range: some Sequence<Int>) -> [Data] { range.map(WorkNote.identifier) }

    @Test(
        "A bulk removal over several commits, memory and segments removes what was named and nothing else"
    )
    func severalCommits() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        var expected: [Int: Int] = [:]
        for id in 0..<10_000 { expected[id] = 1 }
        try await index.indexObjects(expected.keys.sorted().map { WorkNote(id: $0, version: 1) })
        for id in 0..<30 {
            expected[id * 7] = 2
            _ = try await index.indexObject(WorkNote(id: id * 7, version: 2)).value()
        }
        // Some twice, some that were never there.
        let gone = (0..<12_000).filter { $0 % 5 != 0 } + Array(0..<9)
        let report = try await index.removeObjects(withIdentifiers: ids(gone))
        for id in gone { expected[id] = nil }
        #expect(report.removedCount == gone.count)
        #expect(report.failureCount == 0 && report.indexedCount == 0 && report.skippedCount == 0)
        #expect(try consistentNotes(index) == expected)
        let rest = expected.keys.sorted().dropLast(3)
        try await index.removeObjects(rest.map { WorkNote(id: $0, version: 0) })
        for id in rest { expected[id] = nil }
        #expect(try consistentNotes(index) == expected)
        try await index.shutdown()
        let again = try openNotes(at: folder("index"))
        #expect(try consistentNotes(again) == expected)
        try await onThread { try again.closeVerified() }
    }

    @Test("A bulk removal takes effect in the order of submission")
    func order() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.isSuspended = true
        for id in 0..<4 { index.indexObject(WorkNote(id: id, version: 1)) }
        async let removal = index.removeObjects(withIdentifiers: ids(0..<3))
        while index.indexingQueue.operationCount < 5 { await Task.yield() }
        let last = index.indexObject(WorkNote(id: 1, version: 2))
        index.indexingQueue.isSuspended = false
        _ = try await removal
        _ = try await last.value()
        #expect(try consistentNotes(index) == [1: 2, 3: 1])
        try await index.shutdown()
    }

    @Test(
        "A load that leaves an object out removes it, though it was still to be indexed when the load began"
    )
    func leftOutBehindIndexing() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexer = { note, _ in note.version == 0 ? nil : note.indexed }
        index.indexingQueue.isSuspended = true
        index.indexObject(WorkNote(id: 1, version: 1))
        async let load = index.indexObjects([WorkNote(id: 1, version: 0)])
        while index.indexingQueue.operationCount < 2 { await Task.yield() }
        index.indexingQueue.isSuspended = false
        #expect(try await load.skippedCount == 1)
        #expect(try consistentNotes(index) == [:])
        try await index.shutdown()
    }

    @Test("An object without an identifier is reported, and leaves the others alone")
    func failures() async throws {
        struct Unknown: Error {}
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        try await index.indexObjects((0..<6).map { WorkNote(id: $0, version: 1) })
        index.identifier = { note in
            if note.id == 2 { throw Unknown() }
            return note.id == 4 ? Data() : note.identifier
        }
        let report = try await index.removeObjects((1..<6).map { WorkNote(id: $0, version: 1) })
        #expect(report.removedCount == 3)
        #expect(report.failureCount == 2 && report.failures.map(\.offset) == [1, 3])
        #expect(report.failures.first?.error is Unknown)
        #expect((report.failures.last?.error as? TextIndexError)?.code == .invalidArgument)
        let second = try await index.removeObjects(
            withIdentifiers: [Data(repeating: 1, count: 1 << 20), WorkNote.identifier(0)])
        #expect(second.removedCount == 1 && second.failures.map(\.offset) == [0])
        index.identifier = { $0.identifier }
        #expect(try consistentNotes(index) == [2: 1, 4: 1])
        try await index.shutdown()
    }

    @Test(
        "A bulk removal of nothing, of unknown objects and from an empty index does nothing, and a closed index refuses it"
    )
    func nothing() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        #expect(try await index.removeObjects([]).removedCount == 0)
        #expect(try await index.removeObjects(withIdentifiers: ids(0..<9000)).removedCount == 9000)
        #expect(index.count == 0)
        try await index.shutdown()
        await #expect(throws: TextIndexError.self) {
            try await index.removeObjects(withIdentifiers: [])
        }
        var configuration = TextIndexConfiguration()
        configuration.isReadOnly = true
        let reader = try openNotes(at: folder("index"), configuration)
        await #expect(throws: TextIndexError.self) {
            try await reader.removeObjects(withIdentifiers: [WorkNote.identifier(1)])
        }
        try await reader.shutdown()
    }

    @Test("A cancelled bulk removal says so, and only the objects removed by then are gone")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        try await index.indexObjects((0..<200).map { WorkNote(id: $0, version: 1) })
        let pulled = Shared(0)
        let begun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let removal = Task {
            // Whoever pulls an identifier has put those before it into their chunk.
            let identifiers = sequence(state: 0) { id -> Data? in
                guard id < 200_000 else { return nil }
                if id == 100 {
                    begun.signal()
                    goesOn.wait()
                }
                pulled.change { $0 += 1 }
                defer { id += 1 }
                return WorkNote.identifier(id)
            }
            try await index.removeObjects(withIdentifiers: identifiers)
        }
        await onThreads(1) { _ in begun.wait() }
        removal.cancel()
        goesOn.signal()
        await #expect(throws: CancellationError.self) { try await removal.value }
        #expect(pulled.current == 101)
        let left = try consistentNotes(index).keys.sorted()
        #expect(left == Array(left[0]..<200) && left[0] <= 101)
        try await index.shutdown()
    }

    @Test(
        "A bulk removal beside loads leaves each object as one of the two left it",
        arguments: testSeeds(3))
    func besideLoads(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        var before: [Int: Int] = [:]
        for version in 1...4 {
            let middle = generator.int(2000...6000)
            let loaded = generator.int(0...1000)..<middle + generator.int(0...3000)
            let removed = middle - generator.int(0...1500)..<10_000
            async let load = index.indexObjects(loaded.map { WorkNote(id: $0, version: version) })
            async let removal = index.removeObjects(withIdentifiers: ids(removed))
            #expect(try await load.indexedCount == loaded.count, "seed \(seed)")
            #expect(try await removal.removedCount == removed.count, "seed \(seed)")
            let found = try consistentNotes(index, "seed \(seed)")
            let wrong = (0..<10_000).filter { id in
                let may: [Int?] =
                    switch (loaded.contains(id), removed.contains(id)) {
                    case (true, true): [version, nil]
                    case (true, false): [version]
                    case (false, true): [nil]
                    case (false, false): [before[id]]
                    }
                return !may.contains(found[id])
            }
            #expect(wrong.isEmpty, "seed \(seed): version \(version)")
            before = found
        }
        try await onThread { try index.closeVerified() }
        let again = try openNotes(at: folder("index"))
        #expect(try consistentNotes(again, "seed \(seed)") == before)
        try await onThread { try again.closeVerified() }
    }

    @Test("A bulk removal beside single operations leaves each object as its own thread left it")
    func besideOthers() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        try await index.indexObjects((0..<3000).map { WorkNote(id: $0, version: 1) })
        async let removal = index.removeObjects(withIdentifiers: ids(300..<3000))
        await onThreads(3) { thread in
            for round in 2..<40 {
                let note = WorkNote(id: thread * 100 + round, version: round)
                index.indexObject(note).waitUntilFinished()
                if round % 3 == 0 { index.removeIndex(for: note).waitUntilFinished() }
            }
        }
        #expect(try await removal.removedCount == 2700)
        var expected: [Int: Int] = [:]
        for id in 0..<300 {
            let round = id % 100
            guard (2..<40).contains(round) else {
                expected[id] = 1
                continue
            }
            expected[id] = round % 3 == 0 ? nil : round
        }
        #expect(try consistentNotes(index) == expected)
        try await onThread { try index.closeVerified() }
    }
}
