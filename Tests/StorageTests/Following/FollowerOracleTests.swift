import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Random transactions, losses, stops and restarts against the notes themselves.
@Suite("Following against plain arrays", .timeLimit(.minutes(30)))
struct FollowerOracleTests {
    private struct Stopped: Error {}

    /// A database, the index that follows it, and what happens to both.
    private final class Subject {
        let seed: UInt64
        let folder: TemporaryFolder
        let source: MemorySource
        var generator: SeededGenerator
        var index: TextIndex<PlainNote>
        var follower: IndexFollower<MemorySource>
        private let configuration: TextIndexConfiguration
        private var options = FollowerOptions()
        private var copy: MemorySource.Contents

        init(seed: UInt64) throws {
            self.seed = seed
            folder = try TemporaryFolder("follower-oracle")
            source = MemorySource(seed: seed)
            generator = SeededGenerator(seed: seed)
            var configuration = TextIndexConfiguration()
            configuration.bufferSize = generator.element([1, 1 << 12, 1 << 20])
            generator.drawStorage(of: &configuration)
            self.configuration = configuration
            options.polling = nil
            options.slice.count = generator.element([1, 7, 50, 4_000])
            options.releaseInterval = generator.element([1, 20, 1_000])
            copy = source.contents
            index = try FollowedModel.makeIndex(at: folder("index"), configuration)
            follower = try IndexFollower(index, following: source, options: options)
        }

        func reopen() throws {
            try index.closeVerified()
            index = try FollowedModel.makeIndex(at: folder("index"), configuration)
            follower = try IndexFollower(index, following: source, options: options)
        }

        func transaction() {
            let count = generator.once(in: 15) ? 300 : generator.int(1...8)
            source.commit(
                (0..<count).map { _ in
                    let id = "\(generator.int(0...150))"
                    return (id, generator.once(in: 4) ? nil : FollowedModel.note(id, &generator))
                })
        }

        /// What happens to the database, and to the index behind the follower's back.
        func event() async throws {
            switch generator.int(0...19) {
            case 0: source.expire(keeping: generator.int(1...5))
            case 1: copy = source.contents
            case 2: source.contents = copy
            case 3: source.contents.store += "'"
            case 4: source.commit(source.notes.keys.sorted().map { ($0, nil) })
            case 5: try await index.removeAll()
            case 6: try await index.flush()
            case 7: try await index.optimize()
            case 8: try reopen()
            case 9:
                options.version += 1
                follower = try IndexFollower(index, following: source, options: options)
            case 10: try await follower.reset()
            default: transaction()
            }
        }

        /// Catches up while others write, and may be cut short.
        func catchUp() async throws {
            let isCut = generator.once(in: 3)
            let last = source.readCount + generator.int(1...6)
            let pending = (0..<generator.int(0...3)).map { _ in
                let id = "\(generator.int(0...150))"
                return (id, FollowedModel.note(id, &generator))
            }
            source.beforeRead { [source] count in
                if count == last {
                    source.commit(pending.map { ($0.0, $0.1) })
                    if isCut { throw Stopped() }
                }
            }
            do { try await follower.catchUp() } catch is Stopped {}
            source.beforeRead(nil)
        }

        func check(_ step: Int) async throws {
            try await follower.catchUp()
            let differences = try FollowedModel(notes: source.notes).differences(from: index)
            #expect(differences == [], "seed \(seed), step \(step)")
        }
    }

    @Test(
        "An index is at every moment what its database is, once it has caught up",
        arguments: testSeeds(12))
    func random(seed: UInt64) async throws {
        let subject = try Subject(seed: seed)
        for step in 0..<60 {
            for _ in 0..<subject.generator.int(1...4) { try await subject.event() }
            try await subject.catchUp()
            if step % 3 == 0 { try await subject.check(step) }
            if step % 20 == 19 {
                let drift = try await subject.follower.drift()
                #expect(drift.isEmpty, "seed \(seed), step \(step): \(drift)")
            }
        }
        try await subject.check(60)
        try await subject.index.flush()
        try await subject.check(61)
        try subject.reopen()
        try await subject.check(62)
        try subject.index.closeVerified()
    }
}
