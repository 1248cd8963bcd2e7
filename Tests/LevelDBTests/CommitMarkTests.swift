import Foundation
import LevelDB
import Testing

/// The newest log, the manifest or CURRENT removed, emptied, cut between two writes, or replaced by
/// an older one or another database's: none of that is what a power cut leaves once the last commit
/// is marked.
@Suite final class CommitMarkTests {
    /// How the database came to its end.
    enum End: CaseIterable { case closed, killed }

    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
    }

    private func data(_ name: String, in place: String = "db") throws -> Data {
        try Data(contentsOf: URL(filePath: directory.path(place) + "/" + name))
    }

    private func write(_ data: Data, _ name: String) throws {
        try data.write(to: URL(filePath: path + "/" + name))
    }

    private func newest(_ part: String, in place: String = "db") throws -> String {
        try #require(try directory.names(in: place).last { $0.contains(part) })
    }

    private func contents(of place: String = "db") throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try directory.names(in: place) { files[name] = try data(name, in: place) }
        return files
    }

    /// What a database that was closed or killed leaves, and its log and manifest of some time
    /// before.
    private func make(
        _ end: End, at place: String = "db", seed: String = "a", writes: Int = 40
    ) throws -> (log: Data, manifest: Data, mark: Data) {
        let path = directory.path(place)
        let database = try Database(at: path, mode: .create)
        for number in 0..<writes { try database.put("\(seed)\(number)", "\(seed) value") }
        let log = try data(try newest(".log", in: place), in: place)
        let manifest = try data(try newest("MANIFEST", in: place), in: place)
        let mark = try data("COMMITTED", in: place)
        try database.compact(from: nil, to: nil)
        for number in 0..<writes { try database.put("\(seed)later \(number)", "value") }
        if end == .killed {
            // What is there now is what the end of the process would leave.
            try FileManager.default.copyItem(atPath: path, toPath: path + ".killed")
            try database.close()
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".killed", toPath: path)
        } else {
            try database.close()
        }
        return (log, manifest, mark)
    }

    /// Expects that nothing is opened nor changed, and that `file` is named; then that it is opened
    /// without the mark.
    private func expectRefusal(naming file: String, _ comment: Comment, opens: Bool = true) throws {
        let before = try contents()
        for mode in [Database.OpenMode.open, .openOrCreate, .read] {
            let error = #expect(throws: LevelDBError.self, comment) {
                try Database(at: path, mode: mode).close()
            }
            #expect(error?.code == .corruption, comment)
            #expect(
                error?.message.contains(file) == true, "\(comment): \(String(describing: error))")
        }
        #expect(try contents() == before, comment)
        guard opens else { return }
        try FileManager.default.removeItem(atPath: path + "/COMMITTED")
        #expect(throws: Never.self, comment) { try Database(at: path, mode: .open).close() }
    }

    @Test("A log that was cut between two writes, or emptied, is refused", arguments: End.allCases)
    func cutLog(end: End) throws {
        _ = try make(end)
        let name = try newest(".log")
        let whole = try data(name)
        let original = try contents()
        for length in [0, whole.count / 2, whole.count - 1] {
            for (name, data) in original { try write(data, name) }
            // Up to the end of a write.
            var cut = 0
            while true {
                let next = cut + 7 + Int(whole[cut + 4]) + Int(whole[cut + 5]) << 8
                if next > length { break }
                cut = next
            }
            try write(whole.prefix(cut), name)
            try expectRefusal(naming: name, "\(end), \(cut) of \(whole.count)")
            for name in try directory.names(in: "db") {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
    }

    @Test("A log that is an older copy, or another database's, is refused", arguments: End.allCases)
    func replacedLog(end: End) throws {
        _ = try make(end)
        _ = try make(end, at: "other", seed: "b")
        let name = try newest(".log")
        try #require(try newest(".log", in: "other") == name)
        let other = try data(name, in: "other")
        let own = try data(name)
        try #require(other != own && other.count == own.count)
        try write(other, name)
        try expectRefusal(naming: name, "another's")
    }

    @Test("A database whose newest log was removed is refused")
    func removedLog() throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let database = try Database(at: path, mode: .create, options: options)
        // The first log stays for as long as it cannot become a table.
        let stall = Fault(.create, at: path, file: ".ldb", .stall)
        let number = stall.arm()
        let value = String(repeating: "v", count: 1000)
        var count = 0
        while try directory.names(in: "db").filter({ $0.hasSuffix(".log") }).count < 2 {
            try database.put("\(count)", value)
            count += 1
        }
        try database.put("last", "1")
        try FileManager.default.copyItem(atPath: path, toPath: path + ".killed")
        Fault.disarm(number)
        try database.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".killed", toPath: path)
        let name = try newest(".log")
        try FileManager.default.removeItem(atPath: path + "/" + name)
        try expectRefusal(naming: name, "removed")
    }

    @Test(
        "A manifest that is an older copy is refused, alone or with its CURRENT",
        arguments: End.allCases)
    func olderManifest(end: End) throws {
        _ = try make(end)
        let current = try data("CURRENT")
        let name = try newest("MANIFEST")
        let manifest = try data(name)
        // LevelDB makes another one each time that it opens.
        let database = try Database(at: path, mode: .open)
        try database.put("more", "1")
        try database.close()
        try #require(try newest("MANIFEST") != name)
        try write(manifest, name)
        try write(current, "CURRENT")
        try expectRefusal(naming: "CURRENT", "an older CURRENT", opens: false)
    }

    @Test("A manifest that was cut between two records is refused", arguments: End.allCases)
    func cutManifest(end: End) throws {
        let before = try make(end)
        let name = try newest("MANIFEST")
        let manifest = try data(name)
        try #require(
            manifest.starts(with: before.manifest) && manifest.count > before.manifest.count)
        try write(before.manifest, name)
        try expectRefusal(naming: name, "cut", opens: false)
    }

    @Test("A mark of before, a torn one, and none at all refuse nothing", arguments: End.allCases)
    func lesserMarks(end: End) throws {
        let before = try make(end)
        let original = try contents()
        let mark = try data("COMMITTED")
        var torn = mark
        torn[40] ^= 1
        let marks: [Data?] = [before.mark, torn, mark.prefix(50), Data(), nil]
        for changed in marks {
            for (name, data) in original { try write(data, name) }
            try FileManager.default.removeItem(atPath: path + "/COMMITTED")
            if let changed { try write(changed, "COMMITTED") }
            let database = try Database(at: path, mode: .open)
            #expect(try database.text("alater 39") == "value")
            // It gets one again.
            #expect(try data("COMMITTED").count == mark.count)
            try database.close()
            for name in try directory.names(in: "db") {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
    }

    @Test("What takes the place of the mark of an open database is not written to")
    func replacedMark() throws {
        let database = try Database(at: path, mode: .create)
        try database.put("a", "1")
        let mark = try data("COMMITTED")
        try database.put("b", "2")
        #expect(try data("COMMITTED") != mark)
        // Another file, and the same file with another length.
        try write(mark + Data([0]), "COMMITTED")
        try database.put("c", "3")
        #expect(try data("COMMITTED") == mark + Data([0]))
        let file = FileHandle(forUpdatingAtPath: path + "/COMMITTED")
        try file?.truncate(atOffset: 5)
        try database.put("d", "4")
        #expect(try data("COMMITTED") == mark.prefix(5))
        try FileManager.default.removeItem(atPath: path + "/COMMITTED")
        try database.put("e", "5")
        #expect(try !directory.names(in: "db").contains("COMMITTED"))
        try database.close()
        #expect(try Database(at: path, mode: .open).text("e") == "5")
    }
}
