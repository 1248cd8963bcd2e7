import Foundation
import TextSearch

/// One attempt to give a set a shard. Any number of attempts may run at once, on any machines that
/// share the folder.
struct ShardPublication {
    /// Where attempts work; nobody reads what is in it.
    static let workFolder = "_building"

    /// The folder of the set.
    let set: String
    let name: ShardName
    /// Whether other users may read the shard, as far as the mask of the process allows.
    var isReadable = false

    private var final: String { "\(set)/\(name)" }

    /// Publishes an index under the name of the shard, in one step.
    ///
    /// - Returns: What is in the shard, and whether this attempt put it there.
    /// - Throws: ``CommandError`` if another attempt gave the shard other content.
    func publish(_ folder: IndexFolder) async throws -> (record: ShardRecord, isNew: Bool) {
        let folders = try DurableFiles.makeFolder("\(set)/\(Self.workFolder)")
        do {
            let published = try await stage(folder)
            if !published.isNew { DurableFiles.removeEmpty(folders) }
            return published
        } catch {
            DurableFiles.removeEmpty(folders)
            throw error
        }
    }

    private func stage(_ folder: IndexFolder) async throws -> (record: ShardRecord, isNew: Bool) {
        let staging = "\(set)/\(Self.workFolder)/\(name).\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: staging) }
        let url = URL(filePath: staging, directoryHint: .isDirectory)
        // Readers of a shard would analyse anew what is not flushed, each time that they open it.
        try await folder.index.flush()
        try await folder.index.publish(to: url)
        let record = try await prove(staging)
        try DurableFiles.write(
            try record.jsonDocument(), to: "\(staging)/\(ShardRecord.fileName)")
        if isReadable { try DurableFiles.letOthersRead(staging) }
        if try DurableFiles.renameFolder(staging, to: final) { return (record, true) }
        let first = try recordOfFirst()
        guard first.digest == record.digest else {
            throw CommandError(
                "\(name) is there already with other content: is the input of the work always the "
                    + "same? Remove the shard to build it anew")
        }
        if isReadable { try DurableFiles.letOthersRead(final) }
        return (first, false)
    }

    /// What the attempt that came first put there.
    private func recordOfFirst() throws -> ShardRecord {
        do {
            if let record = try ShardInventory.record(at: final) { return record }
        } catch let problem as ShardProblem {
            throw CommandError(problem.message)
        }
        throw CommandError("something else lies at \(final); remove it, or name another set")
    }

    /// Removes what attempts left of shards that are there: whoever still works on one is late.
    static func removeLateAttempts(in set: String, for names: [String]) {
        let folder = "\(set)/\(workFolder)"
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = Set(names)
        var left = found.count
        for attempt in found where names.contains(String(attempt.prefix { $0 != "." })) {
            if (try? FileManager.default.removeItem(atPath: "\(folder)/\(attempt)")) != nil {
                left -= 1
            }
        }
        // An attempt of another number of shards may begin just now: it makes the folder again.
        if left == 0 { rmdir(folder) }
    }

    /// What a reader finds in what was published.
    private func prove(_ staging: String) async throws -> ShardRecord {
        let published = try IndexFolder(existing: staging)
        do {
            let report = try await published.index.verify(depth: .full)
            guard report.isClean, let digest = report.contentDigest else {
                let finding = report.findings.first?.message ?? ""
                throw CommandError("what was published is damaged: \(finding)")
            }
            let record = ShardRecord(
                name: "\(name)", objects: report.objectCount,
                occurrences: report.occurrenceCount, digest: digest,
                analysis: published.index.analysisFingerprint, fields: published.settings.fields,
                mark: published.index.contentMark, strangers: try name.strangers(in: published))
            try await published.index.shutdown()
            return record
        } catch {
            try? await published.index.shutdown()
            throw error
        }
    }
}
