import ArgumentParser
import Foundation
import TextSearch

/// `textindex export`: writes the objects of an index as lines of JSON.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the objects of an index as lines of JSON, for import.",
        discussion: """
            An index keeps no text, so it is read again where it came from: from files, or from the \
            table that the index follows. An object whose text has changed since, is gone, or came from \
            standard input is reported and left out.

            Example:
              textindex export --index shop > shop.export
              textindex import shop.export --index other

            Exit codes: 0 when all objects were written, 2 when some were not.
            """
    )

    @OptionGroup var location: IndexOption

    func run() async throws {
        let missing = try await IndexFolder.use(existing: location) { try Self.write($0) }
        if missing > 0 {
            Console.report("\(Format.count(missing, "object")) not exported")
            throw Outcome.failure
        }
    }

    /// The number of objects left out that are named.
    private static let shownProblems = 50

    /// Writes everything; gives how many objects were left out.
    private static func write(_ folder: IndexFolder) throws -> Int {
        let records = try SourceRecords(settings: folder.settings)
        try Console.write(Export.Head(settings: folder.settings.placeless.withoutTable).jsonLine())
        var (written, missing) = (0, 0)
        var buffer = ""
        try folder.index.forEachIdentifier { identifier in
            switch Result(catching: { try record(of: identifier, folder, records) }) {
            case .success(let record):
                written += 1
                buffer += try Export.Object(record).jsonLine()
                if buffer.utf8.count > 1 << 16 {
                    try Console.write(buffer)
                    buffer = ""
                }
            case .failure(let error as CommandError):
                missing += 1
                if missing <= shownProblems {
                    Console.report("\(Path(bytes: identifier).text): \(error.message)")
                }
            case .failure(let error): throw error
            }
            return true
        }
        if !buffer.isEmpty { try Console.write(buffer) }
        try folder.index.forEachEngagement {
            try Console.write(Export.Engagement($0).jsonLine())
            return true
        }
        try Console.write(Export.Tail(objectCount: written).jsonLine())
        return missing
    }

    private static func record(
        of identifier: Data, _ folder: IndexFolder, _ records: SourceRecords
    ) throws -> Record {
        guard let item = try folder.index.item(for: identifier), let origin = Origin(item.context)
        else { throw CommandError("this object was not indexed by textindex") }
        guard var record = try records.record(of: identifier, origin) else {
            throw CommandError(records.isGone)
        }
        guard record.origin.hash.prefix(16) == origin.hash.prefix(16) else {
            throw CommandError(records.hasChanged)
        }
        // As it was indexed, whatever options were given since.
        record.weight = item.weight
        record.attributes = item.attributes
        record.origin = origin
        return record
    }
}

/// `textindex import`: makes an index of an export.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Indexes what export wrote.",
        discussion: """
            The index has the settings of the exported one. An old index with the same settings takes \
            the objects in, in the place of those with the same identifiers.

            Example:
              textindex import shop.export --index other
            """
    )

    @Argument(help: "The exported lines; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var location: IndexOption

    func run() async throws {
        let tally = IndexTally(totalBytes: nil)
        let isStandardInput = file == Path.standardInput.text
        let objects = ExportedObjects(
            try ExportReader(
                isStandardInput
                    ? InputFile { tally.isInterrupted }
                    : try InputFile(path: Path(file).absolute()),
                tally: tally))
        try await IndexFolder.use(creating: location, largestText: 1 << 30) { stored in
            try stored?.checkFollowsNoTable("name a new folder")
            guard stored == nil || stored?.placeless == objects.settings.placeless.withoutTable
            else {
                throw CommandError(
                    "the index at \(location.path) has other settings than the exported one; name "
                        + "a new folder")
            }
            return objects.settings.withoutTable
        } _: { folder in
            let interrupts = Interrupts { tally.interrupt() }
            defer { interrupts.stop() }
            let report = try await folder.index.indexObjects(objects)
            await folder.index.waitForMaintenance { tally.isInterrupted }
            for failure in report.failures { tally.refused(failure) }
            tally.refused(more: report.failureCount - report.failures.count)
            for engagement in objects.engagements {
                _ = try await folder.index.recordEngagement(engagement).value()
            }
        }
        tally.finish()
        let counts = tally.counts
        try Console.write(
            "\(Format.count(counts.indexed, "object")) imported"
                + (counts.failed > 0 ? ", \(Format.count(counts.failed)) failed" : "") + "\n")
        if tally.isInterrupted { throw Outcome.interrupted }
        if counts.failed > 0 { throw Outcome.failure }
    }
}
