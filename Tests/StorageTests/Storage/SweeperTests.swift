import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Sweeping segments")
struct SweeperTests {
    private static let tables = Table.ofSegments

    /// The bytes of the table files of a directory.
    private func tableBytes(_ directory: URL) throws -> Int {
        try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: [.fileSizeKey]
        )
        .filter { $0.pathExtension == "ldb" }
        .reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }

    /// Some entries of every table of a segment, whose values cannot be made smaller.
    private func write(_ segment: UInt32, _ count: Int, to store: IndexStore) throws {
        var generator = SeededGenerator(seed: UInt64(segment))
        var key = Buffer<UInt8>()
        let batch = StoreBatch()
        try store.beginTable(ofAbout: .max)
        for table in Self.tables {
            for number in 0..<count {
                Key.part(table, segment: segment, part: UInt32(number), into: &key)
                let value = (0..<1000).map { _ in UInt8(generator.int(0...255)) }
                value.withUnsafeBytes { batch.put(key, $0) }
            }
        }
        try store.commit(batch, sync: false)
        try store.beginTable(ofAbout: .max)
    }

    @Test("The space of a swept segment is given back, and no other one loses a key")
    func space() throws {
        let folder = try TemporaryFolder("sweep")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        for segment in [1, 2, 3] as [UInt32] { try write(segment, 60, to: store) }
        try store.settle()
        let before = try tableBytes(folder("index"))
        var sweeper = Sweeper(store: store)
        try sweeper.deleteSegment(2) { false }
        #expect(try store.compact(2...2) { false })
        let cursor = try store.makeCursor()
        #expect(try cursor.segment(after: nil) == 1)
        #expect(try cursor.segment(after: 1) == 3)
        #expect(try cursor.segment(after: 3) == nil)
        for table in Self.tables {
            var count = 0
            try store.makeCursor().forEach(in: table) { _, _ in
                count += 1
                return true
            }
            #expect(count == 120, "\(table)")
        }
        #expect(before > 850_000)
        #expect(try tableBytes(folder("index")) < before * 3 / 4)
        try store.close()
    }

    @Test("Damage in one table of a segment keeps the keys of the others from nothing")
    func damage() throws {
        let folder = try TemporaryFolder("sweep")
        var store = try IndexStore(at: folder("index"), configuration: .init())
        try write(1, 60, to: store)
        try store.compact()
        try store.close()
        let files = try FileManager.default.contentsOfDirectory(
            at: folder("index"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "ldb" }
        let file = try #require(files.first)
        #expect(files.count == 1)
        var bytes = try Data(contentsOf: file)
        // The second of five tables.
        bytes[bytes.count * 3 / 10] ^= 1
        try bytes.write(to: file)
        store = try IndexStore(at: folder("index"), configuration: .init())
        var sweeper = Sweeper(store: store)
        let error = #expect(throws: TextIndexError.self) {
            try sweeper.deleteSegment(1) { false }
        }
        #expect(error?.code == .corrupted)
        var key = Buffer<UInt8>()
        for table in Self.tables where table != .postings {
            for number in 0..<60 {
                Key.part(table, segment: 1, part: UInt32(number), into: &key)
                #expect(try store.value(key.toArray()) == nil, "\(table) \(number)")
            }
        }
        try store.close()
    }

    @Test("What is merged and swept gives its space back without being asked")
    func merging() throws {
        let folder = try TemporaryFolder("sweep")
        var configuration = TextIndexConfiguration()
        configuration.leastRun = 1
        let index = try TextIndex<Int>(at: folder("index"), configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            var generator = SeededGenerator(seed: UInt64(number))
            let words = (0..<20_000).map { _ in String(generator.next(), radix: 36) }
            return IndexedObject(strings: [words.joined(separator: " ")])
        }
        for number in 0..<8 {
            index.indexObject(number)
            index.indexingQueue.waitUntilAllOperationsAreFinished()
            try index.flush()
        }
        index.waitForMaintenance()
        #expect(index.writer.snapshot.flushed.count == 1)
        let size = try tableBytes(folder("index"))
        try index.optimize()
        let optimized = try tableBytes(folder("index"))
        #expect(size < optimized * 5 / 4, "\(size) and \(optimized)")
        try index.closeVerified()
    }

    @Test("Loads that are under way stay counted when the store is opened anew")
    func loads() throws {
        let folder = try TemporaryFolder("sweep")
        let index = try TextIndex<Int>(at: folder("index"))
        let writer = index.writer
        for _ in 0..<2 { writer.merger.beginLoading(onlyRemoves: false) }
        writer.state.withLock { $0.fail(TextIndexError(.io, "A write failed.")) }
        #expect(writer.committing.withLock { _ in writer.recoverFromFailure() })
        #expect(writer.state.withLock { $0.bulk.loadCount } == 2)
        writer.merger.endLoading(onlyRemoves: false)
        #expect(writer.state.withLock { $0.bulk.loadCount } == 1)
        writer.merger.endLoading(onlyRemoves: false)
        #expect(writer.state.withLock { $0.bulk.loadCount } == 0)
        try index.close()
    }
}
