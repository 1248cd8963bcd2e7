import Foundation

/// Examines one state of an index: reads all of it and compares every table with every other.
///
/// Takes memory for the vocabulary, the lengths and weights, and about 40 bytes a document.
final class Verifier {
    let view: VerificationView
    var report = VerificationReport()
    /// The flushed segments by their numbers, of searches and of an unfinished rebuild.
    let segments: [UInt32: SegmentExamination]
    /// In the order of their documents.
    let visible: [SegmentExamination]
    let rebuilt: [SegmentExamination]
    /// What the identifier of each document hashes to, by its record.
    var identifierHashes: [UInt32: UInt64] = [:]
    /// What the occurrences in each document add up to; only when sources are to be compared.
    var occurrences: [UInt32: UInt64]?

    init(_ view: VerificationView) {
        self.view = view
        visible = view.snapshot.flushed.map { SegmentExamination($0.manifest) }
        rebuilt = view.rebuilt.map { SegmentExamination($0.manifest) }
        segments = Dictionary(
            (visible + rebuilt).map { ($0.manifest.number, $0) }, uniquingKeysWith: { a, _ in a })
        report.objectCount = view.snapshot.count
        report.segmentCount = view.snapshot.flushed.count + view.snapshot.memory.count
    }

    /// Manifest, settings and counters.
    func examineQuickly() throws {
        try reading(.meta) { try examineMeta() }
        examineRanges()
        if LivingDocuments(view.snapshot) != view.living {
            report.add(.mismatch, .meta, "the living documents are not those that were committed")
        }
    }

    /// Everything.
    func examineFully() throws {
        report.depth = "full"
        try examineForeignTables()
        try examineColumns()
        try examineObjects()
        try examineIdentifiers()
        try examineJournal()
        try examineTombstones()
        try examineVocabulary()
        try examinePostings()
        try examineStems()
        try examineEngagements()
        for segment in segments.values.sorted(by: { $0.manifest.number < $1.manifest.number })
        where segment.digest != segment.manifest.digest {
            report.add(
                .mismatch, .meta, segment: segment.manifest.number,
                "the entries of the segment are not those that were written")
        }
    }

    // MARK: Reading

    /// Runs `body`, which reads from a table; what LevelDB cannot read is a finding.
    func reading(_ table: Table, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as TextIndexError where [.corrupted, .io].contains(error.code) {
            report.add(.unreadable, table, error.message)
        }
    }

    /// Calls `body` with every entry of a table; what it cannot decode is a finding.
    func forEachEntry(
        of table: Table,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try reading(table) {
            try view.cursor.forEach(in: table) { key, value in
                count(table, key, value)
                do {
                    try body(key, value)
                } catch is MalformedData {
                    report.add(
                        .malformed, table, key: Data(key), "the entry cannot be decoded")
                }
                return true
            }
        }
    }

    func count(_ table: Table, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        report.entriesByTable["\(table)", default: 0] += 1
        report.byteCount += key.count + value.count
    }

    func countUnnamed(_ table: Table) { report.unnamedByTable["\(table)", default: 0] += 1 }

    /// The segment that the key names, after adding the entry to what it has.
    func segment(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) -> SegmentExamination? {
        guard let number = Key.segment(of: key) else { throw MalformedData() }
        guard let segment = segments[number] else { return nil }
        segment.digest &+= EntryDigest.of(key, value)
        return segment
    }

    /// The flushed segment that a document is in.
    func owner(of document: UInt32) -> SegmentExamination? {
        Self.owner(of: document, in: visible) ?? Self.owner(of: document, in: rebuilt)
    }

    private static func owner(
        of document: UInt32, in segments: [SegmentExamination]
    ) -> SegmentExamination? {
        let place = segments.firstPlace { $0.manifest.documents.upperBound > document }
        return place < segments.count && segments[place].owns(document) ? segments[place] : nil
    }

    func memoryPart(of document: UInt32) -> PlacedSegment? {
        view.snapshot.memory.first { $0.documents.contains(document) }
    }
}
