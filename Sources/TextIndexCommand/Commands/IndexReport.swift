import ArgumentParser
import Foundation

/// Options of `textindex index` for programs that feed it.
struct IndexReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How many objects the input has, those that fail among them. With more or fewer it is \
            an error: a feeder that dies looks like the end of its input.
            """, valueName: "count"))
    var expect: Int?

    @Option(
        help: ArgumentHelp(
            "How many objects may fail without an error (default: 0). A source that cannot be read is one.",
            valueName: "count"))
    var tolerate = 0

    @Option(help: ArgumentHelp("Write a report in JSON to a file.", valueName: "file"))
    var report: String?

    @Flag(help: "Print the report instead of a summary.")
    var json = false

    /// What a program feeds whole is most likely a shard, built once and then published.
    var isOfShard: Bool { expect != nil }

    func validate() throws {
        if let expect, expect < 0 { throw ValidationError("--expect must not be negative") }
        if tolerate < 0 { throw ValidationError("--tolerate must not be negative") }
        if report == "" { throw ValidationError("--report needs the name of a file") }
    }

    /// Writes the report where that is asked for; it is there whole, or not at all.
    ///
    /// - Throws: ``CommandError`` when it cannot be written.
    func write(_ report: IndexReport) throws {
        guard let path = self.report else { return }
        let absolute = URL(filePath: path).path
        try DurableFiles.write(try report.jsonDocument(), to: absolute)
    }
}

/// What became of an input, for programs.
struct IndexReport: Encodable {
    let indexed: Int
    let unchanged: Int
    let removed: Int
    let failed: Int
    let bytes: Int
    let seconds: Double
    let expected: Int?
    /// Whether the input was read to its end, and is as it was expected.
    let isComplete: Bool
    /// The first of what went wrong.
    let problems: [String]
    /// Whether no more failed than may.
    let isTolerated: Bool
    /// Why the input is not complete; nil where it is.
    let problem: String?

    private enum CodingKeys: String, CodingKey {
        case indexed, unchanged, removed, failed, bytes, seconds, expected, isComplete, problems
        case isTolerated
    }

    init(_ tally: IndexTally, removed: Int, _ options: IndexReportOptions) {
        let counts = tally.counts
        indexed = counts.indexed
        unchanged = counts.unchanged
        self.removed = removed
        failed = counts.failed
        bytes = counts.bytes
        seconds = tally.seconds
        expected = options.expect
        problems = tally.problems
        let failedObjects = counts.failed - counts.unreadSources
        isTolerated = counts.unreadSources == 0 && failedObjects <= options.tolerate
        let read = counts.indexed + counts.unchanged + failedObjects
        problem = options.expect.flatMap { expected in
            expected == read
                ? nil
                : "\(Format.count(read, "object")) in the input instead of \(Format.count(expected)): "
                    + "it may have ended early, or an identifier is there twice; do not publish this"
        }
        isComplete = problem == nil && counts.unreadSources == 0 && !tally.isInterrupted
    }
}
