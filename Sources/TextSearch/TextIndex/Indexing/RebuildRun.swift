import DequeModule
import Foundation
import Synchronization

/// One attempt to index all objects again, beside the state that searches see, and to switch to
/// what came of it.
///
/// Passes over what is not done yet, until so little is left that operations can be held back while
/// it is done; then the switch. It belongs to one thread; only the analysis goes to the indexing
/// queue.
final class RebuildRun<Object> {
    /// Under constant writes there is always something left: after so many passes the rest is done
    /// with operations held back.
    private static var mostPasses: Int { 5 }
    private static var chunkSize: Int { 1 << 20 }
    private static var chunkCount: Int { 1024 }

    private let index: TextIndex<Object>
    private let target: Analyzer
    private let cancellation: Cancellation
    private let progressHandler: (@Sendable (IndexingProgress) -> Void)?
    private var report = IndexingReport()
    private var progress = IndexingProgress()
    /// Visible documents whose objects are gone or left out: until they are indexed again, nothing
    /// is to be done for them.
    private var skipped: Set<UInt32> = []
    private var chunks: Deque<(chunk: Chunk, analysis: Analysis)> = []
    /// Analysed, and not written yet.
    private var parts: [PlacedSegment] = []

    /// Ends a run from another thread.
    final class Cancellation: Sendable {
        private let isSet = Mutex(false)
        func cancel() { isSet.withLock { $0 = true } }
        func check() throws {
            if isSet.withLock({ $0 }) { throw CancellationError() }
        }
    }

    /// Objects that become one part of a segment, under numbers that were reserved before they were
    /// asked for.
    private struct Chunk: Sendable {
        var firstDocument: UInt32
        var objects: [(identifier: [UInt8], object: IndexedObject)] = []
        var textByteCount = 0
    }

    /// The analysis of a chunk, in the queue.
    private final class Analysis: Operation, @unchecked Sendable {
        // Unchecked as its superclass is, which the compiler asks for; what is its own is immutable
        // or guarded.
        private let result = Mutex<MemorySegment?>(nil)
        private let analyse: @Sendable () -> MemorySegment

        init(_ analyse: @escaping @Sendable () -> MemorySegment) { self.analyse = analyse }

        override func main() {
            let segment = analyse()
            result.withLock { $0 = segment }
        }

        /// Waits for the segment; makes it here when the queue has let go of the operation.
        func segment() -> MemorySegment {
            waitUntilFinished()
            return result.withLock { $0 } ?? analyse()
        }
    }

    init(
        index: TextIndex<Object>, target: Analyzer, cancellation: Cancellation,
        progress: (@Sendable (IndexingProgress) -> Void)?
    ) {
        self.index = index
        self.target = target
        self.cancellation = cancellation
        progressHandler = progress
    }

    private var writer: IndexWriter { index.writer }

    /// Runs to the switch, or until an object fails; blocks its thread.
    func run() throws -> IndexingReport {
        try cancellation.check()
        try writer.rebuild.begin(with: target)
        defer { writer.rebuild.end() }
        var pass = 1
        while report.failureCount == 0 {
            var plan = try plan()
            let isLast = pass > Self.mostPasses
            let isDone =
                try (isLast || isSmall(plan))
                && writer.withCommitsHeldBack {
                    try plan.extend(to: writer.snapshot)
                    guard isLast || isSmall(plan) else { return false }
                    try finish(plan)
                    return true
                }
            if isDone { break }
            try load(plan.documents)
            pass += 1
        }
        return report
    }

    private func isSmall(_ plan: RebuildPlan) -> Bool {
        plan.count <= index.configuration.largestLastPass
    }

    private func plan() throws -> RebuildPlan {
        try RebuildPlan(
            index.store, writer.state.withLock { $0.rebuilt }, skipping: skipped,
            as: writer.snapshot)
    }

    /// Does what is left and switches, unless an object fails. Commits must be held back.
    private func finish(_ plan: RebuildPlan) throws {
        var place = 0
        let documents = plan.documents
        while place < documents.count {
            // Not in the queue: operations that wait to commit may have taken all its places.
            let chunk = try fetch(documents, from: &place)
            try add(chunk, .analysing(chunk.objects, target, textByteCount: chunk.textByteCount))
        }
        try writeParts()
        guard report.failureCount == 0 else { return }
        try writer.rebuild.switchToRebuilt(
            target, superseded: plan.superseded, dropped: try droppedIdentifiers())
    }

    /// Those of the objects that are gone or left out and were not indexed since.
    private func droppedIdentifiers() throws -> [[UInt8]] {
        let snapshot = writer.snapshot
        return try skipped.filter { snapshot.isLive($0) }
            .compactMap { try identifier(of: $0).map { Array($0) } }
    }

    /// Writes the objects of these visible documents into rebuilt segments.
    private func load(_ documents: [UInt32]) throws {
        // What is under way ends with the pass, however that ends.
        defer {
            for (_, analysis) in chunks { analysis.waitUntilFinished() }
            chunks = []
        }
        let most = max(index.indexingQueue.maxConcurrentOperationCount, 1) + 1
        var place = 0
        while place < documents.count || !chunks.isEmpty {
            if place < documents.count, chunks.count < most {
                let chunk = try fetch(documents, from: &place)
                let analysis = Analysis { [target] in
                    .analysing(chunk.objects, target, textByteCount: chunk.textByteCount)
                }
                index.indexingQueue.addOperation(analysis)
                chunks.append((chunk, analysis))
            } else if let (chunk, analysis) = chunks.popFirst() {
                try add(chunk, analysis.segment())
            }
        }
        try writeParts()
    }

    /// Asks for the next objects.
    private func fetch(_ documents: [UInt32], from place: inout Int) throws -> Chunk {
        let end = min(place + Self.chunkCount, documents.count)
        let reserved = end - place
        var chunk = Chunk(firstDocument: try writer.rebuild.reserve(reserved))
        while place < end, chunk.textByteCount < Self.chunkSize {
            try cancellation.check()
            try add(documents[place], to: &chunk)
            place += 1
        }
        let next = chunk.firstDocument + UInt32(chunk.objects.count)
        writer.rebuild.giveBack(next..<(chunk.firstDocument + UInt32(reserved)))
        return chunk
    }

    private func add(_ document: UInt32, to chunk: inout Chunk) throws {
        // What died meanwhile is no concern of this pass.
        guard writer.snapshot.isLive(document), let identifier = try identifier(of: document)
        else { return }
        do {
            guard let object = try index.object(for: identifier),
                let indexed = try index.indexedObject(for: object, identifier: identifier)
            else {
                skipped.insert(document)
                report.skippedCount += 1
                progress.objectCount += 1
                return
            }
            try index.check(indexed)
            let size = indexed.strings.reduce(0) { $0 + $1.utf8.count }
            chunk.objects.append((Array(identifier), indexed))
            chunk.textByteCount += size
            progress.textByteCount += size
        } catch {
            report.failureCount += 1
            if report.failures.count < 1000 {
                report.failures.append(
                    .init(offset: progress.objectCount, error: error, identifier: identifier))
            }
        }
        progress.objectCount += 1
    }

    private func identifier(of document: UInt32) throws -> Data? {
        var key = Buffer<UInt8>()
        Key.document(.objects, document, into: &key)
        return try index.store.withValue(key, .objects) { try ObjectRecord.identifier($0) }
    }

    /// Takes an analysed chunk, and writes a segment when enough has come together.
    private func add(_ chunk: Chunk, _ segment: MemorySegment) throws {
        guard segment.documentCount > 0 else { return }
        parts.append(
            PlacedSegment(
                segment: segment, firstDocument: chunk.firstDocument, isJournaled: false))
        report.indexedCount += segment.documentCount
        report.textByteCount += chunk.textByteCount
        progress.acceptedCount = report.indexedCount
        let size = parts.byteCount
        if size >= index.configuration.bulkFlushThreshold { try writeParts() }
        progressHandler?(progress)
    }

    private func writeParts() throws {
        guard !parts.isEmpty else { return }
        try writer.rebuild.write(parts)
        parts = []
    }
}
