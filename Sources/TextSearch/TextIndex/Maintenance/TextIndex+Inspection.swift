import Dispatch
public import Foundation
import Synchronization

extension TextIndex {
    /// The number of objects in the index; 0 when it is closed.
    public var count: Int { (try? usage.search { writer.snapshot.count }) ?? 0 }

    /// Returns whether there is an object with an identifier.
    ///
    /// - Parameter identifier: the identifier.
    /// - Returns: Whether it is in the index.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func contains(identifier: Data) throws -> Bool {
        try usage.search { try document(for: identifier, in: writer.snapshot) != nil }
    }

    /// Returns what the index holds under an identifier.
    ///
    /// - Parameter identifier: the identifier.
    /// - Returns: The item, without matches; nil if the object is not in the index.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func item(for identifier: Data) throws -> SearchResultItem<Object>? {
        try usage.search {
            guard let document = try document(for: identifier, in: writer.snapshot) else {
                return nil
            }
            var reader = RecordReader(store: store)
            let record = try reader.record(of: document)
            return item(
                record, relevance: 0, defaultScore: record.weight, PageDetails.Places(),
                place: MatchPlace(), document: document)
        }
    }

    func document(for identifier: Data, in snapshot: Snapshot) throws -> UInt32? {
        guard !identifier.isEmpty, identifier.count <= 4096 else { return nil }
        var lookup = IdentifierLookup(store: store)
        return try Array(identifier).withUnsafeBufferPointer {
            try lookup.document(for: $0, in: snapshot)
        }
    }

    /// Calls `body` with the identifier of every object, in the order in which they were indexed,
    /// until it returns false.
    ///
    /// - Parameter body: called with an identifier; returns whether to continue.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; what `body` throws.
    public func forEachIdentifier(_ body: (Data) throws -> Bool) throws {
        var next: UInt32 = 0
        let snapshot = try usage.search { writer.snapshot }
        while true {
            let (identifiers, last) = try usage.search {
                try self.identifiers(in: snapshot, from: next, count: 1024)
            }
            for identifier in identifiers {
                guard try body(identifier) else { return }
            }
            guard let last else { return }
            next = last &+ 1
        }
    }

    /// Returns all identifiers, in the order in which the objects were indexed.
    ///
    /// - Returns: The identifiers.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func identifiers() throws -> [Data] {
        var all: [Data] = []
        try forEachIdentifier {
            all.append($0)
            return true
        }
        return all
    }

    /// Some identifiers, of a document and those behind it, and the document to go on with; nil
    /// where there are no more.
    func identifiers(
        from document: UInt32, count: Int
    ) throws -> (identifiers: [Data], next: UInt32?) {
        try usage.search {
            let (found, last) = try identifiers(in: writer.snapshot, from: document, count: count)
            return (found, last.map { $0 &+ 1 })
        }
    }

    /// Some identifiers, and the last document looked at when there are more.
    private func identifiers(
        in snapshot: Snapshot, from start: UInt32, count: Int
    ) throws -> ([Data], UInt32?) {
        var found: [Data] = []
        var last: UInt32?
        try store.makeCursor(fillCache: false).forEach(
            in: .objects, from: Key.document(.objects, start)
        ) { key, value in
            let document = try Key.lastNumber(key)
            if snapshot.isLive(document) { found.append(try ObjectRecord.identifier(value)) }
            last = document
            return found.count < count
        }
        return (found, found.count < count ? nil : last)
    }

    /// Counts what the index holds.
    ///
    /// Complexity: linear in the size of the index: it reads all of it.
    ///
    /// - Returns: The counts.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func statistics() throws -> IndexStatistics {
        try usage.search {
            let snapshot = writer.snapshot
            var statistics = IndexStatistics()
            statistics.objectCount = snapshot.count
            statistics.deadCount =
                snapshot.dead.count - snapshot.flushed.reduce(0) { $0 + $1.missingCount }
            statistics.segmentCount = snapshot.flushed.count
            statistics.memorySegmentCount = snapshot.memory.count
            statistics.memorySegmentBytes = snapshot.memory.byteCount
            statistics.journalCount = snapshot.memory.reduce(0) { $0 + $1.segment.documentCount }
            statistics.termCount = try distinctTermCount(in: snapshot)
            let cursor = try store.makeCursor(fillCache: false)
            for table in Table.allCases {
                var bytes = 0
                try cursor.forEach(in: table) { key, value in
                    bytes += key.count + value.count
                    return true
                }
                statistics.bytesByTable["\(table)"] = bytes
            }
            statistics.fileBytes = try fileBytes()
            return statistics
        }
    }

    private func distinctTermCount(in snapshot: Snapshot) throws -> Int {
        var terms = Set<[UInt8]>()
        for part in snapshot.memory {
            for term in 0..<part.segment.terms.count {
                terms.insert(part.segment.terms.withTerm(term) { Array($0) })
            }
        }
        var count = 0
        try FlushedTerms.forEach(in: snapshot.flushed) { term, _ in
            count += 1
            if !terms.isEmpty { terms.remove(Array(term)) }
        }
        return count + terms.count
    }

    private func fileBytes() throws -> Int {
        let files = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: [.fileSizeKey])
        return files.reduce(0) {
            $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
        }
    }

    /// Flushes memory, merges all segments and reclaims the space of removed objects.
    ///
    /// Searches and indexing go on meanwhile; bulk loads wait. If most versions of objects that
    /// were ever indexed are gone, all operations wait while the living ones are written anew, so
    /// that an index takes only the space of its objects. Blocks its thread; the awaited form
    /// does not.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.corrupted`, `.io`; `.limitExceeded`
    ///   if a word occurs too often for one segment.
    public func optimize() throws {
        try usage.beginWork()
        defer { usage.endWork() }
        try writer.optimizer.optimize()
    }

    /// Writes what is in memory into the store, so that opening has nothing to replay.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.io`; `.limitExceeded` if a word
    ///   occurs too often for one segment.
    public func flush() throws {
        try usage.beginWork()
        defer { usage.endWork() }
        try writer.flusher.flushAll()
    }

    /// Returns when what was begun behind the operations until now is over: flushes, merges,
    /// deleting what a crash left, giving back space.
    ///
    /// For commands that end after it, and for measurements: what goes on beside them is no part of
    /// what they count. Ends when `isCancelled` says so.
    package func waitForMaintenance(isCancelled: () -> Bool = { false }) {
        // A merge may have another one follow; one that fails stays due.
        for _ in 0..<64 {
            guard Self.wait(for: writer.background, isCancelled) else { return }
            if !writer.merger.isMergeDue { break }
        }
        // Deletions, and what they leave to be given back.
        for _ in 0..<4 {
            guard Self.wait(for: writer.background, isCancelled) else { return }
        }
        _ = Self.wait(for: writer.reclaiming, isCancelled)
    }

    /// Whether what is queued came to its end before `isCancelled` said that nobody waits any more.
    private static func wait(for work: SerialWork, _ isCancelled: () -> Bool) -> Bool {
        let done = DispatchGroup()
        done.enter()
        work.whenDone { done.leave() }
        while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
            if isCancelled() { return false }
        }
        return true
    }
}
