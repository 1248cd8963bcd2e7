import Foundation

/// Writes a new index out of documents of others, without their texts: their segments are merged
/// into one, with documents numbered anew in the order of the indexes.
///
/// The new index exists with `finish()`; a crash before leaves a directory that the next copy to
/// the same place removes.
final class IndexMerge {
    /// An index in one committed state.
    struct Source {
        let store: IndexStore
        let snapshot: Snapshot
    }

    private let sources: [Source]
    private let configuration: TextIndexConfiguration
    private let target: IndexStore
    private let batch = StoreBatch()
    /// Those of all sources, numbered one after the other.
    private var segments: [FlushedSegment] = []
    /// By the same numbers.
    private var dead = Tombstones()
    /// What comes after the last number.
    private var end: UInt32 = 0
    /// The documents that stay, by their new numbers from 0 on.
    private var count: UInt32 = 0
    /// Segments in the new store that only the merge reads; the first number is that of the result.
    private var passing: [UInt32] = []

    init(
        _ sources: [Source], at directory: URL, _ configuration: TextIndexConfiguration
    ) throws {
        self.sources = sources
        try IndexCopy.remove(directory)
        var configuration = configuration
        configuration.isReadOnly = false
        configuration.reservedSpace = 0
        self.configuration = configuration
        do {
            target = try IndexStore(at: directory, configuration: configuration)
        } catch {
            // A disk may be full with the first file.
            try? IndexCopy.remove(directory)
            throw error
        }
    }

    /// Writes the index, and proves it.
    ///
    /// - Parameters:
    ///   - sources: the indexes, with one analysis.
    ///   - directory: where nothing lies yet.
    ///   - configuration: that of the new index.
    ///   - isKept: whether a document stays, by its source and its identifier.
    /// - Returns: The proof.
    /// - Throws: ``TextIndexError``; what `isKept` throws.
    static func write(
        _ sources: [Source], at directory: URL, _ configuration: TextIndexConfiguration,
        where isKept: (_ source: Int, _ identifier: UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> VerificationReport {
        let merge = try IndexMerge(sources, at: directory, configuration)
        do {
            for source in sources.indices { try merge.add(source, isKept) }
            try merge.finish()
            let report = try IndexCopy.verify(
                directory, sources[0].snapshot.analyzer, configuration)
            guard report.isClean, report.objectCount == Int(merge.count) else {
                throw TextIndexError.corrupted("what was to be merged")
            }
            return report
        } catch {
            try? merge.target.close()
            try? IndexCopy.remove(directory)
            throw error
        }
    }

    // MARK: Sources

    private func add(
        _ number: Int, _ isKept: (Int, UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws {
        let source = sources[number]
        let caches = SearchCaches(configuration)
        for segment in source.snapshot.flushed {
            try add(segment.manifest, of: source.store, caches, missing: [], number, isKept)
        }
        guard !source.snapshot.memory.isEmpty else { return }
        // What is not flushed becomes a segment of the new store, to be merged as the others are.
        let own = UInt32(passing.count + 1)
        passing.append(own)
        let parts = source.snapshot.memory.map {
            PlacedSegment(
                segment: $0.segment, firstDocument: $0.firstDocument, isJournaled: true)
        }
        let written = try SegmentWriter(store: target, number: own, parts: parts).write()
        let missing = try FlushedSegment.missingDocuments(of: written, in: target)
        try add(written, of: target, caches, missing: missing, number, isKept)
    }

    /// Takes a segment in its place behind the others, and copies the records of its documents.
    private func add(
        _ manifest: Manifest.Segment, of store: IndexStore, _ caches: SearchCaches,
        missing: [UInt32], _ number: Int,
        _ isKept: (Int, UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws {
        guard Int(end) + manifest.documentCount < Int(UInt32.max) else {
            throw TextIndexError(
                .limitExceeded, "The indexes have more documents than one index can number.")
        }
        let snapshot = sources[number].snapshot
        let missing = Set(missing)
        var gone: [UInt32] = []
        for document in manifest.documents {
            let place = end + (document - manifest.firstDocument)
            let isThere = !snapshot.dead.contains(document) && !missing.contains(document)
            if isThere, try copy(document, number, isKept) { continue }
            gone.append(place)
        }
        dead.insert(gone)
        var placed = manifest
        placed.firstDocument = end
        segments.append(
            FlushedSegment(placed, missingCount: gone.count, store: store, caches))
        end += UInt32(manifest.documentCount)
    }

    /// Copies the record of a document under its new number; false where it does not stay.
    private func copy(
        _ document: UInt32, _ number: Int,
        _ isKept: (Int, UnsafeBufferPointer<UInt8>) throws -> Bool
    ) throws -> Bool {
        var key = Buffer<UInt8>()
        Key.document(.objects, document, into: &key)
        let found = try sources[number].store.withValue(key, .objects) { value -> Bool in
            let content = try key.withBytes { try Seal.content($0, value) }
            let identifier = Array(try ObjectRecord.identifier(value))
            return try identifier.withUnsafeBufferPointer { identifier in
                guard try isKept(number, identifier) else { return false }
                batch.putSealed(.objects, count, content)
                batch.putIdentifier(identifier, count)
                return true
            }
        }
        guard let isCopied = found else { throw TextIndexError.corrupted("a record") }
        if isCopied { count += 1 }
        if batch.byteCount >= SegmentWriter.batchSize { try target.commit(batch, sync: false) }
        return isCopied
    }

    // MARK: The new index

    private func finish() throws {
        try target.commit(batch, sync: false)
        var manifest = Manifest()
        if count > 0 {
            let merger = SegmentMerger(
                store: target, SearchCaches(configuration), number: 0, segments: segments,
                documents: MergedDocuments(of: segments, dead: dead, from: 0))
            manifest.segments = [try merger.write { false }]
        }
        manifest.nextDocument = count
        manifest.watermark = count
        manifest.nextSegment = UInt32(passing.count + 1)
        manifest.retired = passing
        var living = LivingDocuments()
        for document in 0..<count { living.insert(document) }
        batch.put(
            IndexOpening.fingerprintKey,
            IndexOpening.encode(sources[0].snapshot.analyzer.fingerprint))
        batch.put(LivingDocuments.key, living.encoded())
        batch.put(Key.identifiersEnd, [])
        var lost: [Data] = []
        for source in sources { lost += try LostObjects.stored(in: source.store) }
        if !lost.isEmpty { batch.put(LostObjects.key, LostObjects.encode(lost)) }
        if let uncertainty = try sources.lazy.compactMap({ try Uncertainty.stored(in: $0.store) })
            .first
        {
            batch.put(Uncertainty.key, uncertainty.encoded())
        }
        batch.put(Manifest.key, manifest.encoded())
        try target.commit(batch, sync: true)
        try target.close()
    }
}
