import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Snapshots")
struct SnapshotTests {
    @Test("Dead documents that no segment holds do not count", arguments: Stage.allCases)
    func count(stage: Stage) throws {
        let notes = try PlainNoteIndex((0..<9).map { PlainNote("\($0)", "duck") })
        try notes.enter(stage)
        for id in 0..<2 {
            notes.index.removeIndex(forIdentifier: Data("\(id)".utf8)).waitUntilFinished()
        }
        let seen = notes.index.writer.snapshot
        var dead = seen.dead
        dead.insert([5_000, 70_000])
        let snapshot = Snapshot(
            flushed: seen.flushed, memory: seen.memory, dead: dead, analyzer: seen.analyzer,
            analyzerNumber: seen.analyzerNumber, generation: seen.generation, epoch: Epoch())
        var living = 0
        snapshot.forEachDocument { _ in
            living += 1
            return true
        }
        #expect(living == 7)
        #expect(snapshot.count == 7)
        #expect(seen.count == 7 && notes.index.count == 7)
    }
}
