import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Work on the threads that all indexes share", .timeLimit(.minutes(10)))
struct LaneTests {
    @Test("A lane never runs more at once than it has threads, and runs all")
    func bound() {
        let lane = Lane("test", 3)
        let running = Shared((now: 0, most: 0))
        let done = DispatchGroup()
        for _ in 0..<2000 {
            done.enter()
            lane.run {
                running.change {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                sched_yield()
                running.change { $0.now -= 1 }
                done.leave()
            }
        }
        done.wait()
        #expect(running.current.now == 0)
        #expect(1...3 ~= running.current.most)
    }

    @Test("Pieces of serial work run one at a time, each once, those of a kind in their order")
    func serial() {
        let work = SerialWork()
        let seen = Shared((now: 0, isShared: false, order: [String: [Int]]()))
        let run: @Sendable (String, Int) -> Void = { kind, number in
            seen.change {
                $0.isShared = $0.isShared || $0.now > 0
                $0.now += 1
            }
            sched_yield()
            seen.change {
                $0.now -= 1
                $0.order[kind, default: []].append(number)
            }
        }
        let done = DispatchGroup()
        for thread in 0..<4 {
            done.enter()
            Thread.detachNewThread {
                var random = SeededGenerator(seed: UInt64(thread))
                for number in 0..<200 {
                    switch random.int(0...3) {
                    case 0: work.async(for: .flush) { run("flush \(thread)", number) }
                    case 1: work.async { run("upkeep \(thread)", number) }
                    case 2: work.sync { run("sync \(thread)", number) }
                    default:
                        work.whenDone {
                            seen.change { $0.order["notice \(thread)", default: []].append(number) }
                        }
                    }
                }
                done.leave()
            }
        }
        done.wait()
        work.sync {}
        let result = seen.current
        #expect(!result.isShared && result.now == 0)
        #expect(result.order.values.reduce(0) { $0 + $1.count } == 800)
        for (kind, numbers) in result.order { #expect(numbers == numbers.sorted(), "\(kind)") }
    }

    @Test(
        "Neither a flush nor a thread that waits for its turn waits for the merges of other indexes"
    )
    func flushBesideMerges() {
        let gate = DispatchSemaphore(value: 0)
        let hasBegun = DispatchSemaphore(value: 0)
        let others = (0..<2).map { _ in SerialWork() }
        for other in others {
            other.async {
                hasBegun.signal()
                gate.wait()
            }
        }
        for _ in others { hasBegun.wait() }
        // No thread is left for this.
        let work = SerialWork()
        let order = Shared<[String]>([])
        work.async { order.change { $0.append("merge") } }
        let isFlushed = DispatchSemaphore(value: 0)
        work.async(for: .flush) {
            order.change { $0.append("flush") }
            isFlushed.signal()
        }
        isFlushed.wait()
        work.sync { order.change { $0.append("closing") } }
        #expect(order.current == ["flush", "merge", "closing"])
        for _ in others { gate.signal() }
        for other in others { other.sync {} }
    }

    @Test("Indexes that are closed in any order while others flush, merge and compact are right")
    func closingInAnyOrder() async throws {
        let folder = try TemporaryFolder("closing")
        let count = 8
        var configuration = TextIndexConfiguration()
        configuration.bufferSize = 1 << 16
        configuration.writeBufferSize = 1 << 16
        let indexes = try (0..<count).map {
            try openNotes(at: folder("\($0)"), configuration)
        }
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                let index = indexes[number * 3 % count]
                group.addTask {
                    for version in 1...3 {
                        for id in 0..<60 { index.indexObject(WorkNote(id: id, version: version)) }
                        try await index.flush()
                    }
                    if number.isMultiple(of: 3) { try await index.optimize() }
                    for id in 0..<60 { index.indexObject(WorkNote(id: id, version: 4)) }
                    // Twice at once.
                    async let first: Void = index.shutdown()
                    try await index.shutdown()
                    try await first
                }
            }
            try await group.waitForAll()
        }
        let right = Dictionary(uniqueKeysWithValues: (0..<60).map { ($0, 4) })
        for number in 0..<count {
            let again = try openNotes(at: folder("\(number)"), configuration)
            #expect(try consistentNotes(again) == right)
            await #expect(try again.verify().findings.isEmpty)
            try await again.shutdown()
        }
    }
}
