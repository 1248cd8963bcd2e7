import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Sets and tables against those of the standard library")
struct SetOracleTests {
    /// Numbers in clumps, around the borders of pages.
    private static func numbers(_ count: Int, _ generator: inout SeededGenerator) -> [UInt32] {
        let bases: [UInt32] = [0, 60, 4090, 8190, 65_500, 131_000, 400_000]
        let base = generator.element(bases)
        return (0..<count).map { _ in
            (generator.once(in: 3) ? generator.element(bases) : base) + generator.number(upTo: 8)
        }
    }

    @Test("Tombstones are the numbers of a plain set", arguments: testSeeds(12))
    func tombstones(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var dead = Tombstones()
        var model: Set<UInt32> = []
        var earlier: [(Tombstones, Set<UInt32>)] = []
        for _ in 0..<25 {
            let more = Self.numbers(generator.int(0...40), &generator)
            earlier.append((dead, model))
            dead.insert(more)
            model.formUnion(more)
            #expect(dead.count == model.count, "seed \(seed)")
            for number in Self.numbers(40, &generator) {
                #expect(dead.contains(number) == model.contains(number), "seed \(seed)")
            }
            for number in Self.numbers(40, &generator) {
                let bits = dead.bits(from: number)
                let isSame = (0..<64).allSatisfy { bit in
                    bits >> UInt64(bit) & 1 == (model.contains(number &+ UInt32(bit)) ? 1 : 0)
                }
                #expect(isSame, "seed \(seed): from \(number)")
            }
            for _ in 0..<10 {
                let bounds = Self.numbers(2, &generator).sorted()
                let range = bounds[0]..<bounds[1]
                let count = model.count { range.contains($0) }
                #expect(dead.count(in: range) == count, "seed \(seed): \(range)")
                // It may say yes where there are none, never no where there are some.
                #expect(count == 0 || dead.intersects(range), "seed \(seed): \(range)")
            }
        }
        // Older values are not touched by what was added to newer ones.
        for (old, model) in earlier {
            #expect(old.count == model.count, "seed \(seed)")
            #expect(old.count(in: 0..<1_000_000) == model.count, "seed \(seed)")
        }
    }

    @Test("Documents of a snapshot are those of plain sets", arguments: testSeeds(12))
    func snapshotDocuments(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let first = UInt32(generator.int(0...1_000))
        let range = first..<first + UInt32(generator.element([50, 2_000, 20_000]))
        var set = SnapshotDocuments(of: range)
        var model: Set<UInt32> = []
        func numbers(_ count: Int) -> [UInt32] {
            (0..<count).map { _ in first + UInt32(generator.int(0...range.count - 1)) }
        }
        for _ in 0..<30 {
            for number in numbers(generator.int(0...60)) {
                set.insert(number)
                model.insert(number)
            }
            var other = SnapshotDocuments(of: range)
            let otherModel = Set(
                numbers(generator.int(0...160))
                    + model.filter { _ in generator.once(in: 2) }.sorted())
            // Some at once, behind others or between them.
            let (one, two) = (otherModel.filter { $0 % 3 == 0 }, otherModel.filter { $0 % 3 > 0 })
            other.insert(contentsOf: one.sorted())
            other.insert(contentsOf: two.sorted())
            switch generator.int(0...4) {
            case 0:
                set.formIntersection(other)
                model.formIntersection(otherModel)
            case 1:
                set.formUnion(other)
                model.formUnion(otherModel)
            case 2:
                set.subtract(other)
                model.subtract(otherModel)
            case 3:
                let dead = numbers(40)
                var tombstones = Tombstones()
                tombstones.insert(dead)
                set.subtract(tombstones)
                model.subtract(dead)
            default: break
            }
            #expect(set.documents == model.sorted(), "seed \(seed)")
            #expect(set.count == model.count && set.isEmpty == model.isEmpty, "seed \(seed)")
            #expect(other.documents == otherModel.sorted(), "seed \(seed)")
            for number in numbers(40) {
                #expect(set.contains(number) == model.contains(number), "seed \(seed)")
            }
            let some = Set(numbers(generator.int(0...300))).sorted()
            var places: [Int] = []
            set.forEachPlace(in: some) { places.append($0) }
            #expect(places == some.indices.filter { model.contains(some[$0]) }, "seed \(seed)")
        }
    }

    @Test("Term tables have the terms of a dictionary", arguments: testSeeds(6))
    func termTable(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let hashes = generator.element([
            HashSeed.process, HashSeed(first: 0, second: 0),
            HashSeed(first: generator.next(), second: generator.next()),
        ])
        var table = TermTable(slotBits: 3, seed: hashes)
        var model: [[UInt8]: UInt32] = [:]
        var order: [[UInt8]] = []
        for _ in 0..<4000 {
            // Few letters and shared heads and tails, so that hashes and lengths come close.
            let length =
                generator.once(in: 4) ? generator.int(1...255) : generator.int(1...10)
            var term = [UInt8](repeating: 0x61, count: length)
            for _ in 0..<generator.int(0...3) {
                term[generator.int(0...(length - 1))] = UInt8(generator.int(0x61...0x64))
            }
            if generator.once(in: 5), let known = order.randomElement(using: &generator) {
                term = known
            }
            let isStop = term.count % 7 == 0
            let scratch = table.scratch()
            for (offset, byte) in term.enumerated() { scratch[offset] = byte }
            let number = table.intern(length: term.count) { bytes in
                #expect(bytes.elementsEqual(term), "seed \(seed)")
                return isStop
            }
            if model[term] == nil {
                model[term] = UInt32(order.count) | (isStop ? TermTable.stopBit : 0)
                order.append(term)
            }
            #expect(number == model[term], "seed \(seed): \(term)")
        }
        #expect(table.count == order.count)
        for (number, term) in order.enumerated() {
            let isSame = table.array(number) == term
            #expect(isSame, "seed \(seed): term \(number)")
        }
        let expected = Array(order.joined(separator: [0])) + [0]
        let isSame = table.bytes.toArray() == expected
        #expect(isSame, "seed \(seed)")
    }

    @Test("Infix scans find the terms that a look at each finds", arguments: testSeeds(20))
    func infixScan(seed: UInt64) {
        struct Place: Equatable {
            var term: Range<Int>
            var offset: Int
        }
        var generator = SeededGenerator(seed: seed)
        let letters = (0..<generator.int(1...4)).map { UInt8(0x61 + $0) }
        for _ in 0..<40 {
            let terms = (0..<generator.int(0...12)).map { _ in
                (0..<generator.int(1...generator.element([3, 20, 60]))).map { _ in
                    generator.element(letters)
                }
            }
            let needle = (0..<generator.int(1...generator.element([2, 6, 24]))).map { _ in
                generator.element(letters)
            }
            // Vocabulary pages begin with a zero byte, arenas do not.
            var bytes: [UInt8] = generator.once(in: 2) ? [0] : []
            var expected: [Place] = []
            for term in terms {
                let range = bytes.count..<(bytes.count + term.count)
                for offset in term.indices where term[offset...].starts(with: needle) {
                    expected.append(Place(term: range, offset: offset))
                }
                bytes += term + [0]
            }
            var found: [Place] = []
            bytes.withExactBytes { raw in
                needle.withUnsafeBufferPointer { needle in
                    InfixScan.forEachMatch(of: needle, in: raw.bindMemory(to: UInt8.self)) {
                        found.append(Place(term: $0, offset: $1))
                    }
                }
            }
            #expect(found == expected, "seed \(seed)")
        }
    }
}
