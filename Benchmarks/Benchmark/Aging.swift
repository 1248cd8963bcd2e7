import ArgumentParser
import Foundation
import TextSearch

/// What a small set of objects costs after millions of updates: the size of the index, the first
/// search after opening, memory.
struct Aging: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Updates the same objects over and over; preload probe.so to see the heap.")

    @Option(help: "How many objects there are.") var objects = 1_000
    @Option(help: "How many updates, of all objects in turn.") var updates = 2_000_000
    @Option(help: "How many updates are given at once.") var batch = 100
    @Option(help: "How often figures are taken.") var stages = 8
    @Option(help: "Where the index is put.") var store: String

    /// Without it no bytes of the heap are known, and 0 is printed.
    private var probe: Probe? { Probe() }

    func validate() throws {
        guard 1...1_000_000 ~= objects, 1...1_000 ~= stages, updates >= stages, batch > 0
        else {
            throw ValidationError(
                "1 to 1,000,000 objects, 1 to 1,000 stages, an update in each and in a batch.")
        }
    }

    func run() async throws {
        let directory = URL(fileURLWithPath: store)
        try? TextIndex<Entry>.destroy(at: directory)
        defer { try? TextIndex<Entry>.destroy(at: directory) }
        var version = 0
        for stage in 0...stages {
            let index = try Entry.openIndex(at: directory)
            let target = stage * (updates / stages)
            let start = ContinuousClock.now
            if stage == 0 { try await index.indexObjects((0..<objects).map(entry)) }
            while version < target {
                let count = min(batch, target - version)
                try await index.indexObjects((version..<version + count).map(entry))
                version += count
            }
            let time = seconds(ContinuousClock.now - start)
            await index.waitForMaintenance()
            let heap = probe?.heapBytes ?? 0
            try index.close()
            try report(directory, stage: stage, updates: version, time, heap)
        }
    }

    /// Another text for every version of an object, of words that come again and one that does not.
    private func entry(_ version: Int) -> Entry {
        Entry(
            id: "object-\(version % objects)", title: "Object \(version % objects)",
            body: "alpha beta word\(version % 997) version\(version)")
    }

    private func report(
        _ directory: URL, stage: Int, updates: Int, _ time: Double, _ heap: Int
    ) throws {
        let closed = probe?.heapBytes ?? 0
        let index = try Entry.openIndex(at: directory)
        let (first, found) = try seconds { try index.search("alpha", limit: 10).totalCount.value }
        guard found == objects else { throw CocoaError(.coderInvalidValue) }
        index.waitForMaintenance()
        try index.close()
        try Figures.report(
            "aging",
            [
                "updates": updates, "objects": objects, "bytes": fileBytes(directory),
                "updates_per_second": Int(Double(self.updates / stages) / max(time, 1e-9)),
                "first_ms": Figures.rounded(first * 1e3), "heap_open": heap,
                "heap_closed": closed,
            ])
    }
}
