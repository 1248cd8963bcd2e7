import Foundation
import LevelDB
import PowerCuts
import Testing

/// Damage that LevelDB itself takes for what a crash leaves: it would open, with less in it, and
/// delete the rest.
@Suite final class PreflightTests {
    private let directory: TemporaryDirectory
    private let path: String
    /// What is in the database: a few tables in several edits of the manifest, and a log.
    private let model: [[[UInt8]]]
    /// What the last opening discarded.
    private var discarded: [DiscardedTail] = []

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        for round in 0..<3 {
            for key in 0..<40 { try database.put("key \(key)", "value \(round)") }
            try database.compact(from: nil, to: nil)
        }
        for key in 0..<30 {
            try database.put("logged \(key)", String(repeating: "v", count: key))
        }
        model = try database.contents()
        try database.close()
        // A power cut leaves the mark of some time before.
        try FileManager.default.removeItem(atPath: path + "/COMMITTED")
    }

    private func file(_ part: String) throws -> String {
        let names = try directory.names(in: "db")
        return path + "/" + (try #require(names.first { $0.contains(part) }))
    }

    private func data(_ file: String) throws -> Data { try Data(contentsOf: URL(filePath: file)) }

    /// Opens a copy of the database with the file changed, and gives what is in it; nil when it was
    /// refused, without a change.
    private func contents(with changed: Data, in file: String) throws -> [[[UInt8]]]? {
        let copy = directory.path("copy")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let changedFile = copy + "/" + URL(filePath: file).lastPathComponent
        try changed.write(to: URL(filePath: changedFile))
        let names = try directory.names(in: "copy")
        let database: Database
        do {
            database = try Database(at: copy, mode: .open)
        } catch {
            #expect([.corruption, .io, .invalidArgument].contains(error.code), "\(error)")
            #expect(try directory.names(in: "copy") == names, "files came or went")
            #expect(try data(changedFile) == changed, "the damaged file was changed")
            return nil
        }
        let found = try database.contents()
        discarded = database.discarded
        try database.close()
        return found
    }

    @Test("Opening notices every flipped bit of the manifest")
    func manifestBits() throws {
        let manifest = try file("MANIFEST")
        let original = try data(manifest)
        for bit in Scale.sample(upTo: original.count * 8) {
            var changed = original
            changed[bit / 8] ^= 1 << (bit % 8)
            let found = try contents(with: changed, in: manifest)
            #expect(found == nil, "bit \(bit) of \(original.count * 8)")
            if found != nil { return }
        }
        #expect(try contents(with: original, in: manifest) == model)
    }

    @Test("Opening notices every shorter manifest")
    func manifestLengths() throws {
        let manifest = try file("MANIFEST")
        let original = try data(manifest)
        for length in 0..<original.count {
            let found = try contents(with: original.prefix(length), in: manifest)
            #expect(found == nil, "\(length) of \(original.count) bytes")
            if found != nil { return }
        }
        #expect(try contents(with: original, in: manifest) == model)
    }

    /// The places of the headers of records with a write, in a log of less than one block.
    private func headers(_ log: Data) throws -> [Int] {
        var places: [Int] = []
        var place = 0
        while place + 7 <= log.count {
            // A batch begins with its sequence number, 8 bytes, and the number of its writes.
            if log[place + 15] != 0 { places.append(place) }
            place += 7 + Int(log[place + 4]) + Int(log[place + 5]) << 8
        }
        try #require(place == log.count && log.count < 32_768)
        return places
    }

    @Test("Opening notices every flipped bit of headers in the log, and of its last record")
    func logBits() throws {
        let log = try file(".log")
        let original = try data(log)
        let places = try headers(original)
        let last = try #require(places.last)
        let bytes = places.flatMap { $0..<$0 + 7 } + Array(last..<original.count)
        for place in Scale.sample(upTo: bytes.count * 8) {
            let (byte, bit) = (bytes[place / 8], place % 8)
            var changed = original
            changed[byte] ^= 1 << bit
            let comment: Comment = "bit \(bit) of byte \(byte) of \(original.count)"
            let found = try contents(with: changed, in: log)
            #expect(found == nil, comment)
            if found != nil { return }
        }
        #expect(try contents(with: original, in: log) == model)
    }

    /// Damage of more than a bit to the last write cannot be told from a power cut within it.
    @Test(
        "Opening leaves out a last record of the log with noise in it",
        arguments: 1...UInt64(Scale.sample(of: 3)))
    func lastRecord(seed: UInt64) throws {
        let log = try file(".log")
        let original = try data(log)
        let last = try #require(try headers(original).last)
        let rest = model.filter { $0[0] != bytes("logged 29") }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var changed = original
            let place = Int.random(in: last..<original.count - 8, using: &random)
            for byte in place..<place + 8 {
                changed[byte] = ~changed[byte] ^ UInt8.random(in: 0..<16, using: &random)
            }
            let comment: Comment = "seed \(seed), byte \(place)"
            #expect(try contents(with: changed, in: log) == rest, comment)
            #expect(discarded.map(\.offset) == [last], comment)
            #expect(discarded.map(\.length) == [original.count - last], comment)
            if let copy = discarded.first?.copy {
                let kept = try data(directory.path("copy/" + copy))
                #expect(kept == changed.suffix(from: last), comment)
            }
        }
    }

    @Test("Opening notices records of the log that are missing, zeroed or followed by others")
    func logRecords() throws {
        let log = try file(".log")
        let original = try data(log)
        let places = try headers(original)
        for index in [0, 1, places.count / 2, places.count - 2] {
            var changed = original
            changed.removeSubrange(places[index]..<places[index + 1])
            #expect(try contents(with: changed, in: log) == nil, "without record \(index)")
            changed = original
            changed.resetBytes(in: places[index]..<places[index + 1])
            #expect(try contents(with: changed, in: log) == nil, "zeros for record \(index)")
        }
        // A header that claims more than there is, over one record: what follows is not to be
        // dropped.
        var changed = original
        for place in places[3]..<places[4] { changed[place] = UInt8(place & 0x3f | 0x80) }
        #expect(try contents(with: changed, in: log) == nil, "garbage for record 3")
        try FileManager.default.removeItem(atPath: log)
        expect(.corruption) { _ = try Database(at: path, mode: .open) }
        try original.write(to: URL(filePath: log))
        #expect(try contents(with: original, in: log) == model)
    }

    /// What a power cut leaves of writes that were not synced: the ones before the cut are there.
    @Test(
        "Opening cuts off the end of a log that ends early, or in zeros",
        arguments: [0, 1, 3, 6, 7, 12, 25])
    func tornLog(bytesLeft: Int) throws {
        let log = try file(".log")
        let original = try data(log)
        let places = try headers(original)
        let cut = places[20] + bytesLeft
        let found = try #require(try contents(with: original.prefix(cut), in: log))
        let kept = model.filter { !$0[0].starts(with: bytes("logged")) || $0[0].count == 8 }
        #expect(found.count == 40 + 20)
        #expect(found.allSatisfy { model.contains($0) })
        #expect(kept.allSatisfy { found.contains($0) })
    }

    @Test("Opening cuts off zeros after the last record of a log", arguments: [7, 5000, 70_000])
    func zeroTail(count: Int) throws {
        let log = try file(".log")
        let original = try data(log)
        #expect(try contents(with: original + Data(count: count), in: log) == model)
        #expect(discarded.map(\.length) == [count] && discarded[0].copy == nil)
    }

    @Test(
        "Opening puts aside garbage after the last record of a log", arguments: [1, 2, 3, 4, 5],
        [100, 50_000])
    func garbageTail(seed: UInt64, count: Int) throws {
        let log = try file(".log")
        var random = SeededGenerator(seed: seed)
        let garbage = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        #expect(try contents(with: try data(log) + garbage, in: log) == model, "seed \(seed)")
        #expect(discarded.map(\.length) == [count], "seed \(seed)")
    }

    /// The last change of the tables is undone, as if the power had failed within it, if that loses
    /// nothing.
    @Test("Opening cuts off garbage after the last record of the manifest")
    func garbageBehindManifest() throws {
        let manifest = try file("MANIFEST")
        let original = try data(manifest)
        #expect(
            try contents(with: original + Data(repeating: 0x5a, count: 99), in: manifest) == model)
        #expect(discarded.map(\.offset) == [original.count])
        #expect(try contents(with: original + Data(count: 99), in: manifest) == model)
    }

    @Test("A table with another length, or without a footer, is refused")
    func tables() throws {
        let table = try file(".ldb")
        let original = try data(table)
        #expect(try contents(with: original.prefix(original.count - 1), in: table) == nil)
        #expect(try contents(with: original + Data([0]), in: table) == nil)
        var changed = original
        // The offset of the first block that the footer names, made huge.
        for byte in original.count - 48..<original.count - 43 { changed[byte] = 0xff }
        try changed.write(to: URL(filePath: table))
        do {
            let database = try Database(at: path, mode: .open)
            expect(.corruption) { _ = try database.contents() }
            try database.close()
        } catch {
            #expect(error.code == .corruption)
        }
    }
}
