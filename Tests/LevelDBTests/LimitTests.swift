import LevelDB
import Testing

/// The sizes that are taken, and that one more is refused without harm.
@Suite struct LimitTests {
    @Test func keys() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        let longest = [UInt8](repeating: 1, count: Database.maximumKeyLength)
        let batch = WriteBatch()
        batch.put(longest, bytes("v"))
        try database.write(batch, sync: false)
        #expect(try database.value(forKey: longest) == bytes("v"))
        let iterator = try database.makeIterator()
        try iterator.seek(to: longest)
        #expect(iterator.isValid)

        batch.clear()
        batch.put(bytes("good"), bytes("v"))
        batch.put(longest + [1], bytes("v"))
        expect(.invalidArgument) { try database.write(batch, sync: false) }
        batch.clear()
        batch.delete(longest + [1])
        expect(.invalidArgument) { try database.write(batch, sync: false) }
        expect(.invalidArgument) { _ = try database.value(forKey: longest + [1]) }
        expect(.invalidArgument) { try iterator.seek(to: longest + [1]) }
        #expect(!database.isPoisoned)
        #expect(try database.text("good") == nil)
        batch.clear()
        batch.put(bytes("good"), bytes("v"))
        try database.write(batch, sync: false)
    }

    @Test func valuesAndBatches() throws {
        let directory = try TemporaryDirectory()
        var options = DatabaseOptions()
        options.compression = false
        let database = try Database(at: directory.path("db"), mode: .create, options: options)
        let batch = WriteBatch()
        let longest = [UInt8](repeating: 7, count: Database.maximumValueLength)
        batch.put(bytes("k"), longest)
        #expect(batch.count == 1)
        try database.write(batch, sync: false)
        let same = try bytes("k").withUnsafeBytes { key in
            try database.withValue(forKey: key) { value in
                longest.withUnsafeBytes { $0.elementsEqual(value) }
            }
        }
        #expect(same == true)
        // One more such value is more than a batch may hold.
        batch.put(bytes("l"), longest)
        #expect(batch.count == 1)
        expect(.invalidArgument) { try database.write(batch, sync: false) }
        batch.clear()
        #expect(batch.isEmpty)
        batch.put(bytes("l"), longest + [7])
        #expect(batch.count == 0 && !batch.isEmpty)
        expect(.invalidArgument) { try database.write(batch, sync: false) }
        #expect(!database.isPoisoned)
    }

    @Test func optionsOutOfRangeAreMovedIntoIt() throws {
        let directory = try TemporaryDirectory()
        for extreme in [Int.min, -1, 0, Int.max] {
            var options = DatabaseOptions()
            options.writeBufferSize = max(extreme, -1) == .max ? 1 << 20 : extreme
            options.blockSize = extreme
            options.maxFileSize = extreme
            options.maxOpenFiles = extreme
            options.bloomBitsPerKey = extreme
            options.blockCacheSize = extreme
            let database = try Database(
                at: directory.path("db"), mode: .openOrCreate, options: options)
            try database.put("a", "1")
            try database.compact(from: nil, to: nil)
            #expect(try database.text("a") == "1")
        }
    }

    @Test func sizesAndProperties() throws {
        let directory = try TemporaryDirectory()
        var options = DatabaseOptions()
        options.compression = false
        let database = try Database(at: directory.path("db"), mode: .create, options: options)
        for i in 0..<1000 {
            try database.put("key \(1000 + i)", String(repeating: "v", count: 1000))
        }
        try database.compact(from: [], to: [])
        try database.compact(from: [2], to: [1])
        try database.compact(from: nil, to: nil)
        let all = try database.approximateSize(from: [], to: [0xff])
        #expect((900_000...1_200_000).contains(all))
        let half = try database.approximateSize(from: [], to: bytes("key 1500"))
        #expect((all * 4 / 10...all * 6 / 10).contains(half))
        #expect(try database.approximateSize(from: [2], to: [1]) == 0)
        #expect(database.property("leveldb.stats") != nil)
        #expect(database.property("leveldb.num-files-at-level99999999999999") == nil)
        #expect(database.property("nonsense") == nil)
    }
}
