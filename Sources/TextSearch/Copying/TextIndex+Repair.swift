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
    /// LevelDB's own repair is not used: it brings deleted keys back. Where LevelDB cannot open the index, because a table or its own manifest is
    /// damaged or not there, nothing tells the last state any more: then only identifiers are taken over, those of all tables and logs that can be read
    /// (``RepairReport/keptIdentifiersOnly``), and ``indexLostObjects()`` makes the index of its objects again. A backup may be the better choice.
    ///
    /// Complexity: linear in the size of the index; takes its space once more.
    ///
    /// - Parameters:
    ///   - directory: where the index lies; it must not be open.
    ///   - configuration: the configuration that it was made with.
    /// - Returns: What was kept and what was lost.
    /// - Throws: ``TextIndexError``: `.locked`, `.configurationMismatch`, `.unsupportedFormat`, `.diskFull`, `.invalidArgument` where a file system is
    ///   mounted at `directory` itself, `.io`, also where the file system cannot exchange two names; the index is then as it was.
    @discardableResult
    public static func repair(
        at directory: URL, configuration: TextIndexConfiguration = .init()
    ) throws -> RepairReport {
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw TextIndexError(.invalidArgument, "There is no index at \(directory.path).")
        }
        try IndexReplacement.checkExchangeable(directory)
        let place = IndexCopy.place(beside: directory)
        let store: IndexStore
        do {
            store = try IndexStore(
                at: directory, configuration: configuration, defersWriting: true)
        } catch let error as TextIndexError where error.code == .corrupted {
            return try repairClosed(at: directory, by: place, configuration)
        }
        let outcome = Result {
            let report = try salvage(store, to: place, beside: directory, configuration)
            // The damaged index is open, so that nobody can write to it in between.
            try IndexReplacement(directory: directory, copy: place)
                .exchange(keeping: report.damagedDirectory)
            return report
        }
        try? store.close()
        return try outcome.get()
    }

    /// Puts an index without objects, which knows what was lost, in the place of one that does not open.
    private static func repairClosed(
        at directory: URL, by place: URL, _ configuration: TextIndexConfiguration
    ) throws -> RepairReport {
        var report = RepairReport(damagedDirectory: freePlace(beside: directory))
        report.keptIdentifiersOnly = true
        report.isUncertain = true
        report.lostIdentifiers = try Wreck.identifiers(in: directory)
            .sorted { $0.lexicographicallyPrecedes($1) }
        try IndexCopy.remove(place)
        do {
            let index = try TextIndex(at: place, configuration: configuration)
            let outcome = Result {
                try index.writer.storeLost(report.lostIdentifiers, sync: true)
                report.proof = try index.verify()
            }
            try index.close()
            try outcome.get()
        } catch {
            try? IndexCopy.remove(place)
            throw error
        }
        try IndexReplacement(directory: directory, copy: place)
            .exchange(keeping: report.damagedDirectory)
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
        // With those that an earlier repair lost and that nobody has indexed again.
        let earlier = (try? LostObjects.stored(in: store)) ?? []
        report.lostIdentifiers = Set(lost.values.map { Data($0) }).union(earlier)
            .sorted { $0.lexicographicallyPrecedes($1) }
        report.damagedSegmentCount = salvage.damaged.count
        let copy = try IndexCopy(of: store, at: place, configuration)
        do {
            for segment in salvage.sound { try copy.add(segment) }
            for (document, kept) in kept {
                try copy.add(document, kept, isJournaled: salvage.isJournaled(document))
            }
            let identifiers = salvage.identifiers(of: kept)
            try copy.addEngagements(salvage.engagements) { identifiers.contains($0) }
            var wanted = copy.living
            for document in lost.keys { wanted.insert(document) }
            report.isUncertain = salvage.living != wanted
            // Of an object that was replaced several documents may be lost.
            let identified = copy.living.count + Set(lost.values).count
            report.unidentifiedCount = salvage.living.map { max($0.count - identified, 0) }
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
            try usage.search { try LostObjects.stored(in: store) }
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
        try writer.storeLost(failed, sync: writer.isSynced)
        return report
    }
}

/// The identifiers that a repair lost (`m` table, "lost"): the count, and each with its length first.
enum LostObjects {
    static let key = Key.meta("lost")

    static func stored(in store: IndexStore) throws -> [Data] {
        guard let stored = try store.value(key) else { return [] }
        return try IndexStore.translating(.meta) { try stored.withUnsafeBytes { try decode($0) } }
    }

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
    func storeLost(_ identifiers: [Data], sync: Bool) throws {
        let batch = StoreBatch()
        if identifiers.isEmpty {
            LostObjects.key.withUnsafeBytes { batch.delete($0) }
        } else {
            batch.put(LostObjects.key, LostObjects.encode(identifiers))
        }
        try store.commit(batch, sync: sync)
    }
}
