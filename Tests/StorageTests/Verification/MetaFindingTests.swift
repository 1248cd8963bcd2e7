import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What makes an index one: each entry of it changed behind the back of an open index is found, and
/// named.
@Suite("Verification of manifest, settings and counters")
struct MetaFindingTests {
    /// An index with two segments and a journal.
    private func makeIndex(at directory: URL) throws -> TextIndex<WorkNote> {
        let index = try openNotes(at: directory)
        for ids in [0..<10, 10..<30, 30..<40] {
            for id in ids { index.indexObject(WorkNote(id: id, version: 1)) }
            index.indexingQueue.waitUntilAllOperationsAreFinished()
            if ids.upperBound < 40 { try index.flush() }
        }
        try #require(index.writer.snapshot.flushed.count == 2)
        return index
    }

    private static func changed(_ change: @escaping (inout Manifest) -> Void) -> ([UInt8]) throws ->
        [UInt8]?
    {
        { bytes in
            var manifest = try bytes.withExactBytes { try Manifest($0) }
            change(&manifest)
            return manifest.encoded()
        }
    }

    private static func gone(_ bytes: [UInt8]) -> [UInt8]? { nil }

    @Test("A changed or missing entry is a finding")
    func entries() throws {
        let folder = try TemporaryFolder("meta")
        let index = try makeIndex(at: folder("index"))
        defer { try? index.close() }
        var living = LivingDocuments()
        living.insert(7)
        let cases: [(key: [UInt8], change: ([UInt8]) throws -> [UInt8]?, message: String)] = [
            (Manifest.key, Self.gone, "the manifest is not there"),
            (Manifest.key, Self.changed { $0.segments.removeLast() }, "names other segments"),
            (Manifest.key, Self.changed { $0.rebuilt = $0.segments }, "names other segments"),
            (Manifest.key, Self.changed { $0.nextDocument += 100 }, "has given more numbers"),
            (Manifest.key, Self.changed { $0.nextSegment += 1 }, "has given more numbers"),
            (Manifest.key, Self.changed { $0.watermark = 5 }, "lies within a segment"),
            (Manifest.key, { _ in [Manifest.format + 1] }, "newer version"),
            (Manifest.key, { _ in [Manifest.oldestFormat - 1] }, "earlier version"),
            (Manifest.key, { $0.dropLast(3) }, "cannot be decoded"),
            (LivingDocuments.key, Self.gone, "the count of objects is not there"),
            (LivingDocuments.key, { _ in living.encoded() }, "count of objects is another one"),
            (LivingDocuments.key, { $0.dropLast() }, "cannot be decoded"),
            (IndexOpening.fingerprintKey, Self.gone, "the analysis settings are not there"),
            (
                IndexOpening.fingerprintKey, { _ in IndexOpening.encode(["a": "b"]) },
                "analysis settings are others"
            ),
            (Key.identifiersEnd, Self.gone, "end mark of the identifiers is not there"),
            (LostObjects.key, { _ in [0xff] }, "cannot be decoded"),
            (Key.meta("nobody's"), { _ in [] }, "a name that is not known"),
            ([1, 2, 3], { _ in [] }, "a key of no table"),
            ([UInt8.max - 1], { _ in [] }, "a key of no table"),
        ]
        for (key, change, message) in cases {
            let before = try index.store.value(key)
            try put(try change(before ?? []), key, index)
            let report = try index.verify(depth: .full)
            let isFound = report.findings.contains { $0.message.contains(message) }
            #expect(isFound, "\(message): \(report)")
            try put(before, key, index)
            let again = try index.verify(depth: .full)
            #expect(again.isClean, "\(message): \(again)")
        }
    }

    private func put(_ value: [UInt8]?, _ key: [UInt8], _ index: TextIndex<WorkNote>) throws {
        let batch = StoreBatch()
        if let value { batch.put(key, value) } else { key.withUnsafeBytes { batch.delete($0) } }
        try index.store.commit(batch, sync: false)
    }

    @Test("No document has the last of all numbers: a journal that says so is damaged")
    func lastNumber() throws {
        let folder = try TemporaryFolder("meta")
        let index = try openNotes(at: folder("index"))
        index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
        var key = Buffer<UInt8>()
        Key.document(.journal, .max, into: &key)
        try put([1], key.toArray(), index)
        try index.close()
        expectError(.corrupted) { try openNotes(at: folder("index")) }
    }

    @Test(
        "Numbers that were not given, segments that overlap and a rebuild without settings are findings"
    )
    func states() throws {
        let folder = try TemporaryFolder("meta")
        let index = try makeIndex(at: folder("index"))
        defer { try? index.close() }
        let view = try VerificationView.now(of: index.writer)
        func messages(
            rebuilt: [FlushedSegment] = [], nextDocument: UInt32? = nil, nextSegment: UInt32? = nil
        ) throws -> Set<String> {
            let verifier = Verifier(
                VerificationView(
                    snapshot: view.snapshot, rebuilt: rebuilt, living: view.living,
                    engagements: view.engagements, clientStates: view.clientStates,
                    fingerprint: view.fingerprint, nextDocument: nextDocument ?? view.nextDocument,
                    nextSegment: nextSegment ?? view.nextSegment, watermark: view.watermark,
                    cursor: view.cursor, second: view.second))
            try verifier.examineQuickly()
            return Set(verifier.report.findings.map(\.message))
        }
        let segments = view.snapshot.flushed
        #expect(try messages().isEmpty)
        #expect(try messages(nextDocument: 3).contains("a document number that was not given yet"))
        #expect(try messages(nextSegment: 0).contains("a segment number that was not given yet"))
        let found = try messages(rebuilt: [segments[1], segments[0]])
        #expect(
            found.isSuperset(of: [
                "segments overlap", "two segments have one number",
                "the settings of the unfinished rebuild are not there",
                "the stored manifest names other segments",
            ]), "\(found)")
    }
}
