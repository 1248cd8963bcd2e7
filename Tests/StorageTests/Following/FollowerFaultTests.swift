import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

/// Disks that fail while an index follows, and followers that do it wrong: the tests must find
/// these.
@Suite("Following over failing disks", .timeLimit(.minutes(30)))
struct FollowerFaultTests {
    private static let failures: [Fault.Action] = [
        .fail(errno: EIO), .fail(errno: ENOSPC), .shortWrite(errno: ENOSPC),
    ]

    private func makeFollower(
        _ index: TextIndex<PlainNote>, _ source: MemorySource
    ) throws -> IndexFollower<MemorySource> {
        var options = FollowerOptions.quiet(slice: 7)
        options.releaseInterval = 10
        return try IndexFollower(index, following: source, options: options)
    }

    private func commit(_ source: MemorySource, _ generator: inout SeededGenerator, _ count: Int) {
        source.commit(
            (0..<count).map { _ in
                let id = "\(generator.int(0...60))"
                return (id, generator.once(in: 4) ? nil : FollowedModel.note(id, &generator))
            })
    }

    @Test(
        "Whatever write fails, no state is stored without its changes, and the next call goes on",
        arguments: 0..<3, testSeeds(6))
    func failingWrites(kind: Int, seed: UInt64) async throws {
        let followed = try Followed(seed: seed, tinyBuffers())
        let (folder, source) = (followed.folder, followed.source)
        var generator = SeededGenerator(seed: seed)
        var index = followed.index
        var follower = try makeFollower(index, source)
        var failureCount = 0
        for step in 0..<25 {
            commit(source, &generator, generator.int(1...40))
            let operation: Fault.Operation =
                kind == 2 ? .append : generator.element([.append, .create, .sync])
            let fault = Fault(
                operation, at: folder.url.path, Self.failures[kind],
                skip: UInt64(generator.int(0...6)))
            let number = fault.arm()
            do { try await follower.catchUp() } catch { failureCount += 1 }
            Fault.disarm(number)
            if generator.once(in: 3) {
                // What is stored now is what the next process finds.
                try? await index.shutdown()
                index = try FollowedModel.makeIndex(at: folder("index"), tinyBuffers())
                follower = try makeFollower(index, source)
            }
            try await follower.catchUp()
            let found = try FollowedModel(notes: source.notes).differences(from: index)
            #expect(found == [], "seed \(seed), step \(step)")
        }
        #expect(failureCount > 0)
        try index.closeVerified()
    }

    /// What a follower could do wrong.
    enum Mistake: CaseIterable, Sendable {
        /// The state goes before its changes, in a commit of its own.
        case markFirst
        /// Positions are compared by their numbers alone.
        case noNonce
        /// What the database has not any more stays.
        case noSweep
    }

    @Test("A follower that does it wrong is found out", arguments: Mistake.allCases)
    func negativeControls(mistake: Mistake) async throws {
        let followed = try Followed()
        let (index, source) = (followed.index, followed.source)
        var generator = SeededGenerator(seed: 3)
        let follower = try makeFollower(index, source)
        commit(source, &generator, 40)
        try await follower.catchUp()
        var state = try #require(try follower.storedState())
        let copy = source.contents
        source.put(PlainNote("lost", "duck"), PlainNote("0", "duck", "goose"))
        let indexed = source.notes.filter { FollowedModel.isIndexed($0.value) }.keys.sorted()
        source.delete(indexed[3], indexed[4])
        switch mistake {
        case .markFirst:
            // As if it was killed between the two.
            state.position = try source.currentPosition()
        case .noNonce:
            try await follower.catchUp()
            source.contents = copy
            source.put(PlainNote("3", "river"), PlainNote("4", "river"))
            source.put(PlainNote("5", "river"), PlainNote("6", "river"))
            state.position = try source.currentPosition()
        case .noSweep:
            source.expire(keeping: 1)
            let objects = source.notes.values.map { IndexChange.index($0) }
            try await index.apply(objects)
            state.position = try source.currentPosition()
        }
        try await index.apply([.mark(ClientState(follower.stateName, state.encoded()))])
        try await follower.catchUp()
        #expect(try !FollowedModel(notes: source.notes).differences(from: index).isEmpty)
        #expect(try await !follower.repairDrift().isEmpty)
        #expect(try FollowedModel(notes: source.notes).differences(from: index).isEmpty)
        try index.closeVerified()
    }
}
