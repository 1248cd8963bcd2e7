import Foundation
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Power cuts after any operation on files that an index makes, in every way that file systems
/// know.
@Suite("Power cuts", .timeLimit(.minutes(30)))
struct PowerCutTests {
    private struct History {
        struct Change {
            /// Operations of the disk before it was submitted and when it had finished.
            var begin: UInt64
            var end: UInt64
        }

        let disk = SimulatedDisk()
        var changes: [Change] = []
        /// The version of each note after so many changes.
        var states: [[Int: Int]] = [[:]]
    }

    /// Places of cuts in each history; there are sixteen kinds of cut.
    private static let cutCount = 16
    private static let seeds =
        (0..<Scale.repetitions(Scale.images.map { $0 / 2 }, of: 16 * cutCount * 4))
        .flatMap { [Scale.seed(2 * $0), Scale.seed(2 * $0 + 1)] }

    private func configuration(_ durability: Durability) -> TextIndexConfiguration {
        var configuration = tinyBuffers()
        configuration.durability = durability
        return configuration
    }

    /// Indexes, replaces and removes notes one after another, with flushes, merges and a reopening.
    private func work(
        at directory: URL, _ history: inout History, _ durability: Durability,
        _ generator: inout SeededGenerator
    ) throws {
        try history.disk.mounted(at: directory.path) {
            for life in 0..<2 {
                let index = try openNotes(at: directory, configuration(durability))
                for step in 1...40 {
                    let id = Int.random(in: 0..<12, using: &generator)
                    let version = history.states.count
                    let isRemoval = Int.random(in: 0..<5, using: &generator) == 0
                    let begin = history.disk.operationCount
                    let operation =
                        isRemoval
                        ? index.removeIndex(forIdentifier: WorkNote.identifier(id))
                        : index.indexObject(WorkNote(id: id, version: version))
                    operation.waitUntilFinished()
                    #expect(operation.error == nil)
                    var state = history.states[history.states.count - 1]
                    state[id] = isRemoval ? nil : version
                    history.states.append(state)
                    history.changes.append(
                        History.Change(begin: begin, end: history.disk.operationCount))
                    if step % 15 == 0 { try index.flush() }
                    if step % 35 == 0, life == 0 { try index.optimize() }
                }
                try index.closeVerified()
            }
        }
    }

    @Test(
        "An index opens after a power cut with the state after some operations, with .power after all that finished",
        arguments: [Durability.process, .power], seeds)
    func anyTime(durability: Durability, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("power")
        let directory = folder("index")
        var history = History()
        var images = 0
        var refused = 0
        try work(at: directory, &history, durability, &generator)
        let total = history.disk.operationCount
        let places = (0..<Self.cutCount).map { _ in
            UInt64.random(in: 0...total, using: &generator)
        }
        for place in places.sorted() {
            let least =
                durability == .power
                ? history.changes.lastIndex { $0.end <= place }.map { $0 + 1 } ?? 0 : 0
            let most = history.changes.lastIndex { $0.begin < place }.map { $0 + 1 } ?? 0
            let allowed = history.states[least...max(least, most)]
            for cut in SimulatedDisk.Cut.all(after: place, seed: generator.next()) {
                let comment: Comment = "seed \(seed), \(durability), \(cut)"
                images += 1
                try history.disk.image(of: cut).mounted(at: directory.path) {
                    let index: TextIndex<WorkNote>
                    do {
                        index = try openNotes(at: directory, configuration(durability))
                    } catch let error as TextIndexError where cut.isTakenForDamage(error.message) {
                        refused += 1
                        return
                    }
                    let found = try consistentNotes(index, comment)
                    #expect(allowed.contains(found), "\(comment): \(found)")
                    let operation = index.indexObject(WorkNote(id: 50, version: 1))
                    #expect(failure(of: operation) == nil, comment)
                    #expect(try index.item(for: WorkNote.identifier(50)) != nil, comment)
                    try index.closeVerified()
                }
            }
        }
        #expect(refused <= 1, "seed \(seed), \(durability): \(refused) of \(images) refused")
        Scale.report(
            Scale.images, "images", ["images": images, "ofIndexes": images, "refused": refused])
    }
}
