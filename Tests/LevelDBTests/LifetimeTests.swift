import Foundation
import LevelDB
import PowerCuts
import Testing

/// Closing, and what can be done after it, during it, and in the wrong place.
@Suite struct LifetimeTests {
    @Test func everythingAfterCloseThrowsClosed() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        try database.put("a", "1")
        let iterator = try database.makeIterator()
        try iterator.seekToFirst()
        #expect(iterator.isValid)
        try database.close()
        try database.close()
        expect(.closed) { try database.put("a", "2") }
        expect(.closed) { _ = try database.text("a") }
        expect(.closed) { _ = try database.makeIterator() }
        expect(.closed) { try database.compact(from: nil, to: nil) }
        expect(.closed) { _ = try database.approximateSize(from: [], to: [255]) }
        expect(.closed) { try database.forEachEntry(withPrefix: []) { _, _ in .next } }
        expect(.closed) { try iterator.withEntry { _, _ in } }
        expect(.closed) { try iterator.next() }
        expect(.closed) { try iterator.previous() }
        expect(.closed) { try iterator.seekToFirst() }
        expect(.closed) { try iterator.seekToLast() }
        expect(.closed) { try iterator.seek(to: []) }
        expect(.closed) { try iterator.checkStatus() }
        #expect(!iterator.isValid)
        #expect(database.property("leveldb.stats") == nil)
        #expect(!database.isPoisoned)
    }

    @Test func letGoOfWithoutClosing() throws {
        let directory = try TemporaryDirectory()
        var iterator: LevelDB.Iterator?
        do {
            let database = try Database(at: directory.path("db"), mode: .create)
            try database.put("a", "1")
            iterator = try database.makeIterator()
        }
        // The iterator still holds the database.
        try iterator?.seekToFirst()
        expect(.locked) { _ = try Database(at: directory.path("db"), mode: .open) }
        iterator = nil
        _ = try Database(at: directory.path("db"), mode: .open)
    }

    @Test func misusedIteratorsThrow() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        try database.put("a", "1")
        let iterator = try database.makeIterator()
        expect(.invalidArgument) { try iterator.withEntry { _, _ in } }
        try iterator.next()
        try iterator.previous()
        #expect(!iterator.isValid)
        try iterator.seekToFirst()
        try iterator.withEntry { _, _ in
            expect(.invalidArgument) { try iterator.next() }
            expect(.invalidArgument) { try database.close() }
        }
        try iterator.seekToFirst()
        // Within a scan the database may be read and written, and scanned.
        try database.forEachEntry(withPrefix: []) { key, value in
            expect(.invalidArgument) { try database.close() }
            try database.put("b", "2")
            try database.forEachEntry(withPrefix: []) { _, _ in .next }
            return .next
        }
        // Nothing is held while a value is looked at.
        let closed: Bool? = try bytes("b").withUnsafeBytes { key in
            try database.withValue(forKey: key) { value in
                try database.close()
                return Array(value) == bytes("2")
            }
        }
        #expect(closed == true)
    }

    @Test func errorsOfTheCallerComeThrough() throws {
        struct Stop: Error {}
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        try database.put("a", "1")
        #expect(throws: Stop.self) {
            try database.forEachEntry(withPrefix: []) { _, _ in throw Stop() }
        }
        #expect(throws: Stop.self) {
            try bytes("a").withUnsafeBytes {
                try database.withValue(forKey: $0) { _ in throw Stop() }
            }
        }
        try database.close()
    }

    /// Readers, writers and scans on several threads, until one closes.
    @Test(arguments: 0..<10)
    func closingUnderUse(round: Int) throws {
        let directory = try TemporaryDirectory()
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let database = try Database(at: directory.path("db"), mode: .create, options: options)
        for i in 0..<200 { try database.put("key \(i)", String(repeating: "v", count: 100)) }
        let written = Locked<Set<Int>>([])
        let unexpected = Locked<[String]>([])
        onThreads(6) { thread in
            var random = SeededGenerator(seed: UInt64(round * 6 + thread))
            do {
                if thread == 5 {
                    usleep(UInt32.random(in: 0...20_000, using: &random))
                    try database.close()
                    return
                }
                for i in 0... {
                    switch thread {
                    case 0, 1:
                        let id = thread * 1_000_000 + i
                        try database.put("new \(id)", String(repeating: "w", count: 1000))
                        _ = written.withLock { $0.insert(id) }
                    case 2:
                        guard try database.text("key \(i % 200)") != nil else {
                            unexpected.withLock { $0.append("missing \(i)") }
                            return
                        }
                    case 3:
                        try database.forEachEntry(withPrefix: bytes("key")) { _, _ in .next }
                    default:
                        let iterator = try database.makeIterator()
                        try iterator.seekToLast()
                        while iterator.isValid { try iterator.previous() }
                        try database.compact(from: nil, to: nil)
                    }
                }
            } catch let error as LevelDBError {
                if error.code != .closed { unexpected.withLock { $0.append("\(error)") } }
            } catch {
                unexpected.withLock { $0.append("\(error)") }
            }
        }
        #expect(unexpected.withLock { $0 } == [])
        let again = try Database(at: directory.path("db"), mode: .open, options: options)
        for id in written.withLock({ $0 }) {
            #expect(try again.text("new \(id)") != nil)
        }
    }

    /// Closing ends a long scan at its next entry, and waits for the entry in use.
    @Test func closingEndsAScan() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        for i in 0..<10 { try database.put("\(i)", "value") }
        let started = DispatchSemaphore(value: 0)
        let closer = Thread {
            started.wait()
            try? database.close()
        }
        closer.start()
        var seen = 0
        expect(.closed) {
            while true {
                try database.forEachEntry(withPrefix: []) { _, value in
                    seen += 1
                    started.signal()
                    #expect(Array(value) == bytes("value"))
                    return .next
                }
            }
        }
        #expect(seen > 0)
    }
}
