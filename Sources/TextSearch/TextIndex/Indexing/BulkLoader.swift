import Dispatch
import Foundation
import Synchronization

/// Streams objects into an index, or out of it: pulls them one by one, has them analysed and
/// committed in chunks on the indexing queue, and never holds more than a few chunks.
final class BulkLoader<Object>: Sendable {
    /// Chunks of this much text make memory segments that are worth their overhead.
    private static var chunkSize: Int { 4 << 20 }
    private static var chunkCount: Int { 32_768 }
    static var removalCount: Int { LoadChunk.removalCount }

    let index: TextIndex<Object>
    private let progress: (@Sendable (IndexingProgress) -> Void)?
    private let state = Mutex(LoadState())
    /// Set where the load is to end: asked for each object.
    private let isStopped = Atomic(false)
    private let pending = DispatchGroup()
    private let places: Places
    private let onlyRemoves: Bool
    /// What the chunks of a stream of changes have in common; nil for a load, a part of which may
    /// fail alone.
    private let fate: ChangeFate?
    /// Objects and removals of a chunk.
    private let mostCount: Int

    /// What is only removed is not analysed: more threads would make larger commits of it, not
    /// faster ones.
    init(
        index: TextIndex<Object>, progress: (@Sendable (IndexingProgress) -> Void)?,
        onlyRemoves: Bool = false, fate: ChangeFate? = nil
    ) {
        self.index = index
        self.progress = progress
        self.onlyRemoves = onlyRemoves
        self.fate = fate
        let threads = onlyRemoves ? 1 : index.indexingQueue.maxConcurrentOperationCount
        places = Places(max(threads, 1) + 1)
        mostCount = onlyRemoves ? Self.removalCount : Self.chunkCount
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        isStopped.store(true, ordering: .relaxed)
    }

    /// Ends the load, which cannot go on; of several errors the first one counts.
    func fail(_ error: any Error) {
        state.withLock { $0.error = $0.error ?? error }
        isStopped.store(true, ordering: .relaxed)
    }

    /// Loads all of `objects`.
    func load(_ objects: some Sequence<Object>) async throws -> IndexingReport {
        try await loadAll(objects) { try self.add($0, to: &$1, &$2) }
    }

    /// Has `add` put each element into a chunk, and chunks committed; an element that `add` throws
    /// for is reported, with the identifier that it gives before. The task is suspended while it
    /// waits for operations and flushes.
    func loadAll<Element>(
        _ elements: some Sequence<Element>,
        _ add: (Element, inout LoadChunk, _ failed: inout Data?) throws -> Void
    ) async throws -> IndexingReport {
        index.writer.merger.beginLoading(onlyRemoves: onlyRemoves)
        defer { index.writer.merger.endLoading(onlyRemoves: onlyRemoves) }
        return try await pull(elements, add)
    }

    private func pull<Element>(
        _ elements: some Sequence<Element>,
        _ add: (Element, inout LoadChunk, inout Data?) throws -> Void
    ) async throws -> IndexingReport {
        let lossCount = index.writer.state.withLock { $0.bulk.lossCount }
        // The first chunks of many objects are small: nothing is analysed before the first is full,
        // and each should be before the next is.
        var share = elements.underestimatedCount > mostCount / 4 ? 16 : 4
        var elements = elements.makeIterator()
        var chunk = LoadChunk(capacity: mostCount / share)
        var offset = 0
        var failed: Data?
        while !isStopped.load(ordering: .relaxed), let element = elements.next() {
            do { try add(element, &chunk, &failed) } catch {
                note(error, failed.take(), at: offset)
            }
            offset += 1
            if chunk.byteCount >= Self.chunkSize / share
                || chunk.objects.count + chunk.removals.count >= mostCount / share
            {
                await submit(chunk)
                share = max(share / 4, 1)
                chunk = LoadChunk(capacity: mostCount / share)
            }
        }
        if !chunk.isEmpty { await submit(chunk, isLast: true) }
        await pending.ended()
        let state = state.withLock { $0 }
        // What fails here and loses nothing is told to whoever writes next.
        if state.hasObjects { try? await index.writer.flusher.bulkSettled() }
        let loss = state.hasObjects ? index.writer.bulkLoss(since: lossCount) : nil
        if let error = state.error { throw error }
        if let loss { throw loss }
        // A load of nothing says too that nothing can be written.
        if !state.hasSubmitted { try await index.writer.flusher.bulkSettled() }
        if state.isCancelled { throw CancellationError() }
        return state.report
    }

    private func add(
        _ object: Object, to chunk: inout LoadChunk, _ failed: inout Data?
    ) throws {
        let identifier = try index.identifier(for: object)
        do {
            try index.check(identifier: identifier)
            try add(object, identifier, to: &chunk)
        } catch {
            failed = identifier
            throw error
        }
    }

    /// Puts an object into a chunk, or its removal where its indexer leaves it out; the identifier
    /// was checked.
    func add(_ object: Object, _ identifier: Data, to chunk: inout LoadChunk) throws {
        try add(
            try index.indexedObject(for: object, identifier: identifier), identifier, to: &chunk)
    }

    /// The same of what its indexer gave; nil leaves it out.
    func add(
        _ indexed: IndexedObject?, _ identifier: Data, to chunk: inout LoadChunk
    ) throws {
        if let indexed {
            chunk.append(indexed, identifier, size: try index.check(indexed))
        } else {
            chunk.remove(identifier)
            state.withLock { $0.report.skippedCount += 1 }
        }
    }

    private func note(_ error: any Error, _ identifier: Data?, at offset: Int) {
        state.withLock { state in
            state.report.failureCount += 1
            if state.report.failures.count < 1000 {
                state.report.failures.append(
                    .init(offset: offset, error: error, identifier: identifier))
            }
        }
    }

    /// Has a chunk analysed and committed; waits while too many are on their way.
    private func submit(_ chunk: LoadChunk, isLast: Bool = false) async {
        await places.take()
        let isFirst = state.withLock { state in
            defer {
                state.hasSubmitted = true
                if !chunk.objects.isEmpty { state.hasObjects = true }
            }
            return !state.hasSubmitted
        }
        if let fate, isFirst, isLast, chunk.isSmall {
            pending.enter()
            let turn = fate.nextTurn()
            return run(chunk) { [index] in
                .changes(chunk.changes(under: index.writer.snapshot, turn))
            }
        }
        for start in stride(from: 0, to: chunk.removals.count, by: Self.removalCount) {
            let end = min(start + Self.removalCount, chunk.removals.count)
            pending.enter()
            let turn = fate?.nextTurn()
            let removal = index.submit(identifier: []) { _ in
                let removals = Array(chunk.removals[start..<end])
                guard let turn else { return .removals(removals) }
                return .changes(PreparedChanges(removals: removals, fate: turn))
            }
            removal.onResolve { [self] in
                if let error = removal.error { fail(error) }
                pending.leave()
            }
        }
        pending.enter()
        let isEmpty = chunk.objects.isEmpty && chunk.states.isEmpty
        let turn = isEmpty ? nil : fate?.nextTurn()
        run(chunk) { [index] in
            guard !isEmpty else { return .nothing }
            let snapshot = index.writer.snapshot
            if let turn { return .changes(chunk.bulkChanges(under: snapshot, turn)) }
            return Self.prepare(chunk, snapshot, isOnly: isFirst && isLast)
        }
    }

    /// Submits what is made of a chunk; `pending` was entered.
    private func run(_ chunk: LoadChunk, _ work: @escaping @Sendable () throws -> PreparedWork) {
        let operation = index.submit(identifier: []) { _ in try work() }
        operation.onResolve { [self] in
            finish(chunk, operation)
            places.giveBack()
            pending.leave()
        }
    }

    /// A few objects are journaled, unless others are pending, which would have to be flushed
    /// first.
    private static func prepare(
        _ chunk: LoadChunk, _ snapshot: Snapshot, isOnly: Bool
    ) -> PreparedWork {
        let documents = AnalysedDocuments(under: snapshot) { chunk.analysed($0) }
        // Contexts are not journaled, but are committed at once with what is.
        guard isOnly, chunk.byteCount < JournalEntry.largestText else {
            return .largeDocuments(documents, isBulk: true)
        }
        return .documents(
            documents, journal: chunk.objects.map { JournalEntry.encode($0) })
    }

    private func finish(_ chunk: LoadChunk, _ operation: IndexingOperation) {
        if let error = operation.error { fail(error) }
        let progress = state.withLock { state in
            if operation.error == nil {
                state.report.indexedCount += chunk.objects.count
                state.report.textByteCount += chunk.textByteCount
                state.progress.acceptedCount += chunk.objects.count
            }
            state.progress.objectCount += chunk.objects.count
            state.progress.textByteCount += chunk.textByteCount
            return state.progress
        }
        self.progress?(progress)
    }
}

/// How far a load has come. Not within the loader, for the reason that ``LoadChunk`` is not.
private struct LoadState {
    var isCancelled = false
    var hasSubmitted = false
    /// Whether objects were submitted, which are pending until a flush.
    var hasObjects = false
    var report = IndexingReport()
    var progress = IndexingProgress()
    /// Why the load cannot go on.
    var error: (any Error)?
}

extension TextIndex {
    /// Indexes all objects of a sequence: the fastest way to load many.
    ///
    /// Objects are taken from the sequence as they are needed, and hooks are called, on one thread
    /// at a time that is never the caller's. Text is analysed on ``indexingQueue``. An object that
    /// fails is reported and does not affect others. If the task is cancelled, committed objects
    /// stay.
    ///
    /// - Parameters:
    ///   - objects: the objects; one with a known identifier replaces the earlier one.
    ///   - progress: called now and then, from the committing thread. It must return soon, and must
    ///     not wait for work of the index.
    /// - Returns: What was indexed, and what failed.
    /// - Throws: ``TextIndexError``; `CancellationError`.
    @discardableResult
    public func indexObjects(
        _ objects: sending some Sequence<Object>,
        progress: (@Sendable (IndexingProgress) -> Void)? = nil
    ) async throws -> IndexingReport {
        try await inBulk(progress: progress, Handover { try await $0.load(objects) })
    }

    /// Has work done with a loader, as what calls the application. Where it is one stream of
    /// changes, nothing of it takes effect after a part that fails.
    func inBulk(
        progress: (@Sendable (IndexingProgress) -> Void)? = nil, onlyRemoves: Bool = false,
        isOneStream: Bool = false,
        _ work: Handover<(BulkLoader<Object>) async throws -> IndexingReport>
    ) async throws -> IndexingReport {
        try usage.beginWork()
        defer { usage.endWork() }
        let fate = isOneStream ? ChangeFate(writer) : nil
        let loader = BulkLoader(
            index: self, progress: progress, onlyRemoves: onlyRemoves, fate: fate)
        return try await withTaskCancellationHandler {
            try await withTaskExecutorPreference(ApplicationCode.executor) {
                try await work.value(loader)
            }
        } onCancel: {
            loader.cancel()
        }
    }
}
