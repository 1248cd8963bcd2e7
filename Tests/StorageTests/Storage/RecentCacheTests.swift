import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What was used of late")
struct RecentCacheTests {
    private final class Value: Sendable {
        let key: Int
        let byteCount: Int

        init(_ key: Int, _ byteCount: Int) {
            self.key = key
            self.byteCount = byteCount
        }
    }

    private struct Known {
        weak var value: Value?
    }

    /// What the cache adds to each entry for itself.
    private let overhead = 64

    @Test(
        "A cache gives what was put in, never exceeds its bound, and keeps what is in use",
        arguments: testSeeds(10))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bound = [0, 100, 1000, 10_000, 100_000][generator.int(0...4)]
        let cache = RecentCache<Int, Value>(byteCount: bound)
        var known: [Known] = []
        // The bytes of all that was put in or used since a key was used last.
        var bytesSince: [Int: Int] = [:]
        var hits = 0
        for _ in 0..<3000 {
            let key = generator.int(0...60)
            if let value = cache.value(for: key) {
                hits += 1
                #expect(value.key == key, "seed \(seed)")
                for other in bytesSince.keys {
                    bytesSince[other, default: 0] += value.byteCount + overhead
                }
                bytesSince[key] = 0
            } else {
                if let bytes = bytesSince[key] {
                    #expect(bytes > bound / 4, "seed \(seed): \(key) went after \(bytes) bytes")
                }
                let byteCount = generator.int(0...(bound / 6 + 1))
                cache.insert(Value(key, byteCount), for: key, byteCount: byteCount)
                for other in bytesSince.keys {
                    bytesSince[other, default: 0] += byteCount + overhead
                }
                bytesSince[key] = nil
                if let value = cache.value(for: key) {
                    known.append(Known(value: value))
                    bytesSince[key] = 0
                    #expect(byteCount + overhead <= bound / 8, "seed \(seed): one fills it")
                } else {
                    #expect(byteCount + overhead > bound / 8, "seed \(seed): it has room")
                }
            }
            let held = known.compactMap(\.value).reduce(0) { $0 + $1.byteCount + overhead }
            #expect(held <= bound, "seed \(seed): \(held) of \(bound)")
        }
        #expect(hits > 0 || bound < 10_000, "seed \(seed)")
    }

    @Test("What is used all the time is never dropped, whatever comes besides")
    func inUse() {
        let cache = RecentCache<Int, Int>(byteCount: 4096)
        cache.insert(7, for: -1, byteCount: 10)
        for key in 0..<10_000 {
            cache.insert(key, for: key, byteCount: 10)
            #expect(cache.value(for: -1) == 7)
        }
        #expect(cache.value(for: 0) == nil)
    }

    @Test("An added value drops no more than takes its room", arguments: testSeeds(4))
    func oneByOne(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let cache = RecentCache<Int, Value>(byteCount: 64_000)
        var known: [Known] = []
        for round in 0..<5000 {
            let byteCount = generator.int(0...40)
            let value = Value(round, byteCount)
            known.append(Known(value: value))
            let before = known.count
            cache.insert(value, for: round, byteCount: byteCount)
            known.removeAll { $0.value == nil }
            // Of 64 to 104 bytes each.
            #expect(before - known.count <= 2, "seed \(seed): \(before) became \(known.count)")
            _ = cache.value(for: round - generator.int(0...900))
        }
        #expect(known.count > 500, "seed \(seed)")
    }

    @Test(
        "A value that is put in again takes the place of the one before, and its room",
        arguments: testSeeds(4))
    func again(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let cache = RecentCache<Int, Value>(byteCount: 4000)
        var known: [Known] = []
        for round in 0..<2000 {
            let byteCount = generator.int(0...400)
            let value = Value(round, byteCount)
            known.append(Known(value: value))
            let key = generator.int(0...3)
            cache.insert(value, for: key, byteCount: byteCount)
            #expect(cache.value(for: key)?.key == round, "seed \(seed)")
            known.removeAll { $0.value == nil }
            // What was there before is gone.
            #expect(known.count <= 4, "seed \(seed): \(known.count) are held")
        }
    }

    @Test("A bound of nothing keeps nothing, and no bound below it is a trap")
    func nothing() {
        for bound in [0, -1, Int.min, 1, 127] {
            let cache = RecentCache<Int, Int>(byteCount: bound)
            cache.insert(1, for: 1, byteCount: 0)
            #expect(cache.value(for: 1) == nil)
        }
        let cache = RecentCache<Int, Int>(byteCount: .max)
        cache.insert(1, for: 1, byteCount: 1 << 40)
        #expect(cache.value(for: 1) == 1)
    }

    @Test("Threads get what belongs to their keys")
    func threads() async {
        let cache = RecentCache<Int, Value>(byteCount: 8192)
        let wrong = Shared(0)
        await onThreads(6) { thread in
            var generator = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<3000 {
                let key = generator.int(0...200)
                if let value = cache.value(for: key) {
                    if value.key != key { wrong.change { $0 += 1 } }
                } else {
                    cache.insert(Value(key, 20), for: key, byteCount: 20)
                }
            }
        }
        #expect(wrong.current == 0)
    }

    @Test("An index without a cache finds what one with a cache finds", arguments: testSeeds(2))
    func indexWithout(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let indexes = try [0, 16 << 20, 4096].map { size in
            try PlainNoteIndex { $0.cacheSize = size }
        }
        for round in 0..<3 {
            let notes = (0..<80).map { id in
                let words = (0..<generator.int(1...8)).map { _ in "w\(generator.int(0...20))" }
                return PlainNote(
                    "\(id + round * 40)", words.joined(separator: " "), weight: Double(id % 5))
            }
            for index in indexes { try index.add(notes) }
            if round != 1 { for index in indexes { try index.index.flush() } }
            for _ in 0..<20 {
                let text = "w\(generator.int(0...20)) w\(generator.int(0...20))"
                let found = try indexes.map { try $0.index.search(text, limit: 12) }
                for results in found {
                    #expect(results.map(\.id) == found[1].map(\.id), "seed \(seed): \(text)")
                    #expect(results.map(\.score) == found[1].map(\.score), "seed \(seed): \(text)")
                    #expect(
                        results.map(\.resultTokens) == found[1].map(\.resultTokens),
                        "seed \(seed): \(text)")
                }
            }
        }
    }
}
