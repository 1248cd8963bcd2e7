import Foundation
import LevelDB
import Synchronization

/// The LevelDB database under an index: the only place that knows of it.
///
/// **Thread safety**: may be used from any thread; batches and cursors belong to one thread each.
final class IndexStore: Sendable {
    private let database: Database
    private let options: DatabaseOptions
    /// Postings up to this many bytes are written into the vocabulary.
    let inlinePostingsLimit: Int
    /// The most bytes of one word's postings, and of a page of their positions.
    let largestPostings: Int
    /// The terms of a flush are written in slices of so many postings or more.
    let leastSplitPostings: Int
    /// Segments of so many bytes, about, come into table files of their own.
    private let leastRun: Int
    /// Bytes committed since opening.
    private let written = Atomic<Int>(0)
    /// The bytes of all that is kept, which each kind has its share of.
    private let cacheSize: Int
    private let lazyRecords = AtomicLazyReference<RecentCache<UInt32, StoredRecord>>()

    private let budget: CacheBudget?

    static func cacheSize(of configuration: TextIndexConfiguration) -> Int {
        configuration.cacheBudget?.byteCount ?? max(configuration.cacheSize, 0)
    }

    /// Opens it; `meanwhile` runs while that waits for the disk, on another thread or not at all.
    /// With `defersWriting` nothing of an index that is there changes before ``beginWriting()``.
    init(
        at directory: URL, configuration: TextIndexConfiguration, defersWriting: Bool = false,
        meanwhile: (@Sendable () -> Void)? = nil
    ) throws {
        var options = DatabaseOptions()
        options.writeBufferSize = configuration.writeBufferSize
        options.maxFileSize = configuration.tableSize
        cacheSize = Self.cacheSize(of: configuration)
        options.blockCacheSize = cacheSize / 8 * 3
        options.trustedOwners = configuration.isReadOnly ? configuration.trustedOwners : []
        budget = configuration.cacheBudget
        let blockBytes = options.blockCacheSize
        options.sharedBlocks = budget?.shared { BlockCache(byteCount: blockBytes) }
        // Ten of them are for other files.
        options.maxOpenFiles = min(max(configuration.maximumOpenFiles, 64), 1 << 20) + 10
        options.reserveSize = configuration.reservedSpace
        options.format = Manifest.databaseFormat
        options.defersWriting = defersWriting
        inlinePostingsLimit = configuration.inlinePostingsLimit
        largestPostings = configuration.largestPostings
        leastSplitPostings = configuration.leastSplitPostings
        leastRun = configuration.leastRun
        self.options = options
        if !configuration.isReadOnly {
            try Directories.make(directory.deletingLastPathComponent())
        }
        database = try Self.translating {
            try Database(
                at: directory.path, mode: configuration.isReadOnly ? .read : .openOrCreate,
                options: options, meanwhile: meanwhile)
        }
        budget?.join()
    }

    deinit { budget?.leave() }

    /// Records of documents that were shown.
    var recentRecords: RecentCache<UInt32, StoredRecord> {
        lazyRecords.load()
            ?? lazyRecords.storeIfNil(
                RecentCache(byteCount: cacheSize / 8, budget: budget))
    }

    /// What opening left out.
    var recovery: RecoveryReport { RecoveryReport(database.discarded) }

    /// Whether a write failed, so that no more are taken until the index is opened again.
    var isPoisoned: Bool { database.isPoisoned }

    /// Why no more writes are taken, where one failed: what failed, or that something did where
    /// that was told before.
    var failure: TextIndexError? {
        guard isPoisoned else { return nil }
        do {
            try Self.translating { try database.write(WriteBatch(), sync: false) }
            return nil
        } catch {
            return error as? TextIndexError
        }
    }

    /// Whether the database was opened in memory over its files: it is read only, or the disk too
    /// full.
    var isInMemory: Bool { database.isInMemory }

    /// Makes another store of this one's files: see the database's method.
    func link(to directory: URL) throws {
        try Self.translating { try database.link(to: directory.path) }
    }

    /// Opens the database on the disk, where that was put off; cursors made before are of no use
    /// any more.
    func beginWriting() throws { try Self.translating { try database.beginWriting() } }

    /// Opens the database anew if a write failed; cursors made before are of no use any more.
    func reopen() throws { try Self.translating { try database.reopen() } }

    func commit(_ batch: StoreBatch, sync: Bool) throws {
        guard !batch.batch.isEmpty else { return }
        written.add(batch.byteCount, ordering: .relaxed)
        try Self.translating { try database.write(batch.batch, sync: sync) }
        batch.batch.clear()
    }

    /// Lends the value of a key to `body`; nil when there is no such key.
    func withValue<R>(
        _ key: borrowing Buffer<UInt8>, _ table: Table,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        try Self.translating(table) {
            try key.withBytes { try database.withValue(forKey: $0, body) }
        }
    }

    func value(_ key: [UInt8]) throws -> [UInt8]? {
        try Self.translating { try database.value(forKey: key) }
    }

    func makeCursor(fillCache: Bool = true) throws -> StoreCursor {
        StoreCursor(try Self.translating { try database.makeIterator(fillCache: fillCache) })
    }

    /// To be called before and after a segment of about so many bytes is written: where they are
    /// many, they come into table files of their own. Its keys lie together, so that LevelDB then
    /// leaves those as they are: nothing else lies between them.
    func beginTable(ofAbout byteCount: Int) throws {
        guard byteCount >= leastRun else { return }
        try Self.translating { try database.beginTable() }
    }

    /// Merges the files of LevelDB that hold keys of some segments, so that those that were deleted
    /// give their space back. Between its pieces it ends when `isCancelled` says so.
    ///
    /// - Returns: Whether it came to its end.
    func compact(_ segments: ClosedRange<UInt32>, isCancelled: () -> Bool) throws -> Bool {
        var key = Buffer<UInt8>(capacity: 8)
        Key.segment(segments.lowerBound, into: &key)
        let start = key.toArray()
        Key.segment(segments.upperBound, into: &key)
        return try compact(start, key.toArray() + [.max], isCancelled)
    }

    /// Merges the files of LevelDB, so that deleted keys give their space back.
    func compact() throws { _ = try compact([], [.max]) { false } }

    /// Piece by piece: writes wait for each of them.
    private func compact(
        _ start: [UInt8], _ end: [UInt8], _ isCancelled: () -> Bool
    ) throws -> Bool {
        try Self.translating {
            let bounds = try CompactionBounds.parting(start, end) {
                try database.approximateSize(from: $0, to: $1)
            }
            for (start, end) in zip(bounds, bounds.dropFirst()) {
                guard !isCancelled() else { return false }
                try database.compact(from: start, to: end)
            }
            return true
        }
    }

    /// Makes the next opening quick: what LevelDB would replay then becomes a table now.
    func settle() throws {
        guard written.load(ordering: .relaxed) > 256 << 10 else { return }
        // A range that holds no key: only the write buffer is written out.
        try Self.translating { try database.compact(from: [0], to: [0]) }
    }

    func close() throws {
        try Self.translating { try database.close() }
        guard written.exchange(0, ordering: .relaxed) > 1 << 20 else { return }
        // A compaction that closing ended early leaves its tables behind, as much as the index
        // again; LevelDB deletes them as it opens. When somebody else has opened it meanwhile, that
        // has happened.
        var options = options
        options.defersWriting = false
        if let again = try? Database(at: database.path, mode: .open, options: options) {
            try Self.translating { try again.close() }
        }
    }

    static func destroy(at directory: URL) throws {
        try translating { try Database.destroy(at: directory.path) }
    }

    /// Whether a directory is provably that of an index, of this format or another one.
    static func isIndex(at directory: URL) -> Bool { Database.hasFormat(at: directory.path) }

    /// Gives an index another name, or lets two take each other's; they may be open.
    static func rename(_ from: URL, to: URL, exchanging: Bool) throws {
        try translating {
            try Database.rename(from.path, to: to.path, exchanging: exchanging)
        }
    }

    /// Gives memory that was freed back to the system.
    static func giveBackMemory() { Database.giveBackMemory() }

    /// Turns what the layers below throw into the index's errors.
    static func translating<R>(_ table: Table? = nil, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch is MalformedData {
            throw TextIndexError.malformed(table)
        } catch let error as LevelDBError {
            throw TextIndexError(error)
        }
    }
}
