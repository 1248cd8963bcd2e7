public import Foundation

extension TextIndex {
    /// Takes over what of a damaged index is proved to be what was written, into a new index in its place.
    ///
    /// Segments count as a whole: one with a damaged entry is left out with its documents. The new index is written beside the old one, proved,
    /// and put in its place in one step, so that what ends the process leaves one or the other whole; the damaged files are kept beside it. Which objects
    /// were lost is stored in the new index until ``indexLostObjects()`` has indexed them again.
    ///
    /// ```swift
    /// let report = try TextIndex<Note>.repair(at: directory)
    /// let index = try TextIndex<Note>(at: directory)
    /// index.objectGetter = { … }
    /// try await index.indexLostObjects()
    /// ```
    ///
    /// LevelDB's own repair is not used: it brings deleted keys back. So an index that LevelDB refuses to open, because a table or its
    /// own manifest is not there, cannot be repaired: restore a backup, or make it anew.
    ///
    /// Complexity: linear in the size of the index; takes its space once more.
    ///
    /// - Parameters:
    ///   - directory: where the index lies; it must not be open.
    ///   - configuration: the configuration that it was made with.
    /// - Returns: What was kept and what was lost.
    /// - Throws: ``TextIndexError``: `.locked`, `.corrupted` when LevelDB cannot open it, `.configurationMismatch`, `.unsupportedFormat`,
    ///   `.diskFull`, `.io`; the index is then as it was.
    @discardableResult
    public static func repair(
        at directory: URL, configuration: TextIndexConfiguration = .init()
    ) throws -> RepairReport {
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw TextIndexError(.invalidArgument, "There is no index at \(directory.path).")
        }
        let place = IndexCopy.place(beside: directory)
        let store = try IndexStore(at: directory, configuration: configuration)
        let outcome = Result {
            let report = try salvage(store, to: place, beside: directory, configuration)
            // The damaged index is open, so that nobody can write to it in between.
            try IndexReplacement(directory: directory, copy: place).exchange()
            return report
        }
        try? store.close()
        let report = try outcome.get()
        try IndexStore.rename(place, to: report.damagedDirectory, exchanging: false)
        return report
    }

    private static func salvage(
        _ store: IndexStore, to place: URL, beside directory: URL,
        _ configuration: TextIndexConfiguration
    ) throws -> RepairReport {
        let salvage = try Salvage(store)
        let kept = salvage.keptDocuments()
        let lost = salvage.lostDocuments(kept)
        var report = RepairReport(damagedDirectory: freePlace(beside: directory))
        report.lostIdentifiers = Set(lost.values.map { Data($0) })
            .sorted { $0.lexicographicallyPrecedes($1) }
        report.damagedSegmentCount = salvage.damaged.count
        let copy = try IndexCopy(of: store, at: place, configuration)
        do {
            for segment in salvage.sound { try copy.add(segment) }
            for (document, kept) in kept {
                try copy.add(document, kept, isJournaled: salvage.isJournaled(document))
            }
            var wanted = copy.living
            for document in lost.keys { wanted.insert(document) }
            report.isUncertain = salvage.living != wanted
            report.unidentifiedCount = salvage.living.map { max($0.count - wanted.count, 0) }
            let fingerprint = IndexOpening.encode(Analyzer(configuration).fingerprint)
            try copy.finish(
                salvage.nextManifest, fingerprint: salvage.fingerprint ?? fingerprint,
                lost: report.lostIdentifiers)
            if kept.contains(where: { $0.kept == .withoutRecord }) {
                let index = try TextIndex(at: place, configuration: configuration)
                try index.optimize()
                try index.close()
            }
            report.proof = try IndexCopy.verify(place, Analyzer(configuration), configuration)
            guard report.proof.isClean else {
                throw TextIndexError.corrupted("what was to be kept")
            }
            report.objectCount = report.proof.objectCount
            return report
        } catch {
            copy.abandon()
            throw error
        }
    }

    private static func freePlace(beside directory: URL) -> URL {
        var number = 1
        while true {
            let name = directory.lastPathComponent + ".damaged" + (number > 1 ? "\(number)" : "")
            let place = directory.deletingLastPathComponent().appendingPathComponent(
                name, isDirectory: true)
            if !FileManager.default.fileExists(atPath: place.path) { return place }
            number += 1
        }
    }

    /// The objects that a repair could not keep and that were not indexed again yet.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public var lostIdentifiers: [Data] {
        get throws {
            try usage.search {
                guard let stored = try store.value(LostObjects.key) else { return [] }
                return try IndexStore.translating(.meta) {
                    try stored.withUnsafeBytes { try LostObjects.decode($0) }
                }
            }
        }
    }

    /// Indexes the objects that a repair could not keep, as ``object(for:)`` gives them; those that are gone, and those that were indexed since,
    /// are passed over. What fails stays among ``lostIdentifiers``.
    ///
    /// - Returns: What was indexed and what failed.
    /// - Throws: ``TextIndexError``.
    @discardableResult
    public func indexLostObjects() async throws -> IndexingReport {
        var report = IndexingReport()
        var failed: [Data] = []
        for (offset, identifier) in try lostIdentifiers.enumerated() {
            do {
                guard try !contains(identifier: identifier),
                    let object = try object(for: identifier)
                else {
                    report.skippedCount += 1
                    continue
                }
                _ = try await indexObject(object).value()
                report.indexedCount += 1
            } catch {
                report.failureCount += 1
                failed.append(identifier)
                if report.failures.count < 1000 {
                    report.failures.append(.init(offset: offset, error: error))
                }
            }
        }
        try writer.storeLost(failed)
        return report
    }
}

/// The identifiers that a repair lost (`m` table, "lost"): the count, and each with its length first.
enum LostObjects {
    static let key = Key.meta("lost")

    static func encode(_ identifiers: [Data]) -> [UInt8] {
        var output = Buffer<UInt8>()
        output.appendVarint(identifiers.count)
        for identifier in identifiers { output.appendPrefixed(Array(identifier)) }
        return output.toArray()
    }

    static func decode(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) -> [Data] {
        var reader = ByteReader(bytes)
        var identifiers: [Data] = []
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            identifiers.append(Data(try reader.prefixed()))
        }
        guard reader.isAtEnd else { throw MalformedData() }
        return identifiers
    }
}

extension IndexWriter {
    /// Stores which objects are still lost.
    func storeLost(_ identifiers: [Data]) throws {
        let batch = StoreBatch()
        if identifiers.isEmpty {
            LostObjects.key.withUnsafeBytes { batch.delete($0) }
        } else {
            batch.put(LostObjects.key, LostObjects.encode(identifiers))
        }
        try store.commit(batch, sync: isSynced)
    }
}
