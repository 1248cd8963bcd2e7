import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Everything at once: nothing crashes, hangs or shows a state that never was.
@Suite("Concurrency: stress", .timeLimit(.minutes(30)))
struct ConcurrencyStressTests {
    /// Does something at random; gives what it threw.
    private static func act(
        on index: TextIndex<WorkNote>, _ generator: inout SeededGenerator, _ version: Int
    ) -> (any Error)? {
        let id = Int.random(in: 0..<200, using: &generator)
        do {
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: try index.flush()
            case 1: try index.optimize()
            case 2: _ = try index.statistics()
            case 3: _ = try index.identifiers()
            case 4..<10: _ = try index.searchResults(forKeyword: "stamp\(id)")
            case 10..<13:
                try index.enumerateResults(forKeyword: "stamp", options: .concurrent) {
                    if $1 > 20 { $3() }
                }
            case 13..<16:
                try index.enumerateResults(forKeyword: "stamp", options: .reverse) {
                    if $1 > 20 { $3() }
                }
            case 16: _ = try index.search("stamp\(id)* body")
            case 17: _ = try index.item(for: WorkNote.identifier(id))
            case 18: index.removeIndex(for: WorkNote(id: id, version: version))
            case 19: index.removeIndex(forIdentifier: WorkNote.identifier(id))
            case 20:
                let operation = index.updateIndex(for: WorkNote(id: id, version: version))
                operation.waitUntilFinished()
                if let error = operation.error { throw error }
            case 21: index.indexObject(WorkNote(id: id, version: version)).cancel()
            case 22: if version % 10 == 0 { try index.removeAll() }
            default: index.indexObject(WorkNote(id: id, version: version))
            }
        } catch {
            return error
        }
        return nil
    }

    @Test(
        "An index takes submitting, searching, enumerating, flushing and optimizing from many threads"
    )
    func everything() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        let versions = Shared(0)
        await onThreads(8) { thread in
            var generator = SeededGenerator(seed: UInt64(thread) &+ 100)
            for _ in 0..<250 {
                let version = versions.change { version in
                    version += 1
                    return version
                }
                if let error = Self.act(on: index, &generator, version) {
                    Issue.record("\(error)")
                }
            }
        }
        await index.waitUntilAllOperationsAreFinished()
        let notes = try consistentNotes(index)
        try await onThread { try index.closeVerified() }
        let again = try openNotes(at: folder("index"))
        #expect(try consistentNotes(again) == notes)
        try await onThread { try again.closeVerified() }
    }

    @Test(
        "Work under way while an index closes ends with .closed, and nothing else", arguments: 0..<6
    )
    func closing(round: Int) async throws {
        let folder = try TemporaryFolder()
        let directory = folder("index")
        let index = try openNotes(at: directory, tinyBuffers())
        await onThreads(7) { thread in
            var generator = SeededGenerator(seed: UInt64(round * 100 + thread))
            if thread >= 5 {
                // Two close it, one of them late.
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.15, using: &generator))
                #expect(throws: Never.self) { try index.close() }
                return
            }
            var refusals = 0
            while refusals < 20 {
                guard let error = Self.act(on: index, &generator, 1) else {
                    // What a closed index is asked to index fails in its operation.
                    let operation = index.indexObject(WorkNote(id: 0, version: 1))
                    if let error = failure(of: operation) {
                        #expect(error.code == .closed)
                        refusals += 1
                    }
                    continue
                }
                #expect((error as? TextIndexError)?.code == .closed, "\(error)")
                refusals += 1
            }
        }
        expectError(.closed) { try index.searchResults(forKeyword: "stamp") }
        expectError(.closed) { try index.contains(identifier: WorkNote.identifier(1)) }
        expectError(.closed) { try index.flush() }
        expectError(.closed) { try index.removeAll() }
        #expect(index.count == 0)
        await #expect(throws: TextIndexError.self) {
            try await index.indexObjects([WorkNote(id: 1, version: 1)])
        }
        await #expect(throws: TextIndexError.self) {
            _ = try await index.removeIndex(forIdentifier: WorkNote.identifier(1)).value()
        }
        try await index.shutdown()
        let again = try openNotes(at: directory)
        _ = try consistentNotes(again)
        try await onThread { try again.closeVerified() }
    }

    @Test("What has finished is seen by every search that begins later")
    func finishedIsVisible() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        await onThreads(6) { thread in
            for version in 1...60 {
                let note = WorkNote(id: thread, version: version)
                index.indexObject(note).waitUntilFinished()
                do {
                    #expect(
                        try index.searchResults(forKeyword: note.stamp).map(\.identifier)
                            == [note.identifier])
                    #expect(try index.item(for: note.identifier)?.weight == Double(version))
                    let old = WorkNote(id: thread, version: version - 1)
                    #expect(try index.resultCount(forKeyword: old.stamp) == 0)
                    if version % 7 == 0 {
                        index.removeIndex(for: note).waitUntilFinished()
                        #expect(try !index.contains(identifier: note.identifier))
                        #expect(try index.resultCount(forKeyword: note.stamp) == 0)
                    }
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        try await onThread { try index.closeVerified() }
    }

    @Test("A search sees one state, so an object that is only replaced is always there once")
    func snapshots() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        let objects = 60
        try await index.indexObjects((0..<objects).map { WorkNote(id: $0, version: 0) })
        let isOver = Shared(false)
        await onThreads(5) { thread in
            switch thread {
            case 0:
                for round in 1...12 {
                    let operations = (0..<objects).map {
                        index.indexObject(WorkNote(id: $0, version: round))
                    }
                    for operation in operations { operation.waitUntilFinished() }
                    #expect(throws: Never.self) { try index.flush() }
                    if round % 4 == 0 { #expect(throws: Never.self) { try index.optimize() } }
                }
                isOver.change { $0 = true }
            default:
                while !isOver.current {
                    do {
                        #expect(index.count == objects)
                        let hits = try index.searchResults(forKeyword: "stamp")
                        #expect(hits.count == objects)
                        #expect(Set(hits.map(\.identifier)).count == objects)
                        #expect(hits.allSatisfy { $0.resultTokens.map(\.string) == [0, 1] })
                        #expect(hits.allSatisfy { $0.context["version"] == .int(Int64($0.weight)) })
                        #expect(try Set(index.identifiers()).count == objects)
                        let seen = Shared<[Int: Int]>([:])
                        try index.enumerateResults(forKeyword: "body", options: .concurrent) {
                            item, rank, count, _ in
                            seen.change { $0[rank, default: 0] += 1 }
                            #expect(count == objects)
                            #expect(item.rank == rank)
                        }
                        #expect(seen.current.count == objects)
                        #expect(seen.current.values.allSatisfy { $0 == 1 })
                    } catch {
                        Issue.record("\(error)")
                    }
                }
            }
        }
        try await onThread { try index.closeVerified() }
    }
}
