import Foundation

/// Writes a new index out of parts of another one. What is not added does not come along: no
/// leftovers, and nothing of LevelDB's own files.
///
/// The new index exists with `finish()`; a crash before leaves a directory that the next copy to
/// the same place removes.
final class IndexCopy {
    let directory: URL
    private let source: IndexStore
    private let target: IndexStore
    private let batch = StoreBatch()
    private var key = Buffer<UInt8>()
    private(set) var segments: [Manifest.Segment] = []
    private(set) var living = LivingDocuments()
    private var engagements = EngagementTotals()

    /// A place for a copy on the file system of `directory`, beside it. What lies there is
    /// nobody's: the next copy removes it. So the name is one that people do not give.
    static func place(beside directory: URL) -> URL {
        directory.deletingLastPathComponent()
            .appendingPathComponent(
                ".\(directory.lastPathComponent).copying", isDirectory: true)
    }

    /// A copy within the directory that it is made of would come along into itself and each later
    /// copy.
    ///
    /// - Throws: `.invalidArgument`.
    static func checkApart(_ place: URL, from source: URL) throws {
        // Links are resolved as far as there is something.
        var found = place.standardizedFileURL
        while !FileManager.default.fileExists(atPath: found.path), found.pathComponents.count > 1 {
            found.deleteLastPathComponent()
        }
        let components = found.resolvingSymlinksInPath().pathComponents
        let own = source.standardizedFileURL.resolvingSymlinksInPath().pathComponents
        guard !components.starts(with: own) else {
            throw TextIndexError(
                .invalidArgument,
                "\(place.path) lies in the directory that is to be copied; name another place.")
        }
    }

    init(of source: IndexStore, at directory: URL, _ configuration: TextIndexConfiguration) throws {
        self.source = source
        self.directory = directory
        target = try Self.makeStore(at: directory, configuration)
    }

    /// An empty store in the place of an earlier copy.
    static func makeStore(
        at directory: URL, _ configuration: TextIndexConfiguration
    ) throws -> IndexStore {
        try remove(directory)
        var configuration = configuration
        configuration.isReadOnly = false
        configuration.reservedSpace = 0
        do {
            return try IndexStore(at: directory, configuration: configuration)
        } catch {
            // A disk may be full with the first file.
            try? remove(directory)
            throw error
        }
    }

    /// Removes an earlier copy, and what was put beside it.
    static func remove(_ directory: URL) throws {
        guard FileManager.default.fileExists(atPath: directory.path) else { return }
        try IndexStore.destroy(at: directory)
        guard FileManager.default.fileExists(atPath: directory.path) else { return }
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            throw TextIndexError(
                .io, "\(directory.path) is in the way and cannot be removed.", underlying: error)
        }
    }

    /// Copies a segment; throws when it is not what was written.
    func add(_ segment: Manifest.Segment) throws {
        try SegmentEntries(store: source, segment: segment).forEach { key, value in
            batch.copy(key, value)
            try commitIfLarge()
        }
        segments.append(segment)
    }

    /// Copies a record and writes its identifier. Throws when the record is not what was written.
    func addRecord(
        _ document: UInt32, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        isAlive: Bool
    ) throws {
        let identifier = try ObjectRecord.identifier(try Seal.content(key, value))
        batch.copy(key, value)
        Array(identifier).withUnsafeBufferPointer { batch.putIdentifier($0, document) }
        if isAlive { living.insert(document) } else { batch.putTombstone(document) }
        try commitIfLarge()
    }

    /// Copies a document by its number, as a repair keeps it.
    func add(_ document: UInt32, _ kept: Salvage.Kept, isJournaled: Bool) throws {
        guard kept != .withoutRecord else { return batch.putTombstone(document) }
        for table in isJournaled ? [Table.objects, .journal] : [.objects] {
            Key.document(table, document, into: &key)
            let found: Void? = try source.withValue(key, table) { [key = key.toArray()] value in
                try key.withUnsafeBytes { key in
                    if table == .journal { return try addJournal(key, value) }
                    try addRecord(document, key, value, isAlive: kept == .alive)
                }
            }
            if found == nil { throw TextIndexError.corrupted("the table '\(table)'") }
        }
    }

    /// Copies the strings of a document that is not flushed.
    func addJournal(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
        _ = try Seal.content(key, value)
        batch.copy(key, value)
        try commitIfLarge()
    }

    /// Writes an entry of what was learned, unless it is empty.
    func add<Entry: EngagementEntry>(_ entry: Entry, _ name: [UInt8]) throws {
        guard !entry.isEmpty else { return }
        let key = Entry.key(name)
        let value = entry.sealed(under: key)
        key.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                batch.copy(key, value)
                engagements.insert(EntryDigest.of(key, value))
            }
        }
        try commitIfLarge()
    }

    /// Makes the copy an index; `manifest` needs no segments.
    func finish(
        _ manifest: Manifest, fingerprint: [UInt8], clientStates: ClientStates.Values, lost: [Data],
        _ uncertainty: Uncertainty?
    ) throws {
        var manifest = manifest
        manifest.segments = segments
        manifest.rebuilt = []
        manifest.retired = []
        batch.put(IndexOpening.fingerprintKey, fingerprint)
        batch.put(LivingDocuments.key, living.encoded())
        batch.put(Key.identifiersEnd, [])
        if !lost.isEmpty { batch.put(LostObjects.key, LostObjects.encode(lost)) }
        for (name, value) in clientStates { batch.putClientState(name, value) }
        if let uncertainty { batch.put(Uncertainty.key, uncertainty.encoded()) }
        if let identity = try IndexIdentity.stored(in: source) {
            batch.put(IndexIdentity.key, identity)
        }
        engagements.put(into: batch)
        batch.put(Manifest.key, manifest.encoded())
        try target.commit(batch, sync: true)
        try target.close()
    }

    /// Closes and removes what was written.
    func abandon() {
        try? target.close()
        try? Self.remove(directory)
    }

    private func commitIfLarge() throws {
        if batch.byteCount >= SegmentWriter.batchSize { try target.commit(batch, sync: false) }
    }
}

extension IndexCopy {
    /// Copies all of one committed state, and proves the copy.
    static func write(
        _ writer: IndexWriter, at directory: URL, _ configuration: TextIndexConfiguration
    ) throws -> VerificationReport {
        let view = try VerificationView.now(of: writer)
        let copy = try IndexCopy(of: writer.store, at: directory, configuration)
        do {
            try copy.addAll(of: view, writer.store)
            var manifest = Manifest()
            manifest.nextDocument = view.nextDocument
            manifest.nextSegment = view.nextSegment
            manifest.watermark = view.watermark
            try copy.finish(
                manifest, fingerprint: IndexOpening.encode(view.fingerprint),
                clientStates: view.clientStates, lost: try LostObjects.stored(in: writer.store),
                try Uncertainty.stored(in: writer.store))
            let report = try verify(directory, view.snapshot.analyzer, configuration)
            guard report.isClean, report.objectCount == view.snapshot.count else {
                throw TextIndexError.corrupted("what was to be copied")
            }
            return report
        } catch {
            copy.abandon()
            throw error
        }
    }

    private func addAll(of view: VerificationView, _ store: IndexStore) throws {
        var missing = Tombstones()
        for segment in view.snapshot.flushed {
            try add(segment.manifest)
            missing.insert(
                try FlushedSegment.missingDocuments(of: segment.manifest, in: store))
        }
        try view.cursor.forEach(in: .objects) { key, value in
            let document = try Key.lastNumber(key)
            guard view.snapshot.covers(document), !missing.contains(document) else { return true }
            try addRecord(document, key, value, isAlive: !view.snapshot.dead.contains(document))
            return true
        }
        let memory = view.snapshot.memory.map(\.documents)
        try view.cursor.forEach(in: .journal) { key, value in
            let document = try Key.lastNumber(key)
            if memory.contains(where: { $0.contains(document) }) { try addJournal(key, value) }
            return true
        }
        try addEngagements(of: view, store)
    }

    /// Opens a copy, without the work that an index does in the background, and proves its state.
    static func verify(
        _ directory: URL, _ analyzer: Analyzer, _ configuration: TextIndexConfiguration
    ) throws -> VerificationReport {
        var configuration = configuration
        configuration.isReadOnly = true
        let store = try IndexStore(at: directory, configuration: configuration)
        let report = Result {
            let writer = try IndexWriter(
                store: store, analyzer: analyzer, configuration: configuration)
            let verifier = Verifier(try VerificationView.now(of: writer))
            try verifier.examineQuickly()
            try verifier.examineFully()
            return verifier.report
        }
        try store.close()
        return try report.get()
    }
}
