import Foundation
import LevelDB
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

/// Records and identifiers of a bulk load are stored while it goes on; nothing names them before
/// all of it is flushed.
@Suite("Records of pending documents")
struct PendingObjectTests {
    private func open(_ directory: URL) throws -> TextIndex<WorkNote> {
        var configuration = TextIndexConfiguration()
        configuration.durability = .power
        return try openNotes(at: directory, configuration)
    }

    /// Takes notes as one part of a bulk load.
    private func accept(_ ids: Range<Int>, version: Int, _ index: TextIndex<WorkNote>) throws {
        let objects = ids.map { id -> (identifier: [UInt8], object: IndexedObject) in
            let note = WorkNote(id: id, version: version)
            return (Array(note.identifier), note.indexed)
        }
        let documents = AnalysedDocuments(under: index.writer.snapshot) {
            .analysing(objects, $0, textByteCount: 1 << 10)
        }
        for outcome in index.writer.commit([.largeDocuments(documents, isBulk: true)]) {
            try outcome.get()
        }
    }

    private func recordCount(_ index: TextIndex<WorkNote>) throws -> Int {
        var count = 0
        try index.store.makeCursor().forEach(in: .objects) { _, _ in
            count += 1
            return true
        }
        return count
    }

    private func expectNotes(
        _ ids: Range<Int>, version: Int, _ index: TextIndex<WorkNote>, unnamed: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(index.count == ids.count, sourceLocation: sourceLocation)
        for id in ids {
            let note = WorkNote(id: id, version: version)
            let found = try index.searchResults(forKeyword: note.stamp).map(\.identifier)
            #expect(found == [note.identifier], sourceLocation: sourceLocation)
        }
        let report = try index.verify(depth: .full)
        #expect(report.isClean, "\(report)", sourceLocation: sourceLocation)
        #expect(
            report.unnamedByTable["objects", default: 0] == unnamed, "\(report)",
            sourceLocation: sourceLocation)
    }

    @Test("Pending records are there before the flush, which writes none of them again")
    func early() throws {
        let folder = try TemporaryFolder("pending")
        let index = try open(folder("index"))
        for (round, version) in [1, 2].enumerated() {
            for part in 0..<3 { try accept(part * 20..<(part + 1) * 20, version: version, index) }
            index.waitForMaintenance()
            // What is replaced is there until a vacuum.
            #expect(try recordCount(index) == round * 70 + 60)
            #expect(index.count == round * 70)
            // One that comes when the others are stored.
            try accept(60..<70, version: version, index)
            try index.writer.flusher.settleBulk()
            #expect(index.writer.state.withLock { $0.bulk.stored }.isEmpty)
            index.waitForMaintenance()
            try expectNotes(0..<70, version: version, index)
        }
        try index.close()
        let again = try open(folder("index"))
        again.waitForMaintenance()
        try expectNotes(0..<70, version: 2, again)
        try again.closeVerified()
    }

    @Test("The next opening sweeps the pending records of a failed load", arguments: 0..<4)
    func failure(skip: Int) throws {
        let folder = try TemporaryFolder("pending")
        let index = try open(folder("index"))
        try accept(0..<10, version: 1, index)
        try index.writer.flusher.settleBulk()
        let fault = Fault(
            .append, at: folder.url.path, .fail(errno: EIO), skip: UInt64(skip), times: 1)
        var failures = 0
        // None replaces another one: what is not named was lost.
        fault.whileArmed { _ in
            for part in 1..<6 {
                do {
                    try accept(part * 10..<(part + 1) * 10, version: 2, index)
                    index.waitForMaintenance()
                    if part == 5 { try index.writer.flusher.settleBulk() }
                } catch {
                    failures += 1
                    #expect((error as? TextIndexError)?.code == .io, "\(error)")
                }
            }
        }
        #expect(failures > 0 || index.writer.state.withLock { $0.bulk.lossCount } > 0)
        // The index goes on by itself.
        try accept(60..<90, version: 3, index)
        try index.writer.flusher.settleBulk()
        // Parts that came after the failure were taken.
        #expect((40..<90).contains(index.count))
        let note = WorkNote(id: 67, version: 3)
        #expect(try index.searchResults(forKeyword: note.stamp).count == 1)
        #expect(try index.verify(depth: .full).isClean)
        try index.close()
        let again = try open(folder("index"))
        again.waitForMaintenance()
        let report = try again.verify(depth: .full)
        #expect(report.isClean && report.unnamedByTable["objects"] == nil, "\(report)")
        try again.close()
    }

    @Test("What is killed before the flush is swept at the next opening")
    func killed() throws {
        let folder = try TemporaryFolder("pending")
        let directory = folder("index")
        let index = try open(directory)
        try accept(0..<10, version: 1, index)
        try index.writer.flusher.settleBulk()
        try accept(10..<50, version: 2, index)
        index.waitForMaintenance()
        // What a process that dies now leaves.
        try FileManager.default.copyItem(at: directory, to: folder("copy"))
        try index.close()
        let again = try open(folder("copy"))
        again.waitForMaintenance()
        try expectNotes(0..<10, version: 1, again)
        try accept(10..<40, version: 1, again)
        try again.writer.flusher.settleBulk()
        try expectNotes(0..<40, version: 1, again)
        try again.closeVerified()
    }
}
