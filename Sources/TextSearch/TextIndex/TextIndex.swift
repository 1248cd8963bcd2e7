import Dispatch
public import Foundation
import Synchronization

/// A full-text index over objects of any kind.
///
/// Three hooks return an object's identifier, its text, and the object for an identifier. Searches
/// then return ranked hits with the exact range of every match.
///
/// ```swift
/// let index = try TextIndex<Note>(at: directory)
/// index.identifier = { note in Data(note.id.uuidString.utf8) }
/// index.indexer = { note, _ in IndexedObject(strings: [note.title, note.body]) }
/// index.indexObject(note).waitUntilFinished()
/// let hits = try index.searchResults(forKeyword: "duck")
/// ```
///
/// **Thread safety**: everything may be called from any thread.
///
/// **Durability**: an operation that has finished is visible to every later search and survives a
/// killed process; with ``Durability/power`` also a power cut.
///
/// **Order**: operations take effect in the order in which they were submitted. A hook must not
/// wait for another operation of the same index, nor call what does so (``removeAll()``,
/// ``close()``).
///
/// **Lifetime**: the index stays open, and locked for other processes, while operations are in its
/// queue or a ``SearchResultItem`` of it is held; ``close()`` ends that.
open class TextIndex<Object>: @unchecked Sendable {
    // Unchecked because the compiler checks no class that is open: its own state is immutable,
    // guarded or set before `init` returns, and subclasses answer for theirs.

    /// The hooks of a time.
    private final class Hooks: Sendable {
        let identifier: (@Sendable (Object) throws -> Data)?
        let indexer: (@Sendable (Object, Data) throws -> IndexedObject?)?
        let objectGetter: (@Sendable (Data) throws -> Object?)?

        init(
            identifier: (@Sendable (Object) throws -> Data)? = nil,
            indexer: (@Sendable (Object, Data) throws -> IndexedObject?)? = nil,
            objectGetter: (@Sendable (Data) throws -> Object?)? = nil
        ) {
            self.identifier = identifier
            self.indexer = indexer
            self.objectGetter = objectGetter
        }
    }

    /// The directory that holds the files of the index.
    public let directory: URL
    /// The configuration that the index was opened with. ``rebuild(with:progress:)`` may have
    /// changed how text is analysed since.
    public let configuration: TextIndexConfiguration
    /// The number of this published generation; nil for any other index.
    public let generation: Int?
    /// The queue on which objects are analysed. Its `maxConcurrentOperationCount` bounds how many
    /// at once.
    public var indexingQueue: OperationQueue { lazyQueue.get(Self.makeQueue) }
    /// Made when objects come: most programs that open an index only search it.
    private let lazyQueue = Lazy<OperationQueue>()

    /// What opening found half-written after a power cut, and left out.
    public var recovery: RecoveryReport { store.recovery }

    /// Whether the index alone says how results are ordered and what is indexed: it is not of a
    /// subclass, which may override both. It does not change once the index is made.
    private(set) var usesDefaultOrder = false
    /// How relevance is computed unless a search says otherwise.
    let similarity: BM25
    let store: IndexStore
    let writer: IndexWriter
    let sequencer: OperationSequencer
    let usage = UsageGate()
    var pendingDetails: PendingDetails { writer.pendingDetails }
    /// The settings that were asked for last; those of the visible state once it is built with
    /// them.
    let target: Mutex<Analyzer>
    /// One rebuild runs at a time.
    let rebuilds = DispatchQueue(label: "TextSearch.rebuild", target: ApplicationCode.loads)
    private let hooks = Mutex(Hooks())
    private var currentHooks: Hooks { hooks.withLock { $0 } }
    private let submission = NSLock()
    /// Whether the index is closed; locked while it closes.
    private let isClosed = Mutex(false)

    /// Opens the index in a directory, or makes a new one if there is none.
    ///
    /// If the disk is too full for opening, the index opens for reading: operations end with
    /// `.diskFull` until there is space, and then go on.
    ///
    /// Complexity: linear in what was indexed since the last flush.
    ///
    /// - Parameters:
    ///   - directory: a directory for this index alone; its parent must exist or be creatable.
    ///   - configuration: how to analyse text and what to use of the machine.
    /// - Throws: ``TextIndexError``: `.locked` if it is already open, `.configurationMismatch` if
    ///   it was built with other analysis settings, `.unsupportedFormat` if another version wrote
    ///   it in a format that this one does not know (nothing of it is changed), `.untrusted` if
    ///   others could have written it, `.corrupted`, `.io`, `.invalidArgument`.
    public init(at directory: URL, configuration: TextIndexConfiguration = .init()) throws {
        guard directory.isFileURL else {
            throw TextIndexError(.invalidArgument, "The directory must be a file URL.")
        }
        self.directory = directory
        self.configuration = configuration
        similarity = BM25(configuration.relevance, fields: configuration.fields)
        generation = nil
        let parts = OpeningParts(configuration)
        (store, writer) = try Self.open(directory, configuration, parts)
        target = Mutex(parts.analyzer)
        sequencer = OperationSequencer { [writer] in writer.commit($0) }
        usesDefaultOrder = type(of: self) == TextIndex<Object>.self
        writer.resumeMaintenance()
    }

    /// Opens the newest generation that ``publish(to:)`` has published, for reading only.
    ///
    /// It stays as it is until it is closed, whatever is published meanwhile.
    ///
    /// - Parameters:
    ///   - directory: what ``publish(to:)`` was given.
    ///   - configuration: the configuration that the index was made with.
    /// - Throws: ``TextIndexError``: `.invalidArgument` if nothing is published there; otherwise as
    ///   ``init(at:configuration:)`` does.
    public init(published directory: URL, configuration: TextIndexConfiguration = .init()) throws {
        var configuration = configuration
        configuration.isReadOnly = true
        self.configuration = configuration
        similarity = BM25(configuration.relevance, fields: configuration.fields)
        let analyzer: Analyzer
        (store, writer, analyzer, self.directory, generation) = try Publication(directory)
            .withNewest {
                // Anew for each that is tried: caches are those of one index.
                let parts = OpeningParts(configuration)
                let opened = try Self.open($0, configuration, parts)
                return (opened.store, opened.writer, parts.analyzer, $0, $1)
            }
        target = Mutex(analyzer)
        sequencer = OperationSequencer { [writer] in writer.commit($0) }
        usesDefaultOrder = type(of: self) == TextIndex<Object>.self
    }

    private static func open(
        _ directory: URL, _ configuration: TextIndexConfiguration, _ parts: OpeningParts
    ) throws -> (store: IndexStore, writer: IndexWriter) {
        // What may be invalid is looked at before anything is made on the disk, and what is the
        // application's runs here and on no other thread.
        if !Analyzer.isPlain(configuration) { try parts.analyzer.validate() }
        let store = try IndexStore(
            at: directory, configuration: configuration, defersWriting: true
        ) { parts.make() }
        do {
            return (
                store,
                try IndexWriter(
                    store: store, analyzer: parts.analyzer, configuration: configuration,
                    caches: parts.caches)
            )
        } catch {
            try? store.close()
            throw error
        }
    }

    private static func makeQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.name = "TextSearch.indexing"
        queue.maxConcurrentOperationCount = max(ProcessInfo.processInfo.activeProcessorCount, 2)
        return queue
    }

    /// Opens or makes the index `name` in the user's data directory.
    ///
    /// - Parameters:
    ///   - name: letters, digits, spaces, `-`, `_` and `.`; it must not begin with a point.
    ///   - configuration: how to analyse text and what to use of the machine.
    /// - Throws: ``TextIndexError``, as ``init(at:configuration:)`` does.
    public convenience init(
        named name: String, configuration: TextIndexConfiguration = .init()
    ) throws {
        try self.init(at: IndexLocation.directory(named: name), configuration: configuration)
    }

    deinit {
        // An index that nobody closed: what was finished is durable; the database must not outlive
        // us half-used.
        if usage.isForked { return }
        writer.stop()
        try? store.close()
    }

    // MARK: Hooks

    /// Returns an object's identifier: 1 to 4,096 bytes of any value.
    public var identifier: (@Sendable (Object) throws -> Data)? {
        get { currentHooks.identifier }
        set {
            changeHooks {
                Hooks(identifier: newValue, indexer: $0.indexer, objectGetter: $0.objectGetter)
            }
        }
    }

    /// Returns an object's text, weight and context; nil leaves the object out of the index.
    public var indexer: (@Sendable (Object, Data) throws -> IndexedObject?)? {
        get { currentHooks.indexer }
        set {
            changeHooks {
                Hooks(
                    identifier: $0.identifier, indexer: newValue, objectGetter: $0.objectGetter)
            }
        }
    }

    /// Returns an object by its identifier; nil if it is gone.
    public var objectGetter: (@Sendable (Data) throws -> Object?)? {
        get { currentHooks.objectGetter }
        set {
            changeHooks {
                Hooks(identifier: $0.identifier, indexer: $0.indexer, objectGetter: newValue)
            }
        }
    }

    private func changeHooks(_ changed: (Hooks) -> Hooks) {
        hooks.withLock { $0 = changed($0) }
    }

    /// Returns the identifier of an object. The default calls the hook ``identifier``.
    ///
    /// - Parameter object: the object.
    /// - Returns: Its identifier.
    /// - Throws: What the hook throws; ``TextIndexError/Code/missingHook``.
    open func identifier(for object: Object) throws -> Data {
        guard let hook = identifier else { throw TextIndexError.missingHook("identifier") }
        return try hook(object)
    }

    /// Returns what to index of an object. The default calls the hook ``indexer``.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - identifier: its identifier.
    /// - Returns: Its text, weight and context; nil leaves it out.
    /// - Throws: What the hook throws; ``TextIndexError/Code/missingHook``.
    open func indexedObject(for object: Object, identifier: Data) throws -> IndexedObject? {
        guard let hook = indexer else { throw TextIndexError.missingHook("indexer") }
        return try hook(object, identifier)
    }

    /// Calls what says what to index of an object; the hook is that of now, also if another one is
    /// set meanwhile. To look it up for each of many objects takes longer than to call it.
    func askingIndexer() -> (Object, Data) throws -> IndexedObject? {
        guard usesDefaultOrder, let hook = indexer else { return indexedObject }
        return hook
    }

    /// Returns the object with an identifier. The default calls the hook ``objectGetter``.
    ///
    /// - Parameter identifier: the identifier.
    /// - Returns: The object; nil if it is gone.
    /// - Throws: What the hook throws; ``TextIndexError/Code/missingHook``.
    open func object(for identifier: Data) throws -> Object? {
        guard let hook = objectGetter else { throw TextIndexError.missingHook("objectGetter") }
        return try hook(identifier)
    }

    /// Returns the score that results are ordered by, best first. Override it for a ranking of your
    /// own. It is called once for each match.
    ///
    /// - Parameter match: the match.
    /// - Returns: The score; the default is `match.defaultScore`. NaN counts as the lowest.
    open func score(of match: Match) -> Double { match.defaultScore }

    /// Returns the order of two results: `.orderedAscending` puts `a` first. Override it for an
    /// order that a score cannot give. Results that compare as equal come in the default order.
    ///
    /// - Parameters:
    ///   - a: a result.
    ///   - b: another result.
    /// - Returns: The order; the default is score descending, then earliest match, then more
    ///   matches.
    open func compare(
        _ a: SearchResultItem<Object>, _ b: SearchResultItem<Object>
    ) -> ComparisonResult {
        SearchResultItem.order(a, b)
    }

    // MARK: Submitting

    /// Makes an operation with its place in the order, and puts it into the queue.
    func submit(
        identifier: [UInt8],
        _ work: @escaping @Sendable (IndexingOperation) throws -> PreparedWork
    ) -> IndexingOperation {
        let queue = indexingQueue
        let operation = IndexingOperation(
            identifier: identifier, sequencer: sequencer, queue: queue, work: work)
        submission.lock()
        defer { submission.unlock() }
        sequencer.enter(operation)
        queue.addOperation(operation)
        return operation
    }

    // MARK: Closing

    /// Waits for everything submitted, and closes the index. Closing it again does nothing.
    ///
    /// Must not be called from a hook, a result block, `progress`, or an override of ``score(of:)``
    /// or ``compare(_:_:)``, since it would wait for itself. If ``indexingQueue`` is suspended, it
    /// waits until that resumes. ``shutdown()`` blocks no thread.
    ///
    /// - Throws: ``TextIndexError`` if the last writes failed; the index is closed nevertheless.
    public func close() throws {
        // It is the parent's, whose threads are not here.
        if usage.isForked { return }
        try isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            usage.refuseNewWork()
            usage.waitForWork()
            lazyQueue.made?.waitUntilAllOperationsAreFinished()
            usage.refuseSearches()
            writer.pendingDetails.settle()
            let outcome = Result { try writer.prepareToClose() }
            writer.stop()
            try store.close()
            try outcome.get()
        }
    }

    /// Returns when ``close()`` has nothing of the application's to wait for; the task is suspended
    /// until then.
    func readyToClose() async {
        usage.refuseNewWork()
        await usage.workEnded()
        await operationsFinished()
        await usage.searchesRefused()
    }

    /// Returns when all operations that are in the queue now have finished; the task is suspended
    /// until then.
    func operationsFinished() async { await lazyQueue.made?.operationsFinished() }

    /// Deletes an index with all its files. Other files in the directory stay.
    ///
    /// - Parameter directory: the directory of the index; nothing happens if there is none.
    /// - Throws: ``TextIndexError``: `.locked` if the index is open, `.io`.
    public static func destroy(at directory: URL) throws {
        try IndexStore.destroy(at: directory)
    }
}

extension TextIndex: ResultSource {}
