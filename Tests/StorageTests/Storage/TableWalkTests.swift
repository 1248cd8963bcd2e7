import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Walks over tables")
struct TableWalkTests {
    /// Keys of all tables, and some that are of none.
    private func makeKeys(_ generator: inout SeededGenerator) -> Set<[UInt8]> {
        var keys: Set<[UInt8]> = [Key.identifiersEnd]
        let segments: [UInt32] = [0, 1, 2, 255, 256, 257, 65_536, .max - 1, .max]
        for _ in 0..<generator.int(0...200) {
            let rest = (0..<generator.int(0...4)).map { _ in UInt8(generator.int(0...255)) }
            switch generator.int(0...9) {
            case 0: keys.insert([UInt8(generator.int(0...255))] + rest)
            case 1: keys.insert([Table.segments] + rest)
            case 2...4: keys.insert([generator.element(Table.besideSegments).rawValue] + rest)
            default:
                var key = Buffer<UInt8>()
                Key.segment(
                    generator.element(Table.ofSegments), generator.element(segments), into: &key)
                keys.insert(key.toArray() + rest)
            }
        }
        return keys
    }

    @Test("A walk visits all entries of a table and no others, in order", arguments: testSeeds(20))
    func oracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("walk")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        defer { try? store.close() }
        let keys = makeKeys(&generator)
        let batch = StoreBatch()
        for key in keys { batch.put(key, [1]) }
        try store.commit(batch, sync: false)
        let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
        for table in Table.allCases {
            let expected = sorted.filter { key in
                guard table.isOfSegments else {
                    return key[0] == table.rawValue && key != Key.identifiersEnd
                }
                return key[0] == Table.segments && key.count >= 6 && key[5] == table.rawValue
            }
            var found: [[UInt8]] = []
            try store.makeCursor().forEach(in: table) { key, _ in
                found.append(Array(key))
                return true
            }
            // A key of no table may stand where the identifiers end.
            let isCut = table == .identifiers && expected.contains { $0 > Key.identifiersEnd }
            #expect(isCut || found == expected, "seed \(seed), \(table)")
            guard let start = expected.randomElement(using: &generator), !isCut else { continue }
            var later: [[UInt8]] = []
            try store.makeCursor().forEach(in: table, from: start) { key, _ in
                later.append(Array(key))
                return later.count < 3
            }
            #expect(
                later == Array(expected[expected.firstIndex(of: start)!...].prefix(3)),
                "seed \(seed), \(table)")
        }
    }

    @Test(
        "A walk finds the segments that have keys, and keys that name none",
        arguments: testSeeds(20))
    func segments(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("walk")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        defer { try? store.close() }
        let keys = makeKeys(&generator)
        let batch = StoreBatch()
        for key in keys { batch.put(key, [1]) }
        try store.commit(batch, sync: false)
        let numbers = Set(
            keys.compactMap { key in key.withUnsafeBytes { Key.segment(of: $0) } })
        var found: [UInt32] = []
        var foreign: Set<[UInt8]> = []
        let cursor = try store.makeCursor()
        while let next = try cursor.segment(
            after: found.last, foreign: { foreign.insert(Array($0)) })
        {
            found.append(next)
        }
        #expect(found == numbers.sorted(), "seed \(seed)")
        #expect(
            foreign == keys.filter { $0[0] == Table.segments && $0.count < 6 }, "seed \(seed)")
    }

    @Test("The lists of tables are whole and in order")
    func tables() {
        #expect(Set(Table.besideSegments + Table.ofSegments) == Set(Table.allCases))
        for tables in [Table.besideSegments, Table.ofSegments] {
            #expect(tables.map(\.rawValue) == Set(tables.map(\.rawValue)).sorted())
        }
        #expect(Table.besideSegments.allSatisfy { $0.rawValue < Table.segments })
    }
}

extension [UInt8] {
    fileprivate static func > (a: [UInt8], b: [UInt8]) -> Bool { b.lexicographicallyPrecedes(a) }
}
