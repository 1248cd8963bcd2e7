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
            identifier belongs to. Of a set that was committed with --any-division, no object may be in two shards.
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
        var identifiers = SharedIdentifiers()
        for shard in manifest.shards {
            await noting(shard, &report) { report in
                try await verify(
                    shard, of: manifest, at: "\(path)/\(shard.name)", &report, &identifiers)
            }
        }
        let shared = identifiers.shared()
        if !shared.isEmpty { await find(shared, in: path, manifest, &report) }
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

    /// Notes what `body` throws as a finding of a shard.
    private func noting(
        _ shard: SetManifest.Shard, _ report: inout Report,
        _ body: (inout Report) async throws -> Void
    ) async {
        do {
            try await body(&report)
        } catch let problem as ShardProblem {
            report.findings.append(problem.message)
        } catch {
            report.findings.append("\(shard.name): \(CommandError.message(of: error))")
        }
    }

    /// Names the shards that have the same objects.
    private func find(
        _ shared: Set<UInt64>, in path: String, _ manifest: SetManifest, _ report: inout Report
    ) async {
        var places = SharedIdentifiers.Places(of: shared)
        for shard in manifest.shards {
            await noting(shard, &report) { _ in
                let folder = try IndexFolder(
                    existing: "\(path)/\(shard.name)", trustedOwners: opening.trustedOwners)
                try places.add(folder, named: shard.name)
                try await folder.index.shutdown()
            }
        }
        if let finding = places.finding { report.findings.append(finding) }
    }

    private func verify(
        _ shard: SetManifest.Shard, of manifest: SetManifest, at place: String,
        _ report: inout Report, _ identifiers: inout SharedIdentifiers
    ) async throws {
        try shard.checkThere(place)
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
            } else if let problem = try shard.problem(of: folder) {
                report.findings.append(problem.message)
            }
            if folder.index.analysisFingerprint != manifest.analysis
                || folder.settings.fields != manifest.fields
            {
                report.findings.append(
                    "\(shard.name) has other fields or another analysis than the set says")
            }
            if manifest.hash == SetManifest.hashRule {
                try checkPlaces(folder, shard, &report)
            } else {
                try identifiers.add(folder)
            }
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
        let strangers = try ShardName(shard.name)?.strangers(in: folder) ?? 0
        if strangers > 0 {
            report.findings.append(
                "\(shard.name): \(Format.count(strangers, "object")) of other shards")
        }
    }
}
