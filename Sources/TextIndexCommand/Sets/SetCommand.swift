import ArgumentParser
import Foundation
import TextSearch

/// `textindex set`: many indexes that are searched as one.
struct SetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Makes many indexes one: a set of shards.",
        discussion: """
            A shard is an index of a part of the objects. An object belongs to the shard whose number is the first 60 bits of the \
            SHA-256 of its identifier, modulo the number of shards. Each shard is built by itself, wherever that is, and added to the \
            set in one step. Once all are there, commit makes them the set; readers see only what was committed.

            Example:
              textindex index - --index /tmp/two --expect 4998 < two.jsonl
              textindex set add /srv/notes --shard 2 --of 4 --index /tmp/two
              textindex set commit /srv/notes
              textindex search duck --index /srv/notes
            """,
        subcommands: [
            SetAddCommand.self, SetCommitCommand.self, SetVerifyCommand.self,
            SetStatusCommand.self,
        ])
}

/// `textindex set add`: publishes an index as a shard.
struct SetAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds an index to a set, as one of its shards.",
        discussion: """
            The index is published beside the set, proved, and renamed into place in one step. If the shard is there already with the \
            same content, as after another attempt of the same work, that is no error; with other content it is.
            """)

    @Argument(help: "The folder of the set.", completion: .directory)
    var set: String

    @Option(help: "The number of the shard, from 0.")
    var shard: Int

    @Option(name: .customLong("of"), help: "How many shards the set has.")
    var count: Int

    @OptionGroup var location: IndexOption

    @OptionGroup var access: AccessOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() async throws {
        let name = try ShardName(number: shard, count: count)
        let path = try IndexPlace.absolute(set)
        try SetFolder.checkIsFor(set)
        if try IndexPlace(existing: location.path).isPublished {
            throw CommandError(
                "\(location.path) is published already, and only read; name the index that it was "
                    + "published from, or make one: textindex merge \(location.path) --index NEW")
        }
        let (record, isNew) = try await IndexFolder.use(existing: location) { folder in
            try await ShardPublication(set: path, name: name, isReadable: access.readable)
                .publish(folder)
        }
        if json {
            try Console.write(Report(shard: record, isNew: isNew).jsonDocument())
        } else {
            let state = isNew ? "added" : "is there already, with the same content"
            try Console.write(
                "\(record.name) \(state): \(Format.count(record.objects, "object"))\n")
        }
        if let strangers = record.strangers, strangers > 0 {
            Console.report(
                "\(record.name) has \(Format.count(strangers, "object")) of other shards, by their "
                    + "identifiers: set commit takes that with --any-division alone")
        }
    }

    private struct Report: Encodable {
        let shard: ShardRecord
        let isNew: Bool
    }
}

/// `textindex set commit`: makes the shards that are there the set.
struct SetCommitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: "Makes the shards in a folder the set that readers see.",
        discussion: """
            All shards must be there, with the same fields and analysis, and each object in the shard that its identifier belongs to. \
            What other attempts left of them is removed.
            """)

    @Argument(help: "The folder of the set.", completion: .directory)
    var set: String

    @Option(name: .customLong("of"), help: "How many shards there must be (default: as named).")
    var count: Int?

    @Flag(
        help: """
            The shards do not divide the objects by their identifiers. Nothing then keeps an object \
            from being in several shards, but set verify finds that.
            """)
    var anyDivision = false

    @Flag(help: "Print one JSON document.")
    var json = false

    func validate() throws {
        if let count, !(1...ShardName.mostShards).contains(count) {
            throw ValidationError("--of must be from 1 to \(ShardName.mostShards)")
        }
    }

    func run() async throws {
        let path = try IndexPlace.absolute(set)
        try SetFolder.checkIsFor(set)
        let shards = try ShardInventory(path).complete(count)
        guard let first = shards.first else { throw CommandError("\(set) has no shards") }
        for shard in shards where shard.analysis != first.analysis {
            throw CommandError(
                "\(shard.name) has other fields or another analysis than \(first.name); build it "
                    + "as the others")
        }
        if !anyDivision { try checkDivision(shards) }
        let manifest = SetManifest(
            fields: first.fields, analysis: first.analysis,
            hash: anyDivision ? nil : SetManifest.hashRule,
            shards: shards.map {
                .init(
                    name: $0.name, objects: $0.objects, occurrences: $0.occurrences,
                    digest: $0.digest)
            })
        for shard in manifest.shards {
            do {
                try shard.checkThere("\(path)/\(shard.name)")
            } catch let problem as ShardProblem {
                throw CommandError("\(problem.message); add the shard again")
            }
        }
        try DurableFiles.write(
            try manifest.jsonDocument(), to: "\(path)/\(SetManifest.fileName)")
        ShardPublication.removeLateAttempts(in: path, for: shards.map(\.name))
        try Console.write(
            json
                ? manifest.jsonDocument()
                : "\(Format.count(manifest.shards.count, "shard")), "
                    + "\(Format.count(manifest.objectCount, "object"))\n")
    }

    /// Objects in shards that they do not belong to may be in two, and would be found twice.
    private func checkDivision(_ shards: [ShardRecord]) throws {
        for shard in shards {
            guard let strangers = shard.strangers, strangers > 0 else { continue }
            throw CommandError(
                "\(shard.name) has \(Format.count(strangers, "object")) of other shards: divide "
                    + "the objects by their identifiers, as textindex split does, or give "
                    + "--any-division")
        }
    }
}

/// `textindex set status`: says what a set has.
struct SetStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says which shards a set has, and which are missing.",
        discussion: """
            Each shard is opened, and compared as far as that is soon done; textindex set verify reads all of it.
            Exit code: 0 when the set is committed and all of its shards are there, else 1.
            """)

    @Argument(help: "The folder of the set.", completion: .directory)
    var set: String

    @OptionGroup var opening: OpeningOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    private struct Report: Encodable {
        var isCommitted = false
        var shards = 0
        var objects = 0
        /// Named by the set, or by the other shards, and not there.
        var missing: [String] = []
        /// There with other content than the set says.
        var different: [String] = []
        /// What is wrong, in sentences.
        var findings: [String] = []
    }

    func run() async throws {
        let path = try IndexPlace.absolute(set)
        let report: Report
        if let manifest = try SetManifest.load(from: path) {
            report = await look(at: path, manifest)
        } else {
            try SetFolder.checkIsFor(set)
            report = Self.uncommitted(try ShardInventory(path))
        }
        try Console.write(json ? report.jsonDocument() : Self.text(report))
        if !report.isCommitted || !report.findings.isEmpty { throw Outcome.incomplete }
    }

    /// Opens every shard, as a search does.
    private func look(at path: String, _ manifest: SetManifest) async -> Report {
        var report = Report(
            isCommitted: true, shards: manifest.shards.count, objects: manifest.objectCount)
        for shard in manifest.shards {
            do {
                let folder = try shard.open(in: path, trustedOwners: opening.trustedOwners)
                try await folder.index.shutdown()
            } catch let problem as ShardProblem {
                report.findings.append(problem.message)
                switch problem.kind {
                case .missing: report.missing.append(shard.name)
                case .different: report.different.append(shard.name)
                case .unreadable: break
                }
            } catch {
                report.findings.append("\(shard.name): \(CommandError.message(of: error))")
            }
        }
        return report
    }

    private static func uncommitted(_ inventory: ShardInventory) -> Report {
        let wanted = inventory.expectedNames
        let missing = wanted.filter {
            inventory.records[$0] == nil && inventory.problems[$0] == nil
        }
        let findings = wanted.compactMap { name in
            inventory.problems[name]
                ?? (inventory.records[name] == nil ? "\(name) is missing" : nil)
        }
        return Report(
            shards: wanted.count,
            objects: inventory.records.values.reduce(0) { $0 + $1.objects }, missing: missing,
            findings: findings)
    }

    private static func text(_ report: Report) -> String {
        var lines = [
            "\(report.isCommitted ? "committed" : "not committed"): "
                + "\(Format.count(report.shards, "shard")), "
                + Format.count(report.objects, "object")
        ]
        lines += report.findings.map { Printable.line($0) }
        return lines.joined(separator: "\n") + "\n"
    }
}
