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
            Nothing is changed. With --depth source files, lines and rows are read again, too, and compared \
            with what was indexed; what has changed or gone since is a finding. Given all the paths that \
            were indexed, it also finds what is there and not in the index. For an index that follows a \
            table no paths are needed. After a repair that could \
            not tell whether objects are missing, this is what settles it.

            Examples:
              textindex verify --index my.textindex
              textindex verify --index my.textindex --depth source --sample 1000
              textindex verify Documents items.jsonl --index my.textindex --depth source

            Exit codes: 0 when nothing is wrong, 1 when the index is damaged or objects may be missing \
            since a repair, 2 when it cannot be opened.
            """
    )

    /// How much is read.
    enum Depth: String, ExpressibleByArgument, CaseIterable {
        case quick, full, source
    }

    @Argument(
        help: "With --depth source: everything that was indexed, to find what the index has not.",
        completion: .file())
    var paths: [String] = []

    @OptionGroup var location: IndexOption

    @Option(
        help:
            "How much to read: quick (manifest and counters), full, or source (files and lines, too)."
    )
    var depth = Depth.full

    @Option(
        help:
            "With --depth source: about how many objects to read again, spread evenly (default: all)."
    )
    var sample: Int?

    @Flag(help: "Print one JSON document.")
    var json = false

    func validate() throws {
        if !paths.isEmpty, depth != .source || sample != nil {
            throw ValidationError("paths need --depth source, without --sample")
        }
        if paths.contains("") { throw ValidationError("a path is empty") }
        guard let sample else { return }
        if depth != .source { throw ValidationError("--sample needs --depth source") }
        if sample < 1 { throw ValidationError("--sample must be 1 or more") }
    }

    func run() async throws {
        let (report, proof) = try await IndexFolder.use(existing: location) { folder in
            (try await verify(folder), folder.settings.proof)
        }
        try Console.write(json ? report.jsonDocument() : Self.text(report, proof))
        if !report.isClean || report.isUncertain { throw Outcome.damaged }
    }

    private func verify(_ folder: IndexFolder) async throws -> VerificationReport {
        if !paths.isEmpty {
            try folder.settings.checkFollowsNoTable("leave the paths out")
        }
        if depth == .source { try folder.readFromSources() }
        if let identifiers = try identifiers(folder) {
            return try await folder.index.verify(against: identifiers)
        }
        return try await folder.index.verify(depth: verificationDepth)
    }

    /// The identifiers of all objects that the index should have; nil where nobody knows them, or a
    /// sample is enough.
    private func identifiers(_ folder: IndexFolder) throws -> Set<Data>? {
        guard depth == .source, sample == nil else { return nil }
        let records = try SourceRecords(settings: folder.settings)
        if paths.isEmpty { return try records.identifiersOfRows(for: folder.index) }
        return try records.identifiers(
            in: try IndexCommand.absolute(paths, location), besides: Path(folder.path))
    }

    private var verificationDepth: VerificationDepth {
        switch depth {
        case .quick: .quick
        case .full: .full
        case .source: .source(sample: sample)
        }
    }

    private static func text(_ report: VerificationReport, _ proof: String) -> String {
        let entries = report.entriesByTable.values.reduce(0, +)
        var lines = [
            report.isClean
                ? "nothing is wrong" : Format.count(report.findingCount, "finding"),
            "\(Format.count(report.objectCount, "object")), "
                + "\(Format.count(report.segmentCount, "segment")), "
                + "\(Format.count(entries, "entry", plural: "entries")) and "
                + "\(Format.bytes(report.byteCount)) read",
        ]
        if report.depth == "source" {
            lines.append(
                "\(Format.count(report.sourceCount, "object")) compared with the source"
                    + (report.unavailableCount > 0
                        ? ", \(Format.count(report.unavailableCount)) whose source is not kept"
                        : ""))
        }
        let unnamed = report.unnamedByTable.values.reduce(0, +)
        if unnamed > 0 {
            lines.append(
                "\(Format.count(unnamed, "entry", plural: "entries")) left by work cut short; no search sees them"
            )
        }
        if report.isUncertain {
            lines.append(
                "objects may be missing since a repair, until \(proof) finds nothing")
        }
        lines += report.findings.map { Printable.line($0.description) }
        if report.findings.count < report.findingCount {
            lines.append("and \(Format.count(report.findingCount - report.findings.count)) more")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
