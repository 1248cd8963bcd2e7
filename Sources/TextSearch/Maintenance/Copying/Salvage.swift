import Foundation

/// What of a damaged index is proved to be what was written, in a store of all that can be read of
/// it (``Wreck``).
///
/// Nothing is changed in it. Memory: the identifiers, and about 100 bytes a document.
struct Salvage {
    private(set) var manifest: Manifest?
    private(set) var fingerprint: [UInt8]?
    private(set) var living: LivingDocuments?
    /// Segments with all their entries.
    private(set) var sound: [Manifest.Segment] = []
    private(set) var damaged: [Manifest.Segment] = []
    /// Documents in the ranges of sound segments that are not theirs.
    private var missing = Tombstones()
    private var dead: Set<UInt32> = []
    /// The identifiers of documents whose records are sound.
    private var records: [UInt32: [UInt8]] = [:]
    /// The identifiers that keys give, of documents whose records are not.
    private var named: [UInt32: [UInt8]] = [:]
    /// Documents whose strings in the journal are sound.
    private var journal: Set<UInt32> = []
    /// What was learned, as far as it is sound.
    private(set) var engagements: [(query: [UInt8], engagements: QueryEngagements)] = []

    init(_ store: IndexStore) throws {
        try readMeta(store)
        for segment in manifest?.segments ?? [] where fingerprint != nil {
            if try Self.isWhole({
                try SegmentEntries(store: store, segment: segment).forEach { _, _ in }
            }) {
                missing.insert(try FlushedSegment.missingDocuments(of: segment, in: store))
                sound.append(segment)
            } else {
                damaged.append(segment)
            }
        }
        try Self.forEachEntry(of: .objects, store) { key, value in
            guard key.count == 5, let content = try? Seal.content(key, value),
                (try? ObjectRecord(content).forEachString { _ in }) != nil
            else { return }
            records[try Key.lastNumber(key)] = Array(try ObjectRecord.identifier(content))
        }
        try Self.forEachEntry(of: .identifiers, store) { key, _ in
            guard let identifier = Key.identifier(key) else { return }
            let document = try Key.lastNumber(key)
            if records[document] == nil { named[document] = Array(identifier) }
        }
        for segment in manifest?.segments ?? [] { nameDocuments(of: segment, store) }
        try Self.forEachEntry(of: .journal, store) { key, value in
            guard key.count == 5, let content = try? Seal.content(key, value),
                (try? JournalEntry.decode(content)) != nil
            else { return }
            journal.insert(try Key.lastNumber(key))
        }
        try Self.forEachEntry(of: .tombstones, store) { key, value in
            if key.count == 5, value.isEmpty { dead.insert(try Key.lastNumber(key)) }
        }
        try Self.forEachEntry(of: .engagements, store) { key, value in
            engagements.append((Array(key.dropFirst()), try QueryEngagements(key, value)))
        }
    }

    private mutating func readMeta(_ store: IndexStore) throws {
        func read<R>(_ key: [UInt8], _ decode: (UnsafeRawBufferPointer) throws -> R) throws -> R? {
            do {
                return try store.value(key)?.withUnsafeBytes(decode)
            } catch let error as TextIndexError where error.code != .corrupted {
                throw error
            } catch {
                return nil
            }
        }
        manifest = try read(Manifest.key) { try Manifest($0) }
        living = try read(LivingDocuments.key) { try LivingDocuments($0) }
        fingerprint = try read(IndexOpening.fingerprintKey) { Array($0) }
    }

    // MARK: Reading

    /// Takes the identifiers that a segment has, too, of documents that nothing else names.
    private mutating func nameDocuments(of segment: Manifest.Segment, _ store: IndexStore) {
        for number in 0..<IdentifierPage.pageCount(of: segment) {
            guard let page = try? store.identifierPage(number, of: segment) else { continue }
            for place in 0..<page.count {
                let document =
                    segment.firstDocument + UInt32(number * IdentifierPage.size + place)
                guard records[document] == nil, named[document] == nil else { continue }
                page.withIdentifier(at: place) {
                    if !$0.isEmpty { named[document] = Array($0) }
                }
            }
        }
    }

    private static func isWhole(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as TextIndexError where error.code == .corrupted {
            return false
        }
    }

    /// Calls `body` with the entries of a table; what it finds malformed is passed over.
    private static func forEachEntry(
        of table: Table, _ store: IndexStore,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try store.makeCursor(fillCache: false).forEach(in: table) { key, value in
            try? body(key, value)
            return true
        }
    }

    // MARK: What is kept

    /// What can be taken over of a document.
    enum Kept { case alive, dead, withoutRecord }

    /// The documents that the repaired index has, ascending; of each identifier the newest one is
    /// alive.
    func keptDocuments() -> [(document: UInt32, kept: Kept)] {
        var documents: [UInt32] = []
        for segment in sound {
            documents += segment.documents.filter { !missing.contains($0) }
        }
        documents += journal.filter { isJournaled($0) && records[$0] != nil }.sorted()
        var newest: [[UInt8]: UInt32] = [:]
        for document in documents where !dead.contains(document) {
            if let identifier = records[document] { newest[identifier] = document }
        }
        return documents.map { document in
            guard let identifier = records[document] else { return (document, .withoutRecord) }
            return (document, newest[identifier] == document ? .alive : .dead)
        }
    }

    /// The identifiers of the objects that are kept alive.
    func identifiers(of kept: [(document: UInt32, kept: Kept)]) -> Set<[UInt8]> {
        Set(kept.compactMap { $0.kept == .alive ? records[$0.document] : nil })
    }

    /// Whether a document is in no segment, and its strings are there. Without a manifest there are
    /// no segments.
    func isJournaled(_ document: UInt32) -> Bool {
        journal.contains(document) && document >= manifest?.watermark ?? 0
    }

    /// Documents that were alive, as far as can be told, and are not kept alive.
    func lostDocuments(_ kept: [(document: UInt32, kept: Kept)]) -> [UInt32: [UInt8]] {
        var there: Set<[UInt8]> = []
        for (document, kept) in kept where kept == .alive {
            if let identifier = records[document] { there.insert(identifier) }
        }
        return records.merging(named) { a, _ in a }.filter { document, identifier in
            !dead.contains(document) && mayBeAlive(document) && !there.contains(identifier)
        }
    }

    private func mayBeAlive(_ document: UInt32) -> Bool {
        guard let manifest else { return true }
        if document >= manifest.watermark { return true }
        if sound.contains(where: { $0.documents.contains(document) }) {
            return !missing.contains(document)
        }
        return manifest.segments.contains { $0.documents.contains(document) }
    }

    /// What the repaired index goes on counting from.
    var nextManifest: Manifest {
        var next = manifest ?? Manifest()
        let last = [records.keys.max(), named.keys.max(), journal.max()].compactMap { $0 }.max()
        if let last { next.nextDocument = max(next.nextDocument, last &+ 1) }
        return next
    }
}
