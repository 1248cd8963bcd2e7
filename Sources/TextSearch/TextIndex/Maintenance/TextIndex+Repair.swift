public import Foundation

extension TextIndex {
    /// Makes a new index in the place of a damaged one, of all that is proved to be what was
    /// written.
    ///
    /// Segments count as a whole: one with a damaged entry is left out with its documents. The new
    /// index is written beside the old one, proved, and exchanged for it in one step, so that the
    /// end of the process leaves one or the other whole. The damaged files are kept beside it. The
    /// new index remembers which objects were lost, until ``indexLostObjects()`` has indexed them
    /// again. Client states are kept only if nothing was damaged.
    ///
    /// ```swift
    /// let report = try TextIndex<Note>.repair(at: directory)
    /// let index = try TextIndex<Note>(at: directory)
    /// index.objectGetter = { … }
    /// try await index.indexLostObjects()
    /// ```
    ///
    /// LevelDB's own repair is not used, since it brings deleted keys back. Instead blocks of its
    /// tables and writes in its logs are read one by one, and the latest version of each entry
    /// counts. Which one that is cannot be known if unreadable data may hold a later one, or if no
    /// manifest of LevelDB says which files belong to the index. Then the index is *uncertain*
    /// (``isUncertain``). A second repair, a backup and a purge keep that, until
    /// ``verify(against:)`` has found nothing.
    ///
    /// Complexity: linear in the size of the index. It takes its space twice more while it runs,
    /// and once after.
    ///
    /// - Parameters:
    ///   - directory: the directory of the index, which must not be open.
    ///   - configuration: the configuration that it was made with.
    /// - Returns: What was kept and what was lost.
    /// - Throws: ``TextIndexError``: `.locked`, `.configurationMismatch`, `.unsupportedFormat`,
    ///   `.diskFull`, `.invalidArgument` where a file system is mounted at `directory` itself,
    ///   `.io`, also where the file system cannot exchange two names; the index is then as it was.
    @discardableResult
    public static func repair(
        at directory: URL, configuration: TextIndexConfiguration = .init()
    ) throws -> RepairReport {
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw TextIndexError(.invalidArgument, "There is no index at \(directory.path).")
        }
        try IndexReplacement.checkExchangeable(directory)
        // The files stay locked until the new index is in their place, so that nobody can write to
        // them in between.
        let wreck = try Wreck(of: directory, configuration)
        defer { wreck.remove() }
        let place = IndexCopy.place(beside: directory)
        let report = try salvage(wreck, to: place, beside: directory, configuration)
        try IndexReplacement(directory: directory, copy: place)
            .exchange(keeping: report.damagedDirectory)
        return report
    }

    private static func salvage(
        _ wreck: Wreck, to place: URL, beside directory: URL,
        _ configuration: TextIndexConfiguration
    ) throws -> RepairReport {
        let salvage = try Salvage(wreck.store)
        let kept = salvage.keptDocuments()
        let lost = salvage.lostDocuments(kept)
        var report = RepairReport(damagedDirectory: freePlace(beside: directory))
        // With those that an earlier repair lost and that nobody has indexed again.
        let earlier = (try? LostObjects.stored(in: wreck.store)) ?? []
        report.lostIdentifiers = Set(lost.values.map { Data($0) }).union(earlier)
            .sorted { $0.lexicographicallyPrecedes($1) }
        report.damagedSegmentCount = salvage.damaged.count
        report.damagedFiles = wreck.damagedFiles
        let copy = try IndexCopy(of: wreck.store, at: place, configuration)
        do {
            for segment in salvage.sound { try copy.add(segment) }
            for (document, kept) in kept {
                try copy.add(document, kept, isJournaled: salvage.isJournaled(document))
            }
            let identifiers = salvage.identifiers(of: kept)
            try copy.addEngagements(salvage.engagements) { identifiers.contains($0) }
            let uncertainty = uncertainty(of: salvage, wreck, kept: copy.living, lost)
            report.isUncertain = uncertainty != nil
            report.unidentifiedCount = uncertainty.map(\.unidentifiedCount) ?? 0
            // A state stands for objects that may be missing, or it may be an older one.
            let isWhole =
                uncertainty == nil && report.lostIdentifiers.isEmpty && salvage.damaged.isEmpty
                && wreck.damagedFiles.isEmpty
            let fingerprint = IndexOpening.encode(Analyzer(configuration).fingerprint)
            try copy.finish(
                salvage.nextManifest, fingerprint: salvage.fingerprint ?? fingerprint,
                clientStates: isWhole ? try ClientStates.stored(in: wreck.store) : [:],
                lost: report.lostIdentifiers, uncertainty)
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

    /// What cannot be proved of a salvage: the count of objects, which every commit wrote, must be
    /// the last one, and be that of what is kept and what is named.
    private static func uncertainty(
        of salvage: Salvage, _ wreck: Wreck, kept: LivingDocuments, _ lost: [UInt32: [UInt8]]
    ) -> Uncertainty? {
        let earlier = Result { try Uncertainty.stored(in: wreck.store) }
        var wanted = kept
        for document in lost.keys { wanted.insert(document) }
        guard wreck.isLast, let living = salvage.living, case .success(let earlier) = earlier else {
            return Uncertainty(unidentifiedCount: nil)
        }
        if living == wanted { return earlier }
        guard let known = earlier.map(\.unidentifiedCount) ?? 0 else { return earlier }
        // Of an object that was replaced several documents may be lost.
        let identified = kept.count + Set(lost.values).count
        return Uncertainty(unidentifiedCount: known + max(living.count - identified, 0))
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

    /// Whether a repair could not prove that the index has, or names as lost, all that was there
    /// last. Objects may be missing, and removed or replaced ones may be back. This lasts, in
    /// copies too, until ``verify(against:)`` has found nothing.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public var isUncertain: Bool {
        get throws { try usage.search { try Uncertainty.stored(in: store) != nil } }
    }

    /// The identifiers of objects that a repair lost and that were not indexed again yet.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public var lostIdentifiers: [Data] {
        get throws {
            try usage.search { try LostObjects.stored(in: store) }
        }
    }

    /// Indexes the objects that a repair lost, as ``object(for:)`` returns them. Objects that are
    /// gone, or that were indexed since, are skipped. Objects that fail stay among
    /// ``lostIdentifiers``.
    ///
    /// - Returns: What was indexed and what failed.
    /// - Throws: ``TextIndexError``.
    @discardableResult
    public func indexLostObjects() async throws -> IndexingReport {
        var report = IndexingReport()
        var failed: [Data] = []
        for (offset, identifier) in try lostIdentifiers.enumerated() {
            do {
                guard try await !contains(identifier: identifier),
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
                    report.failures.append(
                        .init(offset: offset, error: error, identifier: identifier))
                }
            }
        }
        try LostObjects.store(failed, in: writer.store, sync: writer.isSynced)
        return report
    }
}
