import CUnicode
import Testing

@testable import TextSearch

/// What reading the tables takes for granted: whatever a number of one points at is there.
@Suite("Analysis: tables of Unicode")
struct UnicodeTableTests {
    private static func array(_ table: CUnicodeTable8) -> [UInt8] {
        Array(UnsafeBufferPointer(start: table.numbers, count: table.count))
    }

    private static func array(_ table: CUnicodeTable16) -> [UInt16] {
        Array(UnsafeBufferPointer(start: table.numbers, count: table.count))
    }

    private static func array(_ table: CUnicodeTable32) -> [UInt32] {
        Array(UnsafeBufferPointer(start: table.numbers, count: table.count))
    }

    @Test("Each block of 128 scalars is there")
    func blocks() {
        let tries = [
            (cunicode_property_blocks(), cunicode_property_values().count),
            (cunicode_fold_blocks(), cunicode_fold_values().count),
            (cunicode_step_blocks(), cunicode_step_values().count),
        ]
        for (blocks, valueCount) in tries {
            let blocks = Self.array(blocks)
            #expect(blocks.count == 0x110000 / 128)
            #expect(valueCount % 128 == 0)
            #expect(Set(blocks).count == valueCount / 128, "every block is used")
            #expect(blocks.allSatisfy { (Int($0) + 1) * 128 <= valueCount })
        }
    }

    @Test("Each scalar's record is there, and of known classes")
    func records() {
        let records = Self.array(cunicode_property_records())
        #expect(records.count > 4 && records.count % 4 == 0)
        #expect(
            Self.array(cunicode_property_values()).allSatisfy { Int($0) < records.count / 4 })
        for start in stride(from: 0, to: records.count, by: 4) {
            #expect(WordBreakClass(rawValue: records[start]) != nil, "record \(start / 4)")
            #expect(GraphemeBreakClass(rawValue: records[start + 1]) != nil, "record \(start / 4)")
        }
    }

    @Test("Each fold lies within its pool and gives scalars")
    func folds() {
        let pool = Self.array(cunicode_fold_pool())
        #expect(pool.first == 0, "the fold of a scalar that folds to itself")
        let places = Set(Self.array(cunicode_fold_values())).map(Int.init)
        #expect(places.count > 1000)
        for place in places where place > 0 {
            #expect(place < pool.count && Int(pool[place]) < pool.count - place, "place \(place)")
            for scalar in UnicodeTables.shared.fold(at: place) {
                #expect(Unicode.Scalar(scalar) != nil, "place \(place)")
            }
        }
    }

    @Test("Each step lies within its pool")
    func steps() {
        let pool = Self.array(cunicode_step_pool())
        let places = Set(Self.array(cunicode_step_values())).map(Int.init)
        #expect(places.count > 1000)
        for place in places where place > 0 {
            #expect(place < pool.count && Int(pool[place] & 0xff) < pool.count - place)
        }
    }

    @Test("What is searched by halves is sorted")
    func sorted() {
        for table in [cunicode_compositions(), cunicode_all_compositions()] {
            let numbers = Self.array(table)
            #expect(numbers.count > 3 && numbers.count % 3 == 0)
            let pairs = stride(from: 0, to: numbers.count, by: 3).map {
                (numbers[$0], numbers[$0 + 1])
            }
            #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0 < $1 })
        }
        let numbers = Self.array(cunicode_lower_case())
        #expect(numbers.count > 2 && numbers.count % 2 == 0)
        let capitals = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
        #expect(zip(capitals, capitals.dropFirst()).allSatisfy { $0 < $1 })
    }
}
