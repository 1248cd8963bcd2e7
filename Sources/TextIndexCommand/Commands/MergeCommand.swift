import ArgumentParser
import Foundation
import TextSearch

/// `textindex merge`: makes one index of several.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Makes one index of several, without their texts.",
        discussion: """
            The new index answers as one to which the objects of all were added, in the order of the indexes; of several objects with \
            one identifier that of the last index stays. Indexes and published ones, such as shards of a set, are merged alike, if \
            they have the same fields and analysis. What was removed does not come along, nor what engage recorded.

            Example:
              textindex merge old.textindex new.textindex --index all.textindex
            """)

    @Argument(help: "The folders of the indexes.", completion: .directory)
    var indexes: [String]

    @OptionGroup var location: IndexOption

    @OptionGroup var tables: TableSizeOption

    @Flag(help: "Print one JSON document.")
    var json = false

    private struct Report: Encodable {
        let objects: Int
        let occurrences: Int
        let digest: String?
    }

    func run() async throws {
        try checkNames()
        let destination = try IndexPlace.free(location.path)
        // The new index has the settings of the first one.
        let tableSize = tables.bytes(isWrittenOnce: true)
        var folders: [IndexFolder] = []
        let found: VerificationReport
        do {
            for path in indexes {
                let source = IndexOption(
                    path: path, opening: location.opening)
                folders.append(
                    try await IndexFolder.waiting(source) {
                        try IndexFolder(
                            existing: path, tableSize: tableSize,
                            trustedOwners: location.opening.trustedOwners)
                    })
            }
            found = try TextIndex.merge(indexes: folders.map(\.index), to: destination)
            try folders.first?.settings.withoutTable.lying(at: destination.path)
                .save(to: destination.path)
        } catch {
            for folder in folders { try? await folder.index.shutdown() }
            throw error
        }
        for folder in folders { try await folder.index.shutdown() }
        try Console.write(
            json
                ? Report(
                    objects: found.objectCount, occurrences: found.occurrenceCount,
                    digest: found.contentDigest
                ).jsonDocument()
                : "\(Format.count(found.objectCount, "object")) merged and proved\n")
    }

    /// An index cannot be open twice, nor be merged with itself.
    private func checkNames() throws {
        var known: Set<String> = []
        for index in indexes {
            let path = Path(try IndexPlace.absolute(index))
            guard known.insert((path.resolved ?? path).text).inserted else {
                throw CommandError("\(index) is named twice; name each index once")
            }
        }
    }
}

/// `textindex split`: makes several indexes of one.
struct SplitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Makes several indexes of one, without its texts.",
        discussion: """
            Objects are divided as a set of shards divides them, by their identifiers. Each part is an index, to be added to a set if \
            you like.

            Example:
              textindex split all.textindex --of 2 --output parts
              textindex set add SET --shard 0 --of 2 --index parts/shard-00000-of-00002
            """)

    @Argument(help: "The folder of the index.", completion: .directory)
    var index: String

    @Option(name: .customLong("of"), help: "How many parts to make.")
    var count: Int

    @Option(help: "The folder to put them in.", completion: .directory)
    var output: String

    @OptionGroup var opening: OpeningOptions

    @OptionGroup var tables: TableSizeOption

    @Flag(help: "Print one JSON document.")
    var json = false

    private struct Report: Encodable {
        struct Part: Encodable {
            let name: String
            let objects: Int
            let occurrences: Int
            let digest: String?
        }

        let parts: [Part]
    }

    func validate() throws {
        if !(1...ShardName.mostShards).contains(count) {
            throw ValidationError("--of must be from 1 to \(ShardName.mostShards)")
        }
    }

    func run() async throws {
        let folder = try IndexPlace.absolute(output)
        let places = try (0..<count).map { number in
            try IndexPlace.free("\(folder)/\(ShardName(number: number, count: count))")
        }
        let folders = try DurableFiles.makeFolder(folder)
        let reports: [VerificationReport]
        do {
            reports = try await split(to: places)
        } catch {
            DurableFiles.removeEmpty(folders)
            throw error
        }
        let made = zip(places, reports).map { place, report in
            Report.Part(
                name: place.lastPathComponent, objects: report.objectCount,
                occurrences: report.occurrenceCount, digest: report.contentDigest)
        }
        if json { return try Console.write(Report(parts: made).jsonDocument()) }
        for part in made {
            try Console.write(
                "\(Printable.line(part.name)): \(Format.count(part.objects, "object"))\n")
        }
    }

    private func split(to places: [URL]) async throws -> [VerificationReport] {
        let location = IndexOption(path: index, opening: opening)
        let parts = count
        let tableSize = tables.bytes(isWrittenOnce: true)
        return try await IndexFolder.use(existing: location, tableSize: tableSize) { folder in
            let reports = try folder.index.split(to: places) { identifier in
                ShardName.number(of: identifier, among: parts)
            }
            for place in places {
                try folder.settings.withoutTable.lying(at: place.path).save(to: place.path)
            }
            return reports
        }
    }
}
