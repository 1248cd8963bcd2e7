import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Backups that share files with the index.
@Suite("Backups by links")
struct LinkedBackupTests {
    /// The table files in a directory.
    private static func tables(_ directory: URL) throws -> Set<Int> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .filter { $0.hasSuffix(".ldb") }.map {
                    let path = directory.appendingPathComponent($0).path
                    let file = try FileManager.default.attributesOfItem(atPath: path)
                    return try #require(file[.systemFileNumber] as? Int)
                })
    }

    @Test("A linked backup of a random index answers as the index did", arguments: testSeeds(3))
    func answers(seed: UInt64) async throws {
        let folder = try TemporaryFolder("links")
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        func answers(_ index: TextIndex<TestObject>) throws -> [String] {
            try ["", "a", "s", "ab"].flatMap { keyword in
                try index.searchResults(forKeyword: keyword).map {
                    "\($0.number) \($0.weight) \($0.resultTokens)"
                }
            }
        }
        var right: [[String]] = []
        for round in 0..<4 {
            try await bench.change()
            try bench.move()
            let report = try await bench.index.backup(to: folder("\(round)"), by: .links)
            #expect(report.isClean, "seed \(seed): \(report)")
            right.append(try answers(bench.index))
        }
        try await bench.index.optimize()
        for round in 0..<4 {
            // It can be restored from, and used as it is.
            let configuration = bench.index.configuration
            let before = try DirectoryContents(of: folder("\(round)"))
            try TextIndex<TestObject>.restore(
                from: folder("\(round)"), to: folder("restored \(round)"),
                configuration: configuration)
            let isSame = try DirectoryContents(of: folder("\(round)")) == before
            #expect(isSame, "seed \(seed)")
            for name in ["restored \(round)", "\(round)"] {
                let copy = try TextIndex<TestObject>(
                    at: folder(name), configuration: configuration)
                #expect(try answers(copy) == right[round], "seed \(seed): \(name)")
                try await copy.optimize()
                #expect(try answers(copy) == right[round], "seed \(seed): \(name)")
                try copy.closeVerified()
            }
        }
    }

    @Test("A second linked backup costs what is new, and outlives the index")
    func costs() throws {
        let folder = try TemporaryFolder("links")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        try index.backup(to: folder("first"), by: .links)
        for id in 400..<500 { index.indexObject(WorkNote(id: id, version: 1)) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        let notes = try consistentNotes(index)
        try index.backup(to: folder("second"), by: .links)
        let first = try Self.tables(folder("first"))
        let second = try Self.tables(folder("second"))
        #expect(!first.isEmpty && second.isSuperset(of: first))
        #expect(try Self.tables(folder("index")) == second)
        try index.closeVerified()
        try TextIndex<WorkNote>.destroy(at: folder("index"))
        let copy = try openVerified(at: folder("second"))
        #expect(try consistentNotes(copy) == notes)
        try copy.closeVerified()
    }

    @Test("A linked backup copies no damage, and replaces nothing")
    func damage() throws {
        let folder = try TemporaryFolder("links")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        let segment = try #require(index.writer.snapshot.flushed.first)
        let batch = StoreBatch()
        var key = Buffer<UInt8>()
        Array("body".utf8).withUnsafeBufferPointer {
            Key.term(.postings, $0, segment: segment.number, into: &key)
        }
        key.withBytes { batch.delete($0) }
        try index.store.commit(batch, sync: false)
        expectError(.corrupted) { try index.backup(to: folder("copy"), by: .links) }
        expectError(.invalidArgument) { try index.backup(to: folder("index"), by: .links) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["index"])
        try index.close()
    }
}
