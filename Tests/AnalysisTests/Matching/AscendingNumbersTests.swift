import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Places in ascending numbers")
struct AscendingNumbersTests {
    @Test("The first position of a number is that of a look at each", arguments: testSeeds(20))
    func places(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let numbers = Self.numbers(&generator)
            for _ in 0..<20 {
                let start = generator.int(0...numbers.count)
                // Nothing before the start is looked at.
                let wanted =
                    generator.once(in: 3)
                    ? generator.element([0, 1, .max])
                    : UInt32(
                        clamping: Int(numbers.randomElement(using: &generator) ?? 7)
                            + generator.int(-1...1))
                let place = numbers.withUnsafeBufferPointer {
                    $0.firstPlace(of: wanted, from: start)
                }
                let expected = numbers[start...].firstIndex { $0 >= wanted } ?? numbers.count
                #expect(place == expected, "seed \(seed): \(wanted) from \(start) in \(numbers)")
                let behind = numbers.withUnsafeBufferPointer {
                    $0.firstPlace(from: start) { $0 >= wanted }
                }
                #expect(behind == expected, "seed \(seed): \(wanted) from \(start) in \(numbers)")
            }
        }
    }

    /// None up to more than a block has, close together or far apart, some of them up to the
    /// largest there is.
    private static func numbers(_ generator: inout SeededGenerator) -> [UInt32] {
        let step = generator.element([1, 3, 1000, 1 << 22])
        var next = generator.once(in: 4) ? Int(UInt32.max) - 90 : generator.int(0...step)
        var numbers: [UInt32] = []
        let count = generator.element([0, 1, 15, 16, 17, 40, 128, 700])
        while numbers.count < count, next <= Int(UInt32.max) {
            numbers.append(UInt32(next))
            next += generator.int(1...step)
        }
        return numbers
    }

    @Test("Comparisons without a branch are right")
    func comparisons() {
        let numbers: [UInt32] = [0, 1, 2, 127, 128, 1 << 31 - 1, 1 << 31, .max - 1, .max]
        for number in numbers {
            for other in numbers {
                #expect(number.isLess(than: other) == (number < other ? 1 : 0))
                #expect(number.isEqual(to: other) == (number == other ? 1 : 0))
            }
        }
    }
}
