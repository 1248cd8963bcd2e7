import ArgumentParser
import Foundation
import TextSearch

/// `textindex set verify`: proves a set.
struct SetVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Proves that all shards of a set are whole, and hold what the set says.",
        discussion: """
            Each shard is read as by textindex verify. Its content must be what was committed, and each object in the shard that its \
            identifier belongs to.
            Exit codes: 0 when nothing is wrong, 1 when something is, 2 when the set cannot be read.
            """)

    @Argument(help: "The folder of the set.", completion: .directory)
    var set: String

    @OptionGroup var opening: OpeningOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    private struct Report: Encodable {
        var shards = 0
        var objects = 0
        var findings: [String] = []
    }

    func run() async throws {
        let path = try IndexPlace.absolute(set)
        guard let manifest = try SetManifest.load(from: path) else {
            throw CommandError("no set of shards at \(set); see textindex set commit")
        }
        var report = Report()
        for shard in manifest.shards {
            do {
                try await verify(shard, of: manifest, at: "\(path)/\(shard.name)", &report)
            } catch let error as CommandError {
                report.findings.append("\(shard.name): \(error.message)")
            } catch let error as TextIndexError {
                report.findings.append("\(shard.name): \(error.message)")
            }
        }
        if json {
            try Console.write(report.jsonDocument())
        } else {
            let summary =
                report.findings.isEmpty
                ? "nothing is wrong" : Format.count(report.findings.count, "finding")
            let lines = [
                summary,
                "\(Format.count(report.shards, "shard")), "
                    + "\(Format.count(report.objects, "object")) read",
            ]
            try Console.write(
                (lines + report.findings.map { Printable.line($0) }).joined(separator: "\n") + "\n")
        }
        if !report.findings.isEmpty { throw Outcome.damaged }
    }

    private func verify(
        _ shard: SetManifest.Shard, of manifest: SetManifest, at place: String,
        _ report: inout Report
    ) async throws {
        let folder = try IndexFolder(existing: place, trustedOwners: opening.trustedOwners)
        do {
            let found = try await folder.index.verify(depth: .full)
            report.shards += 1
            report.objects += found.objectCount
            report.findings += found.findings.map { "\(shard.name): \($0)" }
            // What was published was whole: no crash cut off its log.
            if folder.index.recovery.discardedByteCount > 0 {
                report.findings.append("\(shard.name): the end of its log is damaged")
            }
            if found.contentDigest != shard.digest || found.objectCount != shard.objects
                || found.occurrenceCount != shard.occurrences
            {
                report.findings.append("\(shard.name) has other content than the set says")
            }
            if folder.index.analysisFingerprint != manifest.analysis
                || folder.settings.fields != manifest.fields
            {
                report.findings.append(
                    "\(shard.name) has other fields or another analysis than the set says")
            }
            if manifest.hash == SetManifest.hashRule { try checkPlaces(folder, shard, &report) }
        } catch {
            try? await folder.index.shutdown()
            throw error
        }
        try await folder.index.shutdown()
    }

    /// Each object must be in the shard of its identifier.
    private func checkPlaces(
        _ folder: IndexFolder, _ shard: SetManifest.Shard, _ report: inout Report
    ) throws {
        guard let name = ShardName(shard.name) else { return }
        var strangers = 0
        try folder.index.forEachIdentifier { identifier in
            if ShardName.number(of: identifier, among: name.count) != name.number { strangers += 1 }
            return true
        }
        if strangers > 0 {
            report.findings.append(
                "\(shard.name): \(Format.count(strangers, "object")) of other shards")
        }
    }
}
