import ArgumentParser
import Foundation
import TextSearch

/// `textindex repair`: keeps what is whole of a damaged index.
struct RepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Makes a whole index of what is left of a damaged one.",
        discussion: """
            What is proved to be what was written is kept, in a new index in the place of the old one; \
            the damaged files stay beside it. Text files whose objects were lost are read again. For \
            lines of JSON, index the same files again: what is there already is passed over.

            Example:
              textindex repair --index my.textindex

            Exit codes: 0 when nothing is missing now, 1 when objects are or may be, 2 when it cannot \
            be repaired.
            """
    )

    @OptionGroup var location: IndexOption

    @Flag(help: "Print one JSON document.")
    var json = false

    /// What is said of a repair.
    struct Report: Encodable {
        let objects: Int
        let indexedAgain: Int
        /// Identifiers of lost objects that could not be indexed again; what is not UTF-8 is
        /// replaced.
        let lost: [String]
        /// How many more were lost, of which nothing is known; null when that cannot be told.
        let unidentified: Int?
        let isUncertain: Bool
        /// Files that cannot be read in part, or at all.
        let damagedFiles: [String]
        let damagedIndex: String
        /// How to bring back what is lost, and the command that proves that nothing is; not printed
        /// as JSON.
        let advice: String
        let proof: String

        private enum CodingKeys: String, CodingKey {
            case objects, indexedAgain, lost, unidentified, isUncertain, damagedFiles
            case damagedIndex
        }

        var isWhole: Bool { lost.isEmpty && unidentified == 0 && !isUncertain }

        /// The number of lost identifiers that are shown to people.
        private static let shown = 20

        var lines: [String] {
            var lines = [
                "\(Format.count(objects, "object")) in the repaired index"
                    + (indexedAgain > 0 ? ", \(Format.count(indexedAgain)) read again" : "")
            ]
            if !damagedFiles.isEmpty {
                lines.append(
                    "\(Format.count(damagedFiles.count, "damaged file")): "
                        + damagedFiles.map(Printable.line).joined(separator: ", "))
            }
            if !lost.isEmpty {
                lines.append("\(Format.count(lost.count, "object")) lost:")
                lines += lost.prefix(Self.shown).map { "  \(Printable.line($0))" }
                if lost.count > Self.shown {
                    lines.append("  and \(Format.count(lost.count - Self.shown)) more (--json)")
                }
            }
            if let unidentified, unidentified > 0 {
                lines.append(
                    "\(Format.count(unidentified, "object")) lost of which nothing is known")
            }
            if isUncertain {
                lines.append(
                    "objects may be missing, and what was removed or replaced may be back, until "
                        + "\(proof) finds nothing")
            }
            if !isWhole { lines.append(advice) }
            lines.append("the damaged index is kept in \(Printable.line(damagedIndex))")
            return lines
        }
    }

    func run() async throws {
        let repaired = try await IndexFolder.use(closed: location) { place in
            try TextIndex<Record>.repair(at: place.url, configuration: place.configuration())
        }
        let report = try await IndexFolder.use(existing: location) { folder in
            try Self.readAgain(in: folder)
            let again = try await folder.index.indexLostObjects()
            let lost = try folder.index.lostIdentifiers
            return Report(
                objects: folder.index.count, indexedAgain: again.indexedCount,
                lost: lost.map { String(decoding: $0, as: UTF8.self) },
                unidentified: repaired.unidentifiedCount, isUncertain: repaired.isUncertain,
                damagedFiles: repaired.damagedFiles,
                damagedIndex: repaired.damagedDirectory.path,
                advice: folder.settings.followed == nil
                    ? "index the same paths again to bring back what is lost"
                    : "textindex follow brings back what is lost",
                proof: folder.settings.proof)
        }
        try Console.write(
            json ? report.jsonDocument() : report.lines.joined(separator: "\n") + "\n")
        if !report.isWhole { throw Outcome.incomplete }
    }

    /// Has the index ask for files by the names of lost objects. A row of a table has no file, even
    /// where one has the name of its key.
    private static func readAgain(in folder: IndexFolder) throws {
        guard folder.settings.followed == nil else {
            folder.index.objectGetter = { _ in throw CommandError("rows are read by follow") }
            return
        }
        let records = try SourceRecords(settings: folder.settings)
        folder.index.objectGetter = { identifier in
            guard let record = try records.record(ofFile: identifier) else {
                throw CommandError("no file has this name")
            }
            return record
        }
    }
}
