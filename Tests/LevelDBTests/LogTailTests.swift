import Foundation
import LevelDB
import PowerCuts
import Testing

/// The end of a log after a power cut, of all kinds and at every place: what is whole is kept, what
/// is not is put aside and told of, and what only damage can have done is refused.
@Suite struct LogTailTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let log: Data
    private let logName: String
    /// Where each write ends in the log, by number of writes before that.
    private let ends: [Int]
    private let states: [[[[UInt8]]]]

    /// A log of writes of all lengths, some longer than its blocks.
    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
        var random = SeededGenerator(seed: 5)
        let database = try Database(at: path, mode: .create)
        let name = try #require(try directory.names(in: "db").first { $0.hasSuffix(".log") })
        var ends = [0]
        var states: [[[[UInt8]]]] = [[]]
        for number in 0..<40 {
            let length = number % 9 == 4 ? 70_000 : Int.random(in: 0...3000, using: &random)
            try database.put("\(number)", String(repeating: "v", count: length))
            ends.append(try Data(contentsOf: URL(filePath: path + "/" + name)).count)
            states.append(try database.contents())
        }
        try database.close()
        // A power cut leaves the mark of some time before.
        try FileManager.default.removeItem(atPath: path + "/COMMITTED")
        self.ends = ends
        self.states = states
        logName = name
        log = try Data(contentsOf: URL(filePath: path + "/" + name))
        try #require(ends.last == log.count)
    }

    /// A copy of the database with another log.
    private func copy(with changed: Data) throws -> String {
        let copy = directory.path("copy")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try changed.write(to: URL(filePath: copy + "/" + logName))
        return copy
    }

    /// Expects the first `count` writes and a report; then that the database goes on, and has
    /// nothing to report again.
    private func expectWrites(
        _ count: Int, in changed: Data, keepsCopy: Bool?, _ comment: Comment
    ) throws {
        let copy = try copy(with: changed)
        let database = try Database(at: copy, mode: .open)
        #expect(try database.contents() == states[count], comment)
        let length = changed.count - ends[count]
        #expect(database.discarded.map(\.length) == (length == 0 ? [] : [length]), comment)
        #expect(database.discarded.map(\.offset) == (length == 0 ? [] : [ends[count]]), comment)
        #expect(database.discarded.allSatisfy { $0.file == logName }, comment)
        if let keepsCopy, length > 0 {
            #expect((database.discarded[0].copy != nil) == keepsCopy, comment)
        }
        if let name = database.discarded.first?.copy {
            let kept = try Data(contentsOf: URL(filePath: copy + "/" + name))
            #expect(kept == changed.suffix(length), comment)
        }
        try database.put("more", "1")
        try database.close()
        let again = try Database(at: copy, mode: .open)
        #expect(again.discarded == [], comment)
        #expect(try again.text("more") == "1", comment)
        #expect(try again.contents().count == states[count].count + 1, comment)
        try again.close()
        try Database.destroy(at: copy)
        #expect(!FileManager.default.fileExists(atPath: copy), "the copy outlives its database")
    }

    @Test(
        "A log cut anywhere opens without its tail, with nothing, zeros or noise after it",
        arguments: 1...UInt64(Scale.sample(of: 3)))
    func tails(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<Scale.sample(of: 60) {
            // Half of them near the end of a write or a block.
            let near = (ends + Array(stride(from: 0, to: log.count, by: 32_768))).randomElement(
                using: &random)
            let cut =
                round % 2 == 0
                ? Int.random(in: 0...log.count, using: &random)
                : min(max((near ?? 0) + Int.random(in: -9...9, using: &random), 0), log.count)
            let count = try #require(ends.lastIndex { $0 <= cut })
            let rest = Int.random(in: 1...100_000, using: &random)
            let noise = Data((0..<rest).map { _ in UInt8.random(in: 1...255, using: &random) })
            let comment: Comment = "seed \(seed), cut at \(cut)"
            try expectWrites(count, in: log.prefix(cut), keepsCopy: false, comment)
            try expectWrites(
                count, in: log.prefix(cut) + Data(count: rest), keepsCopy: nil, comment)
            try expectWrites(count, in: log.prefix(cut) + noise, keepsCopy: nil, comment)
        }
    }

    /// The order in which the pages of one write reach the disk is the system's: its end may be
    /// there, and its beginning not.
    @Test("A long last write that has lost its beginning is left out")
    func pagesOutOfOrder() throws {
        let count = try #require(ends.indices.dropLast().last { ends[$0 + 1] - ends[$0] > 65_536 })
        for zeros in [1, 512, 4096, 33_000] {
            var changed = log.prefix(ends[count + 1])
            changed.resetBytes(in: ends[count]..<ends[count] + zeros)
            try expectWrites(count, in: changed, keepsCopy: true, "\(zeros) zeros")
        }
    }

    @Test("Damage that writes follow is refused, and says where", arguments: [1, 2, 3] as [UInt64])
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<60 {
            var changed = log
            let place = Int.random(in: 0..<ends[39], using: &random)
            let length = Int.random(in: 1...40, using: &random)
            for byte in place..<min(place + length, ends[39]) {
                changed[byte] = UInt8.random(in: 0...255, using: &random)
            }
            let copy = try copy(with: changed)
            let comment: Comment = "seed \(seed), \(length) bytes at \(place)"
            do {
                let database = try Database(at: copy, mode: .open)
                // Unused space at the end of a block, or by chance what stood there.
                #expect(try database.contents() == states[40], comment)
                #expect(database.discarded == [], comment)
                try database.close()
            } catch let error as LevelDBError {
                #expect(error.code == .corruption, comment)
                let begin = try #require(ends.last { $0 <= place })
                #expect(error.message.hasPrefix("\(logName) at byte "), "\(error)")
                let said = error.message.dropFirst(logName.count + 9).prefix { $0.isNumber }
                let named = try #require(Int(said))
                #expect(named >= begin - 7 && named <= place + 40, "\(comment): \(error)")
                #expect(try Data(contentsOf: URL(filePath: copy + "/" + logName)) == changed)
                refused += 1
            }
        }
        #expect(refused > 50)
    }

    /// Cutting needs space and a disk that works; until then nothing changes.
    @Test(
        "A failure while a tail is put aside changes nothing that counts",
        arguments: [Fault.Operation.create, .append, .sync, .syncDirectory, .truncate, .remove])
    func faults(operation: Fault.Operation) throws {
        let changed = log.prefix(ends[20]) + Data(repeating: 7, count: 5000)
        for skip in 0..<3 as Range<UInt64> {
            let copy = try copy(with: changed)
            Fault(operation, at: copy, .fail(errno: ENOSPC), skip: skip, times: 1).whileArmed {
                seen in
                do {
                    try Database(at: copy, mode: .open).close()
                } catch {
                    #expect((error as? LevelDBError)?.code == .diskFull, "\(error)")
                    #expect(seen() > skip)
                }
            }
            let database = try Database(at: copy, mode: .open)
            #expect(try database.contents() == states[20], "\(operation) \(skip)")
            try database.close()
        }
    }
}
