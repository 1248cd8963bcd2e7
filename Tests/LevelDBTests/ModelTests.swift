import LevelDB
import PowerCuts
import Testing

/// Random histories, run against a database and a plain model of one.
@Suite struct ModelTests {
    @Test(arguments: 1...UInt64(Scale.sample(of: 6)))
    func agreesWithASortedDictionary(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        var random = SeededGenerator(seed: seed)
        var options = DatabaseOptions()
        // Small, so that a short history is flushed and compacted many times.
        options.writeBufferSize = 64 << 10
        options.compression = seed.isMultiple(of: 2)
        options.bloomBitsPerKey = seed.isMultiple(of: 3) ? 0 : 10
        var database = try Database(at: directory.path("db"), mode: .create, options: options)
        var model: [[UInt8]: [UInt8]] = [:]
        for step in 0..<400 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                try database.close()
                database = try Database(at: directory.path("db"), mode: .open, options: options)
            case 1:
                try database.compact(from: maybeKey(&random), to: maybeKey(&random))
            case 2...5:
                try compareScans(database, model, &random)
            case 6...8:
                let key = Self.key(&random)
                #expect(try database.value(forKey: key) == model[key], "seed \(seed), step \(step)")
            case 9:
                try compareWalk(database, model, &random, seed)
            default:
                let batch = WriteBatch()
                for _ in 0..<Int.random(in: 1...30, using: &random) {
                    let key = Self.key(&random)
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        batch.delete(key)
                        model[key] = nil
                    } else {
                        let value = Self.value(&random)
                        batch.put(key, value)
                        model[key] = value
                    }
                }
                try database.write(batch, sync: Bool.random(using: &random))
            }
        }
        try compareScans(database, model, &random)
        try database.close()
    }

    /// The comparator takes several bytes at a time.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func keysComeInTheOrderOfTheirBytes(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        var random = SeededGenerator(seed: seed)
        var options = DatabaseOptions()
        options.format = 7
        options.writeBufferSize = 64 << 10
        let database = try Database(at: directory.path("db"), mode: .create, options: options)
        // Each begins as another one does, up to any place, and goes on with any byte.
        var keys: [[UInt8]] = [[]]
        for _ in 0..<3000 {
            let other = keys.randomElement(using: &random) ?? []
            let rest = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            keys.append(other.prefix(Int.random(in: 0...24, using: &random)) + rest)
        }
        let batch = WriteBatch()
        for key in keys { batch.put(key, []) }
        try database.write(batch, sync: false)
        var found: [[UInt8]] = []
        let iterator = try database.makeIterator(fillCache: true)
        try iterator.seek(to: [])
        while iterator.isValid {
            try iterator.withEntry { key, _ in found.append(Array(key)) }
            try iterator.next()
        }
        let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(found == expected, "seed \(seed)")
        for key in keys { #expect(try database.value(forKey: key) == [], "seed \(seed)") }
        try database.close()
    }

    /// Few letters, so that keys collide and share prefixes; the extreme bytes among them.
    static func key(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            [0, 0x61, 0x62, 0xfe, 0xff].randomElement(using: &random) ?? 0
        }
    }

    static func value(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0..<10, using: &random) == 0 ? 10_000 : 50
        return (0..<Int.random(in: 0...count, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
    }

    private func maybeKey(_ random: inout SeededGenerator) -> [UInt8]? {
        Bool.random(using: &random) ? Self.key(&random) : nil
    }

    private func compareScans(
        _ database: Database, _ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator
    ) throws {
        let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let prefix = Self.key(&random)
        let (start, end) = (maybeKey(&random), maybeKey(&random))
        let limit = Int.random(in: 0..<50, using: &random)
        for reversed in [false, true] {
            func expectScan(
                _ kept: ([UInt8]) -> Bool,
                _ scan: ((UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> ScanStep) throws ->
                    Void
            ) throws {
                var expected = sorted.filter { kept($0.key) }.map { [$0.key, $0.value] }
                if reversed { expected.reverse() }
                var found: [[[UInt8]]] = []
                try scan { key, value in
                    found.append([Array(key), Array(value)])
                    return .next
                }
                #expect(found == expected)
                found = []
                try scan { key, value in
                    found.append([Array(key), Array(value)])
                    return found.count < limit ? .next : .stop
                }
                #expect(found == Array(expected.prefix(max(limit, 1))))
            }
            try expectScan({ $0.starts(with: prefix) }) {
                try database.forEachEntry(withPrefix: prefix, reversed: reversed, $0)
            }
            try expectScan({ key in
                (start.map { !key.lexicographicallyPrecedes($0) } ?? true)
                    && (end.map { key.lexicographicallyPrecedes($0) } ?? true)
            }) {
                try database.forEachEntry(
                    from: start, to: end, reversed: reversed, fillCache: false, $0)
            }
        }
    }

    /// One iterator moved about at random, while the database changes under it.
    private func compareWalk(
        _ database: Database, _ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator,
        _ seed: UInt64
    ) throws {
        let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let iterator = try database.makeIterator()
        var position: Int?
        #expect(!iterator.isValid)
        for _ in 0..<100 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                try iterator.seekToFirst()
                position = sorted.startIndex
            case 1:
                try iterator.seekToLast()
                position = sorted.endIndex - 1
            case 2, 3:
                let key = Self.key(&random)
                try iterator.seek(to: key)
                position =
                    sorted.firstIndex { !$0.key.lexicographicallyPrecedes(key) } ?? sorted.endIndex
            case 4, 5:
                try iterator.next()
                position = position.map { $0 + 1 }
            default:
                try iterator.previous()
                position = position.map { $0 - 1 }
            }
            if let index = position, sorted.indices.contains(index) {
                try #require(iterator.isValid, "seed \(seed)")
                try iterator.withEntry { key, value in
                    #expect(Array(key) == sorted[index].key, "seed \(seed)")
                    #expect(Array(value) == sorted[index].value, "seed \(seed)")
                }
            } else {
                #expect(!iterator.isValid, "seed \(seed)")
                position = nil
            }
        }
        try iterator.checkStatus()
    }

    @Test func anIteratorSeesTheStateItWasMadeIn() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        try database.put("a", "1")
        let iterator = try database.makeIterator()
        try database.put("b", "2")
        try database.compact(from: nil, to: nil)
        try iterator.seekToFirst()
        try iterator.next()
        #expect(!iterator.isValid)
    }
}
