import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Sets of byte strings")
struct ByteSetTests {
    private func word(_ generator: inout SeededGenerator, letters: ClosedRange<Int>) -> [UInt8] {
        // Around the length from which words share their places, too.
        let length = generator.int(generator.once(in: 4) ? 60...70 : 0...4)
        return (0..<length).map { _ in UInt8(generator.int(letters)) }
    }

    private func contains(_ set: ByteSet, _ word: [UInt8]) -> Bool {
        word.withUnsafeBufferPointer { set.contains($0) }
    }

    @Test("A set holds the strings it was made of, and no others", arguments: testSeeds(20))
    func membership(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = generator.once(in: 2) ? 0x61...0x62 : 0...0xFF
        let count = generator.int(0...200)
        let members = (0..<count).map { _ in word(&generator, letters: letters) }
        let set = ByteSet(members)
        for member in members { #expect(contains(set, member) == !member.isEmpty) }
        let model = Set(members).subtracting([[]])
        #expect(set.members.isEmpty == model.isEmpty)
        for _ in 0..<1000 {
            let word = word(&generator, letters: letters)
            #expect(contains(set, word) == model.contains(word), "seed \(seed): \(word)")
        }
        let others = (0..<20).map { _ in word(&generator, letters: letters) }
        #expect(ByteSet(union: [set, ByteSet(others)]) == ByteSet(others + members))
        let addsNothing = model.isSuperset(of: Set(others).subtracting([[]]))
        #expect((ByteSet(members + others) == set) == addsNothing, "seed \(seed)")
    }
}
