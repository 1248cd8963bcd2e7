import ArgumentParser
import Foundation
import TextSearch

/// `textindex verify`: proves the state of an index.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Proves that an index is whole, or says what is wrong with it.",
        discussion: """
            Reads every block with its checksum and compares everything stored with everything else. \
            Nothing is changed.

            Example:
              textindex verify --index my.textindex

            Exit codes: 0 when nothing is wrong, 1 when the index is damaged, 2 when it cannot be opened.
            """
    )

    /// How much is read.
    enum Depth: String, ExpressibleByArgument, CaseIterable {
        case quick, full

        var depth: VerificationDepth { self == .quick ? .quick : .full }
    }

    @OptionGroup var location: IndexOption

    @Option(help: "How much to read: quick (manifest and counters) or full.")
    var depth = Depth.full

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() async throws {
        let report = try await IndexFolder.use(existing: location) { folder in
            try await folder.index.background.verify(depth: depth.depth)
        }
        try Console.write(json ? report.jsonDocument() : Self.text(report))
        if !report.isClean { throw Outcome.damaged }
    }

    private static func text(_ report: VerificationReport) -> String {
        let entries = report.entriesByTable.values.reduce(0, +)
        var lines = [
            report.isClean
                ? "nothing is wrong" : Format.count(report.findingCount, "finding"),
            "\(Format.count(report.objectCount, "object")), "
                + "\(Format.count(report.segmentCount, "segment")), "
                + "\(Format.count(entries, "entry", plural: "entries")) and "
                + "\(Format.bytes(report.byteCount)) read",
        ]
        let unnamed = report.unnamedByTable.values.reduce(0, +)
        if unnamed > 0 {
            lines.append(
                "\(Format.count(unnamed, "entry", plural: "entries")) left by work cut short; no search sees them"
            )
        }
        lines += report.findings.map { Printable.line($0.description) }
        if report.findings.count < report.findingCount {
            lines.append("and \(Format.count(report.findingCount - report.findings.count)) more")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
