import ArgumentParser
import Foundation
import TextIndexInterface
import TextSearch

/// `textindex stats`: says what an index holds.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows what an index holds and how large it is.",
        discussion: """
            Example:
              textindex stats --index my.textindex
            """
    )

    @OptionGroup var location: IndexOption

    @Flag(help: "Print one JSON document.")
    var json = false

    /// What is shown.
    private struct Report: Encodable {
        let objects: Int
        let terms: Int
        let removedObjects: Int
        let segments: Int
        let unflushedObjects: Int
        let bytes: Int
        let bytesByTable: [String: Int]
        let fields: [String]
        let root: String
        /// Nil for an index of files.
        let following: Following?

        init(_ statistics: IndexStatistics, _ folder: IndexFolder) {
            let settings = folder.settings
            objects = statistics.objectCount
            terms = statistics.termCount
            removedObjects = statistics.deadCount
            segments = statistics.segmentCount + statistics.memorySegmentCount
            unflushedObjects = statistics.journalCount
            bytes = statistics.fileBytes
            bytesByTable = statistics.bytesByTable
            fields = settings.fields
            root = settings.root
            following = settings.followed.map { table in
                Following(table, table.lag(of: folder.index, columns: settings.fields))
            }
        }

        var lines: [(name: String, value: String)] {
            [
                ("objects", Format.count(objects)),
                ("terms", Format.count(terms)),
                ("removed", "\(Format.count(removedObjects)), still taking space"),
                ("segments", Format.count(segments)),
                ("on disk", Format.bytes(bytes)),
            ]
                + bytesByTable.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .filter { $0.value > 0 }
                .map { ("  \($0.key)", "\(Format.bytes($0.value)) before compression") }
                + [("fields", Printable.line(fields.joined(separator: ", ")))]
                + (following?.lines ?? [("paths", "relative to \(Printable.line(root))")])
        }
    }

    /// The table that an index follows.
    private struct Following: Encodable {
        let database: String
        let table: String
        let phase: String
        let behind: Int?
        let problem: String?

        init(_ followed: IndexSettings.FollowedTable, _ lag: FollowedTable) {
            database = followed.database
            table = followed.table
            phase = lag.phase.rawValue
            behind = lag.behind
            problem = lag.problem
        }

        var lines: [(name: String, value: String)] {
            let lag = behind.map { $0 == 0 ? "nothing" : Format.count($0, "change") }
            return [
                ("follows", Printable.line("\(table) of \(database)")),
                ("behind", lag ?? problem ?? "not known while all rows are read"),
            ]
        }
    }

    func run() async throws {
        let report = try await IndexFolder.use(existing: location) { folder in
            Report(try await folder.index.statistics(), folder)
        }
        if json {
            try Console.write(report.jsonDocument())
            return
        }
        let width = report.lines.reduce(0) { max($0, $1.name.count) }
        for (name, value) in report.lines {
            let padding = String(repeating: " ", count: width - name.count + 2)
            try Console.write("\(name)\(padding)\(value)\n")
        }
    }
}
