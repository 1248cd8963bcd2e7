import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// A sound index is clean wherever its parts lie, and its objects agree with it.
@Suite("Verification of sound indexes")
struct VerificationTests {
    @Test(
        "Random indexes are clean in memory, flushed, merged and reopened", arguments: testSeeds(6))
    func randomIndexes(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<8 {
            try await bench.change()
            try bench.move()
            let objects = bench.corpus.model.objects
            bench.index.objectGetter = { identifier in
                objects.first { $0.identifier == identifier }
            }
            for depth in [VerificationDepth.quick, .full, .source(sample: nil)] {
                let report = try await bench.index.verify(depth: depth)
                #expect(report.isClean, "seed \(seed): \(report)")
                #expect(report.objectCount == objects.count)
            }
            let sampled = try await bench.index.verify(depth: .source(sample: 3))
            #expect(sampled.sourceCount >= min(3, objects.count), "seed \(seed)")
            #expect(sampled.sourceCount <= 6, "seed \(seed)")
        }
    }

    @Test("The counts are those of the model", arguments: testSeeds(2))
    func counts(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<4 { try await bench.change() }
        try await bench.index.optimize()
        let report = try await bench.index.verify()
        let words = bench.corpus.model.objects.reduce(0) { total, object in
            total
                + object.strings.reduce(0) { count, string in
                    let terms = string.words.map(\.folded).filter {
                        !bench.corpus.model.stopWords.contains($0)
                    }
                    return count
                        + (bench.corpus.model.discardsDuplicates ? Set(terms).count : terms.count)
                }
        }
        #expect(report.occurrenceCount == words, "seed \(seed)")
        #expect(report.documentCount == bench.corpus.model.objects.count, "seed \(seed)")
        #expect(report.segmentCount == 1)
        let again = try JSONDecoder().decode(
            VerificationReport.self, from: try JSONEncoder().encode(report))
        #expect(again == report)
    }

    @Test("An index of many documents with long postings and stems is clean")
    func largeIndex() throws {
        let folder = try TemporaryFolder("verification")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        var report = try index.verify()
        #expect(report.isClean, "\(report)")
        for table in Table.allCases {
            #expect(report.entriesByTable["\(table)", default: 0] > 0, "no \(table)")
        }
        try index.optimize()
        report = try index.verify()
        #expect(report.isClean, "\(report)")
        try index.closeVerified()
    }

    @Test("An object that changed behind the index's back is found, and one that is gone")
    func outdatedObjects() throws {
        let folder = try TemporaryFolder("verification")
        let index = try openNotes(at: folder("index"))
        defer { try? index.closeVerified() }
        for id in 0..<20 { index.indexObject(WorkNote(id: id, version: 1)) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        try index.flush()
        index.indexObject(WorkNote(id: 20, version: 1)).waitUntilFinished()
        func findings(_ get: @escaping @Sendable (Int) -> WorkNote?) throws -> Int {
            index.objectGetter = { identifier in
                Int(String(decoding: identifier, as: UTF8.self).dropFirst(5)).flatMap(get)
            }
            let report = try index.verify(depth: .source(sample: nil))
            #expect(report.findings.allSatisfy { $0.kind == .outdated }, "\(report)")
            return Set(report.findings.map(\.document)).count
        }
        #expect(try findings { WorkNote(id: $0, version: 1) } == 0)
        #expect(try findings { WorkNote(id: $0, version: $0 == 3 || $0 == 20 ? 2 : 1) } == 2)
        #expect(try findings { $0 == 5 ? nil : WorkNote(id: $0, version: 1) } == 1)
    }

    @Test("A verification beside work sees one committed state")
    func besideWork() async throws {
        let folder = try TemporaryFolder("verification")
        let index = try openNotes(at: folder("index"), tinyBuffers())
        let work = Task {
            for round in 0..<12 {
                try await index.indexObjects((0..<60).map { WorkNote(id: $0, version: round) })
                index.removeIndex(forIdentifier: WorkNote.identifier(round))
                index.indexObject(WorkNote(id: 100 + round, version: round))
                if round % 4 == 3 { try await index.optimize() }
            }
        }
        for _ in 0..<30 {
            let report = try await index.verify()
            #expect(report.isClean, "\(report)")
        }
        try await work.value
        try await onThread { try index.closeVerified() }
    }
}

/// Opens an index of notes with stems.
func openVerified(
    at directory: URL, stopWords: StopWords = .english
) throws -> TextIndex<WorkNote> {
    var configuration = TextIndexConfiguration()
    configuration.analysis = TextAnalysis(stemming: .language(.english))
    configuration.inlinePostingsLimit = 16
    configuration.stopWords = stopWords
    configuration.indexesStopWords = false
    return try openNotes(at: directory, configuration)
}

/// Segments with blocks, pages of positions, stems and missing documents; tombstones; a journal.
func fillVerified(_ index: TextIndex<WorkNote>) throws {
    for id in 0..<300 { index.indexObject(WorkNote(id: id, version: 1)) }
    index.indexingQueue.waitUntilAllOperationsAreFinished()
    try index.flush()
    for id in 0..<100 { index.removeIndex(forIdentifier: WorkNote.identifier(id)) }
    index.indexingQueue.waitUntilAllOperationsAreFinished()
    try index.optimize()
    for id in 280..<330 { index.indexObject(WorkNote(id: id, version: 2)) }
    index.indexingQueue.waitUntilAllOperationsAreFinished()
    try index.flush()
    for id in 320..<340 { index.indexObject(WorkNote(id: id, version: 3)) }
    for id in 200..<210 { index.removeIndex(forIdentifier: WorkNote.identifier(id)) }
    for id in 190..<230 {
        for text in ["headings", "stamp\(id)", "body headings"].prefix(id % 3 + 1) {
            index.recordEngagement(
                withIdentifier: WorkNote.identifier(id), for: text,
                at: Date(timeIntervalSinceReferenceDate: Double(id)))
        }
    }
    index.indexingQueue.waitUntilAllOperationsAreFinished()
}
