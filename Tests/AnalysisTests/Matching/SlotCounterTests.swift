import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Sums of slots")
struct SlotCounterTests {
    @Test(
        "The sums of slots equal those of a dictionary, in place or not", arguments: testSeeds(40))
    func sums(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let width = generator.int(1...3)
        let documentCount = generator.int(1...3000)
        var counter = SlotCounter(slotCount: documentCount * width, width: width)
        var expected: [UInt32: UInt32] = [:]
        for _ in 0..<generator.int(0...12) {
            let string = generator.int(0...(width - 1))
            let documents = Set(
                (0..<generator.int(1...300)).map { _ in
                    UInt32(generator.int(0...(documentCount - 1)))
                }
            ).sorted()
            let added = documents.map { _ in UInt32(generator.int(0...4)) }
            let slots = documents.map { $0 * UInt32(width) + UInt32(string) }
            if counter.isInPlace, generator.once(in: 2) {
                let isAdded = documents.withUnsafeBufferPointer { documents in
                    added.withUnsafeBufferPointer {
                        counter.add($0, to: documents, string: string)
                    }
                }
                #expect(isAdded, "seed \(seed)")
            } else {
                for (document, count) in zip(documents, added) where count > 0 {
                    counter.add(document, string: UInt32(string), count)
                }
            }
            for (slot, count) in zip(slots, added) where count > 0 {
                expected[slot, default: 0] += count
            }
        }
        for _ in 0..<2 {
            let sums = counter.sums().withElements { Array($0) }
            #expect(sums.map(\.slot) == expected.keys.sorted(), "seed \(seed)")
            #expect(sums.allSatisfy { expected[$0.slot] == $0.count }, "seed \(seed)")
        }
    }

    @Test("What the slots have no room for is not added")
    func bounds() {
        var counter = SlotCounter(slotCount: 200, width: 2)
        for slot in (0..<100).reversed() {
            counter.add(UInt32(slot / 2), string: UInt32(slot % 2), 1)
        }
        let isInPlace = counter.isInPlace
        #expect(isInPlace)
        func add(_ documents: [UInt32], _ added: [UInt32], string: Int) -> Bool {
            documents.withUnsafeBufferPointer { documents in
                added.withUnsafeBufferPointer {
                    counter.add($0, to: documents, string: string)
                }
            }
        }
        #expect(!add([5, 100], [1, 1], string: 0))
        #expect(!add([5, .max], [1, 1], string: 1))
        #expect(!add([5, 6], [1, 1], string: 2))
        #expect(!add([5, 6], [1], string: 0))
        #expect(!add([], [], string: 0))
        let counts = counter.sums().withElements { $0.map(\.count) }
        #expect(counts == [UInt32](repeating: 1, count: 100))
        #expect(add([5, 99], [1, 1], string: 1))
        let last = counter.sums().withElements { $0.last?.slot }
        #expect(last == 199)
    }
}
