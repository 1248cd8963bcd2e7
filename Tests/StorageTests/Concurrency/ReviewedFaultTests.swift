import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Faults that a review found, each with the steps that showed it.
@Suite("Faults found by review", .timeLimit(.minutes(30)))
struct ReviewedFaultTests {
    /// An object with an identifier, a text, and a time that its indexer takes.
    struct Note: Sendable {
        var id: String
        var text: String?
        var waits: DispatchSemaphore?

        init(_ id: String, _ text: String?, waits: DispatchSemaphore? = nil) {
            self.id = id
            self.text = text
            self.waits = waits
        }
    }

    private func open(_ directory: URL) throws -> TextIndex<Note> {
        let index = try TextIndex<Note>(at: directory)
        index.identifier = { Data($0.id.utf8) }
        index.indexer = { note, _ in
            note.waits?.wait()
            return note.text.map { IndexedObject(strings: [$0]) }
        }
        return index
    }

    private func identifiers(_ index: TextIndex<Note>) throws -> [String] {
        try index.identifiers().map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    @Test("What removeAll removed in one group with its indexing stays removed")
    func removalInOneGroup() throws {
        let folder = try TemporaryFolder("review")
        let index = try open(folder("index"))
        index.indexingQueue.maxConcurrentOperationCount = 4
        index.indexObject(Note("Z", "zulu")).waitUntilFinished()
        // The removal is ready while the object is still being prepared: both are committed as one
        // group.
        let gate = DispatchSemaphore(value: 0)
        index.indexObject(Note("A", "alpha", waits: gate))
        let removal = try index.submitRemovalOfAll()
        let last = index.indexObject(Note("B", "beta"))
        gate.signal()
        for operation in [removal, last] { operation.waitUntilFinished() }
        #expect(try identifiers(index) == ["B"])
        try index.close()
        let again = try open(folder("index"))
        #expect(try identifiers(again) == ["B"])
        #expect(try again.searchResults(forKeyword: "alpha").isEmpty)
        #expect(try again.searchResults(forKeyword: "beta").count == 1)
        try again.close()
    }

    @Test("An object that is left out later in a bulk load is not there")
    func leftOutLater() async throws {
        let folder = try TemporaryFolder("review")
        let index = try open(folder("index"))
        try await index.indexObjects([Note("A", "one"), Note("B", "two"), Note("A", nil)])
        #expect(try identifiers(index) == ["B"])
        try await index.indexObjects(
            [Note("B", nil), Note("C", "three"), Note("C", nil), Note("C", "four"), Note("D", nil)])
        #expect(try identifiers(index) == ["C"])
        // Over several chunks of a load.
        let text = String(repeating: "word and word ", count: 80_000)
        try await index.indexObjects(
            (0..<12).map { Note("L\($0)", text) } + [Note("L0", nil), Note("L11", nil)])
        #expect(
            try identifiers(index) == ["C"] + (1..<11).map { "L\($0)" }.sorted())
        try await index.shutdown()
    }

    /// Deleted keys of the journal lie behind the last identifier: whoever looks for one there had
    /// to walk over all of them.
    @Test("Looking for the last identifiers takes a bounded number of steps")
    func lastIdentifiers() throws {
        let folder = try TemporaryFolder("review")
        let index = try open(folder("index"))
        index.indexObject(Note("5", "text")).waitUntilFinished()
        let cursor = try index.store.makeCursor()
        var key = Buffer<UInt8>()
        Array("9999".utf8).withUnsafeBufferPointer { Key.identifier($0, into: &key) }
        try cursor.seek(to: key)
        let isStopped = try cursor.withEntry { key, _ in key.elementsEqual(Key.identifiersEnd) }
        #expect(isStopped)
        try index.close()
    }

    @Test("Concurrent enumerations from many threads come to an end")
    func enumerationsFromThreads() throws {
        let folder = try TemporaryFolder("review")
        let index = try open(folder("index"))
        for number in 0..<40 { index.indexObject(Note("\(number)", "some text \(number)")) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        for _ in 0..<4 {
            let group = DispatchGroup()
            for _ in 0..<6 {
                group.enter()
                let thread = Thread {
                    for _ in 0..<30 {
                        let seen = Shared(Set<Int>())
                        try? index.enumerateResults(forKeyword: "text", options: .concurrent) {
                            item, rank, _, _ in
                            _ = item.resultTokens
                            seen.change { _ = $0.insert(rank) }
                        }
                        #expect(seen.change { $0 } == Set(0..<40))
                    }
                    group.leave()
                }
                thread.start()
            }
            group.wait()
        }
        try index.close()
    }

    @Test("Enumerating stops with the items it has made")
    func stopping() throws {
        let folder = try TemporaryFolder("review")
        let index = try open(folder("index"))
        for number in 0..<300 { index.indexObject(Note("\(number)", "text \(number)")) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        let seen = Shared(0)
        try index.enumerateResults(forKeyword: "text") { _, rank, count, stop in
            #expect(count == 300)
            seen.change { $0 += 1 }
            if rank == 6 { stop() }
        }
        #expect(seen.change { $0 } == 7)
        try index.close()
    }

    @Test("An object of very many strings is indexed and found")
    func manyStrings() throws {
        let folder = try TemporaryFolder("review")
        let index = try TextIndex<Int>(at: folder("index"))
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { _, _ in IndexedObject(strings: (0..<100_000).map { "string\($0)" }) }
        index.indexObject(1).waitUntilFinished()
        try index.flush()
        #expect(try index.searchResults(forKeyword: "string99999").first?.resultTokens.count == 1)
        try index.close()
    }

    @Test("Every call that waits has a form to be awaited, with the same answer")
    func awaitedForms() async throws {
        let folder = try TemporaryFolder("review")
        let directory = folder("index")
        let index = try await TextIndex<Note>.open { try TextIndex<Note>(at: directory) }
        index.identifier = { Data($0.id.utf8) }
        index.indexer = { note, _ in note.text.map { IndexedObject(strings: [$0]) } }
        for number in 0..<20 { index.indexObject(Note("\(number)", "text \(number)")) }
        await index.waitUntilAllOperationsAreFinished()
        #expect(try await index.identifiers() == index.identifiers())
        #expect(try await index.resultCount(forKeyword: "text") == 20)
        #expect(try await index.contains(identifier: Data("7".utf8)))
        #expect(try await index.item(for: Data("7".utf8))?.identifier == Data("7".utf8))
        #expect(try await index.search(.term("text"), limit: 50).count == 20)
        let seen = Shared(Set<Int>())
        try await index.enumerateResults(forKeyword: "text", options: .concurrent) {
            _, rank, _, _ in seen.change { _ = $0.insert(rank) }
        }
        #expect(seen.current == Set(0..<20))
        try await index.shutdown()
        await #expect(throws: TextIndexError.self) { try await index.identifiers() }
    }
}
