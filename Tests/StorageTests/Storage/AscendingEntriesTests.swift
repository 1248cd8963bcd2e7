import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Entries by keys that ascend")
struct AscendingEntriesTests {
    private func key(_ number: Int) -> Buffer<UInt8> {
        var key = Buffer<UInt8>()
        Key.part(.vocabulary, segment: UInt32(1 + number / 100), part: UInt32(number), into: &key)
        return key
    }

    /// The values of some keys, as one reader gives them.
    private func values(of keys: [Int], _ store: IndexStore) throws -> [[UInt8]?] {
        let entries = AscendingEntries(store, .vocabulary, fillCache: false)
        return try keys.map { try entries.withValue(key($0)) { Array($0) } }
    }

    @Test(
        "Ascending entries are those of single look-ups, present or not, near or far apart",
        arguments: testSeeds(20))
    func oracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("ascending")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        defer { try? store.close() }
        let rarity = generator.int(1...4)
        var present: [Int: [UInt8]] = [:]
        let batch = StoreBatch()
        for number in 0..<400 where generator.once(in: rarity) {
            let value = [UInt8](repeating: UInt8(number & 255), count: generator.int(0...300))
            present[number] = value
            value.withUnsafeBytes { batch.put(key(number), $0) }
        }
        try store.commit(batch, sync: false)
        if generator.once(in: 2) { try store.compact() }
        if generator.once(in: 2) {
            var sweeper = Sweeper(store: store)
            try sweeper.deleteSegment(2) { false }
            for number in 100..<200 { present[number] = nil }
        }
        for step in [1, 2, 7, 100] {
            let keys = (0..<420).filter { _ in generator.once(in: step) }
            #expect(try values(of: keys, store) == keys.map { present[$0] }, "seed \(seed)")
            let those = keys.filter { present[$0] != nil }
            #expect(try values(of: those, store) == those.map { present[$0] }, "seed \(seed)")
        }
    }

    @Test("What the caller throws comes out, and the next key is found")
    func throwing() throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder("ascending")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        defer { try? store.close() }
        let batch = StoreBatch()
        for number in 0..<3 {
            [UInt8(number)].withUnsafeBytes { batch.put(key(number), $0) }
        }
        try store.commit(batch, sync: false)
        let entries = AscendingEntries(store, .vocabulary)
        #expect(throws: Stop.self) { try entries.withValue(key(0)) { _ in throw Stop() } as Void? }
        #expect(try entries.withValue(key(1)) { $0.first } == 1)
        #expect(try entries.withValue(key(2)) { $0.first } == 2)
        #expect(try entries.withValue(key(3)) { $0.first } == nil)
    }

    @Test("The next key after damage is found", arguments: testSeeds(6))
    func damage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("ascending")
        // Digits of numbers that LevelDB cannot make shorter: some entries a block.
        let values = (0..<300).map { _ in
            (0..<generator.int(1...3000)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        try {
            let store = try IndexStore(at: folder("index"), configuration: .init())
            let batch = StoreBatch()
            for (number, value) in values.enumerated() {
                value.withUnsafeBytes { batch.put(key(number), $0) }
            }
            try store.commit(batch, sync: false)
            try store.compact()
            try store.close()
        }()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder("index").path)
        for file in files where file.hasSuffix(".ldb") {
            let url = folder("index").appendingPathComponent(file)
            var bytes = try Data(contentsOf: url)
            // Far from the end, where the block index is.
            bytes[generator.int(0...(bytes.count / 2))] ^= 1
            try bytes.write(to: url)
        }
        let store = try IndexStore(at: folder("index"), configuration: .init())
        defer { try? store.close() }
        let entries = AscendingEntries(store, .vocabulary)
        var failures = 0
        for (number, value) in values.enumerated() {
            do {
                #expect(try entries.withValue(key(number)) { Array($0) } == value, "seed \(seed)")
            } catch {
                #expect(error is TextIndexError, "seed \(seed)")
                failures += 1
            }
        }
        #expect((1...20).contains(failures), "seed \(seed)")
    }
}
