import ArgumentParser
import Foundation
import TextSearch

/// `textindex stats`: says what an index holds.
struct StatsCommand: ParsableCommand {
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
        let bytes: Int
        let fields: [String]
        let root: String
    }

    func run() throws {
        let folder = try IndexFolder(existing: location.path)
        defer { try? folder.index.close() }
        let report = Report(
            objects: folder.index.count, bytes: OptimizeCommand.size(of: folder.path),
            fields: folder.settings.fields, root: folder.settings.root)
        if json {
            Console.write(try report.jsonDocument())
        } else {
            Console.write(
                """
                objects  \(Format.count(report.objects))
                on disk  \(Format.bytes(report.bytes))
                fields   \(Printable.line(report.fields.joined(separator: ", ")))
                paths    relative to \(Printable.line(report.root))

                """)
        }
    }
}
