import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

/// Copies that cannot be made, or cannot take the place of their index.
@Suite("Copies that fail", .timeLimit(.minutes(30)))
struct ReplacementTests {
    private let folder: TemporaryFolder
    private let configuration: TextIndexConfiguration
    private let notes: [Int: Int]

    init() throws {
        folder = try TemporaryFolder("replacement")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        notes = try consistentNotes(index)
        configuration = index.configuration
        try index.closeVerified()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func expectWhole(_ comment: Comment) throws {
        let index = try openVerified(at: folder("index"))
        #expect(try consistentNotes(index, comment) == notes, comment)
        try index.closeVerified()
    }

    #if os(Linux)
        @Test("A directory with a mounted file system is refused before anything is copied")
        func mounted() throws {
            let place = URL(fileURLWithPath: "/proc", isDirectory: true)
            for refused in [
                { _ = try TextIndex<WorkNote>.purge(at: place) },
                { _ = try TextIndex<WorkNote>.repair(at: place) },
            ] as [() throws -> Void] {
                let error = expectError(.invalidArgument) { try refused() }
                #expect(error?.message.contains("mounted") == true, "\(String(describing: error))")
            }
            #expect(!FileManager.default.fileExists(atPath: "/.proc.copying"))
            #expect(throws: Never.self) {
                try IndexReplacement.checkExchangeable(folder("index"))
            }
        }
    #endif

    /// Fails the n-th operation of a kind, for every n, until all goes well; gives how many failed.
    private func failEach(
        _ operation: Fault.Operation, at path: String, _ error: Int32,
        _ body: () throws -> Void, check: (Comment) throws -> Void
    ) throws -> Int {
        for skip in 0..<400 as Range<UInt64> {
            let thrown = Fault(operation, at: path, .fail(errno: error), skip: skip, times: 1)
                .whileArmed { _ in Result { try body() } }
            guard case .failure(let failure) = thrown else { return Int(skip) }
            #expect(failure is TextIndexError, "\(failure)")
            try check("\(operation) \(skip)")
        }
        Issue.record("\(operation): no end")
        return 0
    }

    @Test("A purge that cannot exchange its copy removes it")
    func purge() throws {
        let failures = try failEach(.rename, at: folder(".index.copying").path, EBUSY) {
            try TextIndex<WorkNote>.purge(at: folder("index"), configuration: configuration)
        } check: { comment in
            #expect(try names() == ["index"], comment)
            try expectWhole(comment)
        }
        // Those of LevelDB, and the exchange.
        #expect(failures >= 2)
        #expect(try names() == ["index"])
    }

    @Test("A purge that cannot sync a name loses nothing", arguments: ["index", ".index.copying"])
    func unsyncedPurge(name: String) throws {
        let failures = try failEach(.syncDirectory, at: folder(name).path, EIO) {
            try TextIndex<WorkNote>.purge(at: folder("index"), configuration: configuration)
        } check: { comment in
            // Where the exchange has happened the old index is kept: its name may come back.
            let left = try names()
            #expect(left == ["index"] || left == [".index.copying", "index"], comment)
            try expectWhole(comment)
        }
        #expect(failures > 0)
        #expect(try names() == ["index"])
    }

    @Test(
        "A repair that cannot exchange its copy removes it, whatever name that has",
        arguments: [true, false])
    func repair(opens: Bool) throws {
        let current = folder("index/CURRENT")
        var content = try Data(contentsOf: current)
        if !opens { try FileManager.default.removeItem(at: current) }
        let failures = try failEach(.rename, at: folder.url.path + "/", EBUSY) {
            try TextIndex<WorkNote>.repair(at: folder("index"), configuration: configuration)
        } check: { comment in
            #expect(try names() == ["index"], comment)
            guard !opens else { return try expectWhole(comment) }
            // The damaged index is as it was.
            try content.write(to: current)
            try expectWhole(comment)
            content = try Data(contentsOf: current)
            try FileManager.default.removeItem(at: current)
        }
        #expect(failures >= 3)
        #expect(try names() == ["index", "index.damaged"])
    }

    @Test("A repair that cannot sync a name never removes the index that it was to repair")
    func unsyncedRepair() throws {
        let failures = try failEach(.syncDirectory, at: folder.url.path + "/", EIO) {
            try TextIndex<WorkNote>.repair(at: folder("index"), configuration: configuration)
        } check: { comment in
            let left = try names()
            #expect(left == ["index"] || left == ["index", "index.damaged"], comment)
            try expectWhole(comment)
            guard left.count == 2 else { return }
            let old = try openVerified(at: folder("index.damaged"))
            #expect(try consistentNotes(old) == notes, comment)
            try old.closeVerified()
            try FileManager.default.removeItem(at: folder("index.damaged"))
        }
        #expect(failures >= 3)
    }

    @Test(
        "A copy for which there is no space is removed",
        arguments: [Fault.Operation.create, .append, .sync, .syncDirectory, .rename],
        [BackupMethod.entries, .links])
    func backup(operation: Fault.Operation, method: BackupMethod) throws {
        let index = try openVerified(at: folder("index"))
        var round = 0
        let failures = try failEach(operation, at: folder(".copy").path, ENOSPC) {
            round += 1
            try index.backup(to: folder("copy\(round)"), by: method)
        } check: { comment in
            let left = try names().filter { $0.hasPrefix(".") }
            #expect(left.isEmpty, "\(comment): \(left)")
        }
        #expect(failures > 0)
        try index.closeVerified()
    }
}
