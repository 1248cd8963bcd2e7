import ArgumentParser
import Dispatch
import Foundation
import TextSearch

/// `textindex index`: reads files and lines into an index.
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Indexes folders of text, and lines of JSON.",
        discussion: """
            Folders are searched for .txt and .md files; each file is one object, identified by its \
            path. A .jsonl file holds one JSON object a line. What has not changed since it was \
            indexed is skipped.

            Examples:
              textindex index Documents --index my.textindex
              textindex index Documents --index my.textindex --sync
              textindex index items.jsonl --field name --field text --index shop
              textindex index items.jsonl --attribute price --attribute published:date --index shop
              zcat items.jsonl.gz | textindex index - --index shop
            """
    )

    @Argument(
        help: "Folders, text files and .jsonl files; - for JSON lines from standard input.",
        completion: .file())
    var paths: [String]

    @OptionGroup var location: IndexOption

    @Option(help: "The member that identifies a JSON line (default: id, or the one given last).")
    var id: String?

    @Option(
        help: """
            A member of a JSON line to index; repeat it for more (default: title and body). \
            author.name is the member name of the object author.
            """)
    var field: [String] = []

    @Option(help: "The member of a JSON line to rank by, a number (default: the one given last).")
    var weight: String?

    @Option(
        help: """
            A member of a JSON line to filter and sort by; repeat it for more (default: those \
            given last). :date behind it reads it as a date (ISO 8601), :number and :text as those.
            """)
    var attribute: [AttributeChoice] = []

    @OptionGroup(title: "Analysis, of a new index") var analysis: AnalysisOptions

    @Option(
        help: ArgumentHelp(
            "The most text of a file or line; more is reported and left out.", valueName: "MiB"))
    var maxSize = TextIndexConfiguration().maximumTextLength >> 20

    @Flag(help: "Also remove from the index what has vanished from the given paths.")
    var sync = false

    @Flag(help: "With --sync: a path that gives no objects removes all that came from there.")
    var allowEmpty = false

    @Flag(help: "Also read files outside of the given folders to which links in them lead.")
    var followLinks = false

    @OptionGroup var tables: TableSizeOption

    @OptionGroup(title: "For programs") var watching: IndexReportOptions

    func validate() throws {
        if field.contains("") { throw ValidationError("--field needs a name") }
        if Set(field).count < field.count { throw ValidationError("a --field is named twice") }
        if Set(attribute.map(\.name)).count < attribute.count {
            throw ValidationError("an --attribute is named twice")
        }
        if let problem = attribute.lazy.compactMap(\.doubt).first { throw ValidationError(problem) }
        if !(1...1024).contains(maxSize) {
            throw ValidationError("--max-size must be from 1 to 1024 MiB")
        }
        // Without a name it would be the folder that one is in.
        if paths.contains("") { throw ValidationError("a path is empty") }
        if paths.filter({ $0 == Path.standardInput.text }).count > 1 {
            throw ValidationError("standard input (-) can be read only once")
        }
    }

    func run() async throws {
        let given = try Self.absolute(paths, location)
        let (tally, removed) = try await IndexFolder.use(
            creating: location, largestText: maxSize << 20,
            tableSize: tables.bytes(isWrittenOnce: watching.isOfShard), settings: settings
        ) {
            try await update($0, from: given)
        }
        tally.finish()
        for name in field + attribute.map(\.name) where tally.absent.contains(name) {
            Console.report("no line has the member \(Printable.line(name))")
        }
        let report = IndexReport(tally, removed: removed, watching)
        try watching.write(report)
        try Console.write(
            watching.json ? report.jsonDocument() : Self.summary(tally, removed: removed) + "\n")
        if tally.isInterrupted {
            Console.report("interrupted; what was indexed is kept, run it again for the rest")
            throw Outcome.interrupted
        }
        if let problem = report.problem { throw CommandError(problem) }
        if !report.isTolerated { throw Outcome.failure }
    }

    /// Indexes what is new, and removes what has vanished if that is asked for.
    private func update(
        _ folder: IndexFolder, from given: [Path]
    ) async throws -> (tally: IndexTally, removed: Int) {
        let tally = IndexTally(totalBytes: totalBytes(given, folder))
        let interrupts = Interrupts { tally.interrupt() }
        defer { interrupts.stop() }
        if given.contains(.standardInput), Console.inputIsTerminal {
            Console.report("reading JSON lines from standard input; Ctrl-D ends them")
        }
        try await load(given, folder, tally)
        return (tally, try await removeVanished(given, folder, tally))
    }

    /// The paths that were given, absolute; every one of them exists.
    static func absolute(_ paths: [String], _ location: IndexOption) throws -> [Path] {
        try Path.named(by: paths).map { path in
            if path == .standardInput { return path }
            let absolute = path.absolute()
            guard Entry(absolute) != nil else {
                if Entry.isDeadLink(absolute) { throw IndexFolder.leadsNowhere(path.text) }
                throw CommandError(
                    "no file or folder at \(path.text); check the path, or drop what was indexed "
                        + "from there: textindex remove --under \(path.text) --index \(location.path)"
                )
            }
            return absolute
        }
    }

    /// The settings of a new index, or those that an old one has.
    private func settings(_ stored: IndexSettings?) throws -> IndexSettings {
        if var stored {
            try stored.checkFollowsNoTable("make another one for files")
            guard field.isEmpty || field == stored.fields else {
                throw CommandError(
                    "this index has the fields \(stored.fields.joined(separator: ", ")); "
                        + "leave --field out, or make another index")
            }
            guard try analysis.isEmpty || analysis.choice() == stored.analysis ?? AnalysisChoice()
            else {
                throw CommandError(
                    "this index analyses text in another way; leave --tokenizer, --stem and "
                        + "--stop-words out, or make another index")
            }
            stored.id = id ?? stored.id
            stored.weight = weight ?? stored.weight
            if !attribute.isEmpty { stored.attributes = attribute.map(\.text) }
            return stored
        }
        let hasLines = paths.contains {
            $0 == Path.standardInput.text || ["jsonl", "ndjson"].contains(Path($0).suffix)
        }
        let usual = hasLines ? ["title", "body"] : IndexSettings.fieldsOfFiles
        let fields = field.isEmpty ? usual : field
        guard let root = Path.current.exactText else {
            throw CommandError(
                "the path of the current folder is not UTF-8; make the index from another one")
        }
        return IndexSettings(
            root: root, fields: fields, id: id, weight: weight,
            attributes: attribute.isEmpty ? nil : attribute.map(\.text),
            analysis: analysis.isEmpty ? nil : try analysis.choice())
    }

    private func totalBytes(_ given: [Path], _ folder: IndexFolder) -> Int? {
        if given.contains(.standardInput) { return nil }
        // Folders that cannot be read are reported by the pass that indexes.
        return Walker(
            given, excluding: Path(folder.path), followsLinks: followLinks, onUnreadable: { _ in }
        )
        .reduce(0) { $0 + $1.size }
    }

    private func load(_ given: [Path], _ folder: IndexFolder, _ tally: IndexTally) async throws {
        let root = folder.settings.rootPath
        let walker = Walker(
            given, excluding: Path(folder.path), followsLinks: followLinks
        ) { unreadable in
            let name = unreadable.relative(to: root).text
            tally.fail("\(name): cannot read this folder", incomplete: unreadable, isUnread: true)
        } onLink: { link in
            tally.warn(
                "\(link.relative(to: root).text): a link out of the folder, passed over; see --follow-links"
            )
        } onOther: {
            tally.passOver($0)
        }
        let reader = folder.settings.reader(largestText: maxSize << 20)
        let index = folder.index
        let isNew = index.count == 0
        let stream = RecordStream(
            walker: walker, reader: reader, root: root, tally: tally
        ) { identifier in
            guard !isNew, let item = try? index.item(for: identifier) else { return nil }
            return Origin(item.context)
        }
        let report = try await index.indexObjects(stream)
        // Commands that only search end before a merge would.
        await index.waitForMaintenance { tally.isInterrupted }
        for failure in report.failures { tally.refused(failure) }
        tally.refused(more: report.failureCount - report.failures.count)
    }

    /// Removes what came from the given paths before and was not met this time.
    private func removeVanished(
        _ given: [Path], _ folder: IndexFolder, _ tally: IndexTally
    ) async throws -> Int {
        guard sync, !tally.isInterrupted else { return 0 }
        if !allowEmpty { refuseEmpty(given, folder, tally) }
        let vanished = try Vanished(given: given, folder: folder, tally: tally).identifiers()
        try await folder.remove(vanished)
        return vanished.count
    }

    /// Keeps what came from paths that gave nothing: a disk may not be mounted there, or the
    /// program that should have written may have failed.
    private func refuseEmpty(_ given: [Path], _ folder: IndexFolder, _ tally: IndexTally) {
        let incomplete = tally.incomplete
        for path in given
        where !tally.hasGiven(path) && !incomplete.contains(path)
            && !tally.hasMet(folder.identifier(ofFile: path))
        {
            let name =
                path == .standardInput
                ? "standard input" : path.relative(to: folder.settings.rootPath).text
            tally.fail(
                "\(name): no objects; what came from there before is kept, unless "
                    + "--allow-empty is given", incomplete: path, isUnread: true)
        }
    }

    private static func summary(_ tally: IndexTally, removed: Int) -> String {
        let counts = tally.counts
        let seconds = tally.seconds
        var parts = ["\(Format.count(counts.indexed, "object")) indexed"]
        if counts.unchanged > 0 { parts.append("\(Format.count(counts.unchanged)) unchanged") }
        if removed > 0 { parts.append("\(Format.count(removed)) removed") }
        if counts.failed > 0 { parts.append("\(Format.count(counts.failed)) failed") }
        let rate = Format.bytes(Int(Double(counts.bytes) / max(seconds, 1e-6)))
        let objects = parts.joined(separator: ", ")
        let text = "\(Format.bytes(counts.bytes)) in \(Format.duration(seconds)) (\(rate)/s)"
        let others = tally.otherFiles.map { "\n\($0)" } ?? ""
        return "\(objects); \(text)\(others)"
    }
}
