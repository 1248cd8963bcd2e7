import Dispatch
import Foundation
import Synchronization

/// Commits prepared work, publishes snapshots, and has segments flushed and merged in the
/// background.
///
/// Facts:
/// 1. One thread commits at a time (the operation sequencer sees to it); flushes and merges run on
///    `background`, one at a time. Both change `state` only under its lock.
/// 2. Readers take `snapshot` and never touch `state`.
/// 3. A document number is given once; what is stored under it never changes.
/// 4. Documents accepted in bulk are *pending*: numbered, not visible, and not durable until their
///    flush names them. Nothing else is committed in between, so that operations take effect in
///    their order.
/// 5. A rebuild writes segments that are durable but not visible (`RebuildWriter`); one batch
///    puts them in the place of the visible ones.
final class IndexWriter: Sendable {
    let store: IndexStore
    let configuration: TextIndexConfiguration
    let state: Mutex<State>
    /// Held by who commits, and by the end of a rebuild, which lets no operation commit in between.
    let committing = Mutex(())
    /// Held by who publishes a generation.
    let publishing = Mutex(())
    private let published: Mutex<Snapshot>
    let background = SerialWork()
    /// Where the space of deleted segments is given back.
    let reclaiming = SerialWork()
    /// What still looks at a snapshot.
    let pendingDetails = PendingDetails()
    /// What waits for commits.
    let commits = CommitSignal()
    /// Set while the index closes: background work ends early.
    let isClosing = Mutex(false)

    init(
        store: IndexStore, analyzer: Analyzer, configuration: TextIndexConfiguration,
        caches: SearchCaches? = nil
    ) throws {
        self.store = store
        self.configuration = configuration
        var opened = try IndexOpening.loadWhole(
            store, analyzer, configuration, caches ?? SearchCaches(configuration))
        // No byte of an index that is refused has changed.
        try store.beginWriting()
        Self.readAhead(opened.flushed, on: background)
        opened.generation = 1
        opened.failure = Self.standingFailure(store, configuration)
        published = Mutex(Self.snapshot(of: opened))
        state = Mutex(opened)
    }

    /// Of more documents than these what is read ahead may never be wanted, and takes its memory.
    private static let mostReadAhead = 1 << 16

    /// Has what the first search would wait for, the lengths of a small index, read before it
    /// comes.
    private static func readAhead(_ segments: [FlushedSegment], on background: SerialWork) {
        let count = segments.reduce(0) { $0 + $1.manifest.documentCount }
        guard 1...mostReadAhead ~= count else { return }
        background.async {
            var strings = 0
            for segment in segments where strings <= 4 * mostReadAhead {
                // What cannot be read is an error for whoever asks for it.
                strings += (try? segment.lengths())?.slotCount ?? 0
            }
        }
    }

    /// Why nothing can be written from the start.
    private static func standingFailure(
        _ store: IndexStore, _ configuration: TextIndexConfiguration
    ) -> TextIndexError? {
        if configuration.isReadOnly { return .readOnly }
        guard store.isInMemory else { return nil }
        return TextIndexError(
            .diskFull,
            "The disk is too full to open the index for more than reading; free some space.")
    }

    var flusher: Flusher { Flusher(writer: self) }
    var merger: Merger { Merger(writer: self) }
    var rebuild: RebuildWriter { RebuildWriter(writer: self) }
    var optimizer: Optimizer { Optimizer(writer: self) }

    var snapshot: Snapshot { published.withLock { $0 } }

    var isSynced: Bool { configuration.durability == .power }

    static func snapshot(of state: borrowing State) -> Snapshot {
        Snapshot(
            flushed: state.flushed, memory: state.memory, dead: state.dead, caches: state.caches,
            analyzer: state.analyzer, analyzerNumber: state.analyzerNumber,
            exchangeCount: state.exchangeCount, engagements: state.engagements,
            generation: state.generation, epoch: state.epoch)
    }

    func publish(_ state: inout State) {
        state.generation += 1
        let snapshot = Self.snapshot(of: state)
        published.withLock { $0 = snapshot }
        commits.ring(state.generation)
    }

    // MARK: Committing

    /// Commits a group of work in its order, and says of each how it went. What succeeded is
    /// durable and visible, but for documents of bulk loads, which are pending.
    func commit(_ works: [PreparedWork]) -> [Result<Void, any Error>] {
        committing.withLock { _ in
            let isWritable = recoverFromFailure()
            var outcomes = commitInTurn(works)
            // What was not tried because a write in the background had failed just before is tried
            // now.
            let untried = outcomes.indices.filter { outcomes[$0].untried != nil }
            if isWritable, !untried.isEmpty, recoverFromFailure() {
                let again = commitInTurn(untried.map { works[$0] })
                for (place, outcome) in zip(untried, again) { outcomes[place] = outcome }
            }
            return outcomes.map { $0.mapError { ($0 as? Untried)?.cause ?? $0 } }
        }
    }

    /// A group of more bytes is committed before more work is added to it: the store takes 64 MiB
    /// at once.
    private static let largestGroup = 8 << 20

    private func commitInTurn(_ works: [PreparedWork]) -> [Result<Void, any Error>] {
        var outcomes = [Result<Void, any Error>](repeating: .success(()), count: works.count)
        var group = OpenGroup()
        for (place, work) in works.enumerated() {
            if group.batch.byteCount > Self.largestGroup { finish(&group, &outcomes) }
            do {
                switch work {
                case .nothing: break
                case .removals(let identifiers):
                    if group.batch.isEmpty, try !holds(anyOf: identifiers) { break }
                    try add(work, at: place, to: &group, &outcomes)
                case .removalOfAll, .documents, .engagement:
                    try add(work, at: place, to: &group, &outcomes)
                case .changes(let changes):
                    finish(&group, &outcomes)
                    commit(changes, at: place, &outcomes)
                case .matchingRemovals(let find):
                    finish(&group, &outcomes)
                    try commitRemovals(find, at: place, &outcomes)
                case .largeDocuments(let documents, let isBulk):
                    finish(&group, &outcomes)
                    let snapshot = snapshot
                    let losses = state.withLock { $0.bulk.lossCount }
                    try accept(
                        documents.segment(snapshot.analyzer, number: snapshot.analyzerNumber))
                    if isBulk { break }
                    // What fails here and loses nothing is told to whoever writes next.
                    try? flusher.settleBulk()
                    if let loss = bulkLoss(since: losses) { throw loss }
                }
            } catch {
                outcomes[place] = .failure(error)
            }
        }
        finish(&group, &outcomes)
        return outcomes
    }

    /// Work that becomes durable with one batch, and its places in the group.
    struct OpenGroup {
        var batch = GroupBatch()
        var places: [Int] = []
    }

    func add(
        _ work: PreparedWork, at place: Int, to group: inout OpenGroup,
        _ outcomes: inout [Result<Void, any Error>]
    ) throws {
        group.places.append(place)
        do {
            do { try flusher.settleBulk() } catch let error as TextIndexError {
                throw Untried(cause: error)
            }
            try state.withLock { state in
                try checkWritable(&state)
                try group.batch.add(work, to: &state, self)
            }
        } catch {
            // The batch may hold a part of the work: none of it is written.
            for place in group.places { outcomes[place] = .failure(error) }
            group = OpenGroup()
        }
    }

    /// Whether the writer knows a living document of any of the identifiers.
    func holds(anyOf identifiers: [[UInt8]]) throws -> Bool {
        try state.withLock { state in
            // What failed may be there after all.
            try checkWritable(&state)
            guard state.hasDocuments else { return false }
            var lookup = IdentifierLookup(store: store)
            for identifier in identifiers {
                let document = try identifier.withUnsafeBufferPointer {
                    try lookup.document(for: $0, in: state)
                }
                if document != nil { return true }
            }
            return false
        }
    }

    func finish(_ group: inout OpenGroup, _ outcomes: inout [Result<Void, any Error>]) {
        let finished = group
        group = OpenGroup()
        guard !finished.batch.isEmpty else { return }
        do {
            while try !write(finished.batch) { flusher.waitForFlush() }
        } catch {
            for place in finished.places { outcomes[place] = .failure(error) }
            return
        }
        flusher.flushIfLarge()
        merger.scheduleVacuumIfUseful()
    }

    /// Runs `body`, which writes; the writer fails with what ends all writing.
    func writing(_ state: inout State, _ body: (inout State) throws -> Void) throws {
        do {
            try body(&state)
        } catch let error as TextIndexError {
            if store.isPoisoned { state.fail(error) }
            throw error
        }
    }

    /// Commits a manifest alone, with the numbers of documents that are given by now.
    func commit(_ manifest: Manifest, _ state: inout State, sync: Bool) throws {
        var manifest = manifest
        manifest.nextDocument = state.nextDocument
        let batch = StoreBatch()
        batch.put(Manifest.key, manifest.encoded())
        try store.commit(batch, sync: sync)
        state.manifest = manifest
    }

    /// Writes the batch and publishes what it did; false when a flush has to end before.
    private func write(_ batch: GroupBatch) throws -> Bool {
        try state.withLock { state in
            try checkWritable(&state)
            if batch.removesAll, state.flush != nil { return false }
            try writing(&state) { try batch.commit(to: &$0, self) }
            publish(&state)
            return true
        }
    }

    /// Takes a bulk segment as pending, and flushes when enough has come together.
    func accept(_ segment: MemorySegment, _ changes: [ClientState] = []) throws {
        let hashes = segment.documents.identifierHashes()
        try state.withLock { state in
            try checkWritable(&state)
            let base = try Self.take(segment.documentCount, &state)
            var replaced: [UInt32] = []
            segment.identifierTable.superseded.withElements {
                for document in $0 { replaced.append(base + document) }
            }
            if state.hasDocuments {
                var lookup = IdentifierLookup(store: store)
                replaced += try lookup.documents(of: segment, hashes, in: .init(state))
            }
            state.bulk.hashes.insert(hashes)
            state.bulk.pending.append(
                PlacedSegment(segment: segment, firstDocument: base, isJournaled: false))
            state.bulk.replaced += replaced
            for change in changes {
                state.bulk.clientStates[Array(change.name.utf8)] = Array(change.value)
            }
        }
        background.async(for: .flush) { self.flusher.storePending() }
        flusher.flushIfLarge()
    }

    /// Throws ``Untried`` when a write has failed and the store was not opened anew since.
    func checkWritable(_ state: inout State) throws {
        // Whoever's write it was may have yet to say so.
        if state.failure == nil, let failure = store.failure { state.fail(failure) }
        if let failure = state.failure { throw Untried(cause: failure) }
    }

    /// The first of `count` new document numbers.
    static func take(_ count: Int, _ state: inout State) throws -> UInt32 {
        let first = state.nextDocument
        let (next, overflow) = first.addingReportingOverflow(UInt32(clamping: count))
        guard !overflow, next < UInt32.max else {
            throw TextIndexError(
                .limitExceeded,
                "The index has used up its 4 billion document numbers; build a new one.")
        }
        state.nextDocument = next
        return first
    }

    /// Runs `body` while no operation can commit, with all that was committed before visible.
    func withCommitsHeldBack<R>(_ body: () throws -> R) throws -> R {
        try committing.withLock { _ in
            try flusher.settleBulk()
            return try body()
        }
    }

    /// Why pending documents were lost since `count` losses were counted; nil when none were.
    func bulkLoss(since count: Int) -> TextIndexError? {
        state.withLock { $0.bulk.lossCount == count ? nil : $0.bulk.loss }
    }
}

extension IndexWriter {
    /// Why nothing was written of some work: an earlier write had failed.
    struct Untried: Error {
        var cause: TextIndexError
    }
}

extension Result where Success == Void, Failure == any Error {
    fileprivate var untried: IndexWriter.Untried? {
        guard case .failure(let error) = self else { return nil }
        return error as? IndexWriter.Untried
    }
}
