import Foundation
import LevelDB
import PowerCuts
import Testing

/// Damaged files: an error, never a wrong answer, a short one, or the end of the process.
@Suite struct CorruptionTests {
    /// A database of a few tables, closed; and what is in it.
    private func makeDatabase(
        at path: String, options: DatabaseOptions = .init(), logged: Int = 0
    ) throws -> [String: String] {
        let database = try Database(at: path, mode: .create, options: options)
        var model: [String: String] = [:]
        for i in 0..<2000 {
            let (key, value) = (
                "key \(10_000 + i)", "value \(i) " + String(repeating: "v", count: i % 90)
            )
            try database.put(key, value)
            model[key] = value
        }
        try database.compact(from: nil, to: nil)
        for i in 0..<logged {
            try database.put("logged \(i)", "value \(i)")
            model["logged \(i)"] = "value \(i)"
        }
        try database.close()
        return model
    }

    private func flipBit(of path: String, _ bit: Int) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        data[bit / 8] ^= 1 << (bit % 8)
        try data.write(to: URL(filePath: path))
    }

    private func files(_ directory: TemporaryDirectory, _ suffix: String) throws -> [String] {
        try directory.names(in: "db").filter { $0.hasSuffix(suffix) || $0.hasPrefix(suffix) }
    }

    /// Everything that reading gives is right; whatever is missing was announced by an error.
    private func expectHonesty(_ database: Database, _ model: [String: String], _ note: String) {
        for reversed in [false, true] {
            var found: [String: String] = [:]
            do {
                try database.forEachEntry(withPrefix: [], reversed: reversed) { key, value in
                    found[String(decoding: key, as: UTF8.self)] = String(
                        decoding: value, as: UTF8.self)
                    return .next
                }
                #expect(found == model, "\(note)")
            } catch {
                #expect((error as? LevelDBError)?.code == .corruption, "\(note): \(error)")
                // No entry beyond the damage was given out before the error.
                let order = found.keys.sorted()
                let all = model.keys.sorted()
                let expected = reversed ? all.suffix(order.count) : all.prefix(order.count)
                #expect(order == Array(expected), "\(note)")
            }
            for (key, value) in found { #expect(model[key] == value, "\(note)") }
        }
        for (key, value) in model {
            do {
                #expect(try database.text(key) == value, "\(note)")
            } catch {
                #expect((error as? LevelDBError)?.code == .corruption, "\(note): \(error)")
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func flippedBitsInTables(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        var options = DatabaseOptions()
        options.compression = seed != 1
        let model = try makeDatabase(at: path, options: options)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let table = path + "/" + (try #require(try files(directory, ".ldb").first))
            let size = try #require(
                try FileManager.default.attributesOfItem(atPath: table)[.size] as? NSNumber)
            // Half of them in the last part, where the filter, the index and the footer are.
            let all = size.intValue * 8
            let bit =
                Bool.random(using: &random)
                ? Int.random(in: 0..<all, using: &random)
                : Int.random(in: max(0, all - 8 * 4000)..<all, using: &random)
            try flipBit(of: table, bit)
            do {
                let database = try Database(at: path, mode: .open, options: options)
                expectHonesty(database, model, "seed \(seed), bit \(bit)")
                try database.close()
            } catch {
                #expect(error.code == .corruption, "seed \(seed), bit \(bit): \(error)")
            }
            try flipBit(of: table, bit)
        }
        let database = try Database(at: path, mode: .open, options: options)
        expectHonesty(database, model, "seed \(seed), mended")
    }

    @Test func flippedBitsInTheLogAndInCurrent() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let model = try makeDatabase(at: path, logged: 50)
        var random = SeededGenerator(seed: 4)
        for name in try files(directory, ".log") + ["CURRENT"] {
            let file = path + "/" + name
            let size = try Data(contentsOf: URL(filePath: file)).count
            for _ in 0..<20 {
                let bit = Int.random(in: 0..<size * 8, using: &random)
                try flipBit(of: file, bit)
                do {
                    _ = try Database(at: path, mode: .open)
                    Issue.record("\(name), bit \(bit): opened")
                    return
                } catch {
                    #expect([.corruption, .io, .invalidArgument].contains(error.code), "\(error)")
                }
                try flipBit(of: file, bit)
            }
        }
        expectHonesty(try Database(at: path, mode: .open), model, "mended")
    }

    @Test func missingAndTruncatedTables() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let model = try makeDatabase(at: path)
        let table = path + "/" + (try #require(try files(directory, ".ldb").first))
        let data = try Data(contentsOf: URL(filePath: table))
        // Missing at the opening: refused.
        try FileManager.default.removeItem(atPath: table)
        expect(.corruption) { _ = try Database(at: path, mode: .open) }
        try data.write(to: URL(filePath: table))
        // Vanished after it, before it was first read: not an absent key.
        let database = try Database(at: path, mode: .open)
        try FileManager.default.removeItem(atPath: table)
        let key = try #require(model.keys.first)
        expect(.corruption) { _ = try database.text(key) }
        expect(.corruption) { _ = try database.contents() }
        try data.write(to: URL(filePath: table))
        #expect(try database.text(key) == model[key])
        try database.close()
        // Cut short, while it is open too.
        let cut = try Database(at: path, mode: .open)
        _ = try cut.text(key)
        for count in [0, 20, 100, data.count / 2, data.count - 1] {
            try data.prefix(count).write(to: URL(filePath: table))
            expectHonesty(cut, model, "cut to \(count) while open")
            do {
                try Database(at: path, mode: .open).close()
            } catch {
                #expect([.corruption, .locked].contains(error.code))
            }
        }
    }

    /// A seek that lands behind a damaged block must not pass for "there is nothing in between".
    @Test func seeksReportDamage() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        var options = DatabaseOptions()
        options.compression = false
        options.blockSize = 1024
        options.blockCacheSize = 0
        _ = try makeDatabase(at: path, options: options)
        let table = path + "/" + (try #require(try files(directory, ".ldb").first))
        try flipBit(of: table, 8 * 20_000)
        let database = try Database(at: path, mode: .open, options: options)
        var failures = 0
        var shortest = Int.max
        for i in 0..<2000 {
            let iterator = try database.makeIterator()
            do {
                try iterator.seek(to: bytes("key \(10_000 + i)"))
                try iterator.withEntry { key, _ in #expect(Array(key) == bytes("key \(10_000 + i)"))
                }
            } catch let error as LevelDBError {
                #expect(error.code == .corruption)
                #expect(!iterator.isValid)
                expect(.corruption) { try iterator.checkStatus() }
                failures += 1
                shortest = min(shortest, i)
            }
        }
        #expect((1...60).contains(failures))
        // A scan throws at the damage, whichever way it comes and even if it means to stop soon
        // after.
        expect(.corruption) {
            try database.forEachEntry(from: bytes("key \(10_000 + shortest - 1)"), to: nil) {
                key, _ in
                Array(key).starts(with: bytes("key")) && key.count > 0 ? .next : .stop
            }
        }
        expect(.corruption) { _ = try database.contents(reversed: true) }
    }
}
