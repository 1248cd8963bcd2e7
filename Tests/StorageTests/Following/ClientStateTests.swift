import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Client state and changes", .timeLimit(.minutes(10)))
struct ClientStateTests {
    private static let value = Data([1, 2, 3])

    private func expectCode(
        _ code: TextIndexError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? TextIndexError)?.code == code, sourceLocation: sourceLocation)
        }
    }

    @Test("A state is stored with the changes it stands for, and read after reopening")
    func storing() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        #expect(try index.clientState(named: "a") == nil)
        try await index.apply([
            .index(PlainNote("1", "duck")), .index(PlainNote("2", "goose")),
            .remove(Data("1".utf8)), .mark(ClientState("a", Self.value, expecting: .some(nil))),
        ])
        #expect(try index.clientState(named: "a") == Self.value)
        #expect(try index.clientState(named: "b") == nil)
        await #expect(try index.identifiers() == [Data("2".utf8)])
        try index.closeVerified()
        let again = try FollowedModel.makeIndex(at: folder("index"))
        #expect(try again.clientState(named: "a") == Self.value)
        try await again.removeAll()
        #expect(try again.clientState(named: "a") == nil)
        try again.closeVerified()
        let last = try FollowedModel.makeIndex(at: folder("index"))
        #expect(try last.clientState(named: "a") == nil)
        try last.closeVerified()
    }

    @Test("Changes on the calling thread are all applied or none")
    func blocking() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        func apply(_ changes: [IndexChange<PlainNote>]) throws { try index.apply(changes) }
        try apply([.index(PlainNote("1", "duck")), .mark(ClientState("a", Self.value))])
        #expect(throws: FollowedModel.Failure.self) {
            try apply([
                .index(PlainNote("2", "duck")), .index(PlainNote("3", FollowedModel.failing)),
            ])
        }
        await expectCode(.mismatchedClientState) {
            try apply([
                .remove(Data("1".utf8)),
                .mark(ClientState("a", Data([9]), expecting: .some(Data([8])))),
            ])
        }
        await #expect(try index.identifiers() == [Data("1".utf8)])
        #expect(try index.clientState(named: "a") == Self.value)
        try apply([])
        let long = String(repeating: "goose orange ", count: 30_000)
        try apply([
            .index(PlainNote("4", long)), .remove(Data("1".utf8)),
            .mark(ClientState("a", Data([4]), expecting: .some(Self.value))),
        ])
        await #expect(try index.identifiers() == [Data("4".utf8)])
        #expect(try index.clientState(named: "a") == Data([4]))
        try index.closeVerified()
    }

    @Test(
        "Where another state is stored than is expected, nothing is written",
        arguments: [1, 3, 9_000])
    func mismatch(count: Int) async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        try await index.apply([
            .index(PlainNote("kept", "duck")), .mark(ClientState("a", Self.value)),
        ])
        await expectCode(.mismatchedClientState) {
            // The mark comes with the first part of the stream, and no later one is taken.
            let changes: [IndexChange<PlainNote>] =
                [.mark(ClientState("a", Data([7]), expecting: .some(nil)))]
                + (0..<count).map { .index(PlainNote("\($0)", "goose")) }
                + [.mark(ClientState("b", Data([8])))]
            try await index.apply(changes)
        }
        await #expect(try index.identifiers() == [Data("kept".utf8)])
        #expect(try index.clientState(named: "a") == Self.value)
        #expect(try index.clientState(named: "b") == nil)
        try index.closeVerified()
    }

    @Test("A mark that expects another one than the mark before it ends the stream")
    func chain() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        let changes: [IndexChange<PlainNote>] = [
            .mark(ClientState("a", Data([1]))), .index(PlainNote("1", "duck")),
            .mark(ClientState("a", Data([2]), expecting: .some(Data([1])))),
            .mark(ClientState("b", Data([3]))),
            .mark(ClientState("a", Data([4]), expecting: .some(nil))),
            .index(PlainNote("2", "duck")), .mark(ClientState("a", Data([5]))),
        ]
        await expectCode(.mismatchedClientState) { try await index.apply(changes) }
        // What came before is there, and nothing that came after.
        await #expect(try index.identifiers() == [Data("1".utf8)])
        #expect(try index.clientState(named: "a") == Data([2]))
        #expect(try index.clientState(named: "b") == Data([3]))
        try index.closeVerified()
    }

    @Test("Of several marks the last one is stored, and a long stream is applied in order")
    func order() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"), tinyBuffers())
        var changes: [IndexChange<PlainNote>] = []
        var known: Data?
        for number in 0..<30_000 {
            changes.append(.index(PlainNote("\(number % 500)", "duck x\(number)")))
            if number % 7 == 0 { changes.append(.remove(Data("\((number + 3) % 500)".utf8))) }
            if number % 100 == 99 {
                let value = Data("\(number)".utf8)
                changes.append(.mark(ClientState("a", value, expecting: .some(known))))
                known = value
            }
        }
        var model: [String: Int] = [:]
        for number in 0..<30_000 {
            model["\(number % 500)"] = number
            if number % 7 == 0 { model["\((number + 3) % 500)"] = nil }
        }
        let report = try await index.apply(changes)
        #expect(report.failureCount == 0)
        #expect(try index.clientState(named: "a") == known)
        #expect(index.count == model.count)
        for (id, number) in model {
            #expect(try await index.search(.term("x\(number)"), limit: 9).map(\.id) == [id])
        }
        try index.closeVerified()
    }

    @Test("An object that cannot be indexed is reported and gone; what comes after it is applied")
    func failures() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        try await index.apply([.index(PlainNote("1", "duck")), .index(PlainNote("2", "duck"))])
        let report = try await index.apply([
            .index(PlainNote("1", FollowedModel.failing)), .index(PlainNote("3", "goose")),
            .remove(Data()), .mark(ClientState("a", Self.value)),
        ])
        #expect(report.failureCount == 2)
        #expect(report.failures.map(\.offset) == [0, 2])
        await #expect(try index.identifiers() == ["2", "3"].map { Data($0.utf8) })
        #expect(try index.clientState(named: "a") == Self.value)
        try index.closeVerified()
    }

    @Test("Names and values that cannot be stored are refused")
    func limits() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        await expectCode(.invalidArgument) { _ = try index.clientState(named: "") }
        for state in [
            ClientState("", Data()), ClientState(String(repeating: "é", count: 128), Data()),
        ] {
            await expectCode(.invalidArgument) { try index.apply([.mark(state)]) }
        }
        let large = Data(repeating: 1, count: ClientState.largestValue + 1)
        await expectCode(.limitExceeded) { try index.apply([.mark(ClientState("a", large))]) }
        try await index.apply([.mark(ClientState("a", large.dropLast()))])
        #expect(try index.clientState(named: "a") == large.dropLast())
        try index.closeVerified()
        await expectCode(.closed) { _ = try index.clientState(named: "a") }
    }

    @Test(
        "A backup has the states, and so has a repair that found no damage; one that did forgets them"
    )
    func copies() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        let notes = (0..<200).map { PlainNote("\($0)", "duck goose x\($0)") }
        try await index.apply(
            notes.map { .index($0) } + [.mark(ClientState("a", Self.value))])
        try await index.optimize()
        for method in [BackupMethod.entries, .links] {
            let place = folder("backup \(method)")
            try await index.backup(to: place, by: method)
            let backup = try FollowedModel.makeIndex(at: place)
            #expect(try backup.clientState(named: "a") == Self.value)
            try backup.closeVerified()
        }
        try index.closeVerified()
        _ = try TextIndex<PlainNote>.repair(at: folder("index"))
        let repaired = try FollowedModel.makeIndex(at: folder("index"))
        #expect(try repaired.clientState(named: "a") == Self.value)
        try repaired.closeVerified()
        try damageLargestTable(of: folder("index"))
        let report = try TextIndex<PlainNote>.repair(at: folder("index"))
        #expect(!report.damagedFiles.isEmpty || !report.lostIdentifiers.isEmpty)
        let damaged = try FollowedModel.makeIndex(at: folder("index"))
        #expect(try damaged.clientState(named: "a") == nil)
        try damaged.closeVerified()
    }

    private func damageLargestTable(of directory: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "ldb" }
        let tables = try files.map { ($0, try Data(contentsOf: $0)) }
        var (file, data) = try #require(tables.max { $0.1.count < $1.1.count })
        for place in stride(from: 8, to: data.count / 2, by: 64) { data[place] ^= 0x55 }
        try data.write(to: file)
    }

    @Test("A state in the store that is not the one in use is a finding")
    func verification() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        try await index.apply([.mark(ClientState("a", Self.value))])
        await #expect(try index.verify().isClean)
        let name = Array("a".utf8)
        let batch = StoreBatch()
        batch.putClientState(name, [4])
        try index.store.commit(batch, sync: false)
        await #expect(try index.verify().findings.map(\.kind) == [.mismatch])
        batch.put(ClientStates.key(name), [1, 2, 3, 4, 5])
        try index.store.commit(batch, sync: false)
        await #expect(try index.verify().findings.map(\.kind) == [.malformed])
        batch.deleteClientState(name)
        try index.store.commit(batch, sync: false)
        await #expect(try index.verify().findings.map(\.kind) == [.missing])
        batch.putClientState(Array("b".utf8), [1])
        batch.putClientState(name, Array(Self.value))
        try index.store.commit(batch, sync: false)
        await #expect(try index.verify().findings.map(\.kind) == [.mismatch])
        try await index.shutdown()
    }

    @Test("A mark is not stored when an earlier part of its stream was cancelled")
    func cancelledPart() async throws {
        var storedCount = 0
        // The queue says nothing of its order: each operation of the stream is cancelled once.
        for place in 0..<7 {
            let folder = try TemporaryFolder("state")
            let index = try FollowedModel.makeIndex(at: folder("index"))
            try await index.indexObjects((0..<20_000).map { PlainNote("\($0)", "duck") })
            // Removals become parts of 4,096; the last part has the mark.
            let changes: [IndexChange<PlainNote>] =
                (0..<20_000).map { .remove(Data("\($0)".utf8)) }
                + [.index(PlainNote("new", "goose")), .mark(ClientState("a", Data([9])))]
            index.indexingQueue.isSuspended = true
            let applying = Task { try await index.apply(changes) }
            while index.indexingQueue.operationCount < 7 { await Task.yield() }
            index.indexingQueue.operations[place].cancel()
            index.indexingQueue.isSuspended = false
            await #expect(throws: (any Error).self) { try await applying.value }
            // What only ends a chunk of removals is no part of the stream; there are two of these.
            if try index.clientState(named: "a") != nil {
                storedCount += 1
                await #expect(try index.identifiers() == [Data("new".utf8)], "operation \(place)")
            }
            try index.closeVerified()
        }
        #expect(storedCount <= 2)
    }

    @Test("Objects that match a query are removed in the order of operations")
    func matchingRemoval() async throws {
        let folder = try TemporaryFolder("state")
        let index = try FollowedModel.makeIndex(at: folder("index"))
        try await index.indexObjects((0..<50).map { PlainNote("old \($0)", "duck") })
        try await index.flush()
        index.indexObject(PlainNote("new", "duck"))
        index.indexObject(PlainNote("other", "goose"))
        let report = try await index.removeObjects(matching: .term("duck"))
        #expect(report.removedCount == 51)
        await #expect(try index.identifiers() == [Data("other".utf8)])
        #expect(try await index.removeObjects(matching: .term("duck")).removedCount == 0)
        #expect(try await index.removeObjects(matching: .everything).removedCount == 1)
        #expect(index.count == 0)
        try index.closeVerified()
    }
}
