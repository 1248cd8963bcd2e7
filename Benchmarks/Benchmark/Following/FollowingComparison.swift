import ArgumentParser
import Foundation

/// Measures an index that follows a table, beside FTS5 that triggers keep right, and says what of
/// it is within its bar.
enum FollowingComparison {
    static let prefix = "follow-"

    static func isName(_ name: String) -> Bool { name == "follow" || name.hasPrefix(prefix) }

    #if GRDB
        static let help =
            FollowingRow.all.map {
                $0.name.padding(toLength: 20, withPad: " ", startingAt: 0) + $0.summary
            }.joined(separator: "\n") + "\nfollow              all that follow"

        /// Runs the rows of these names, and prints a line for each.
        static func run(
            _ names: [String], rowCount: Int, _ directory: String?, json: Bool
        ) async throws {
            let chosen = FollowingRow.all.filter {
                names.contains($0.name) || names.contains("follow")
            }
            // What a process that was started to write does.
            if names == [FollowingRow.writing], let directory {
                return try FollowingRow.write(to: directory)
            }
            guard
                names.allSatisfy({ name in
                    name == "follow" || chosen.contains { $0.name == name }
                })
            else {
                throw ValidationError(
                    "An operation of that name does not exist; --help lists them.")
            }
            let folder = URL(
                fileURLWithPath: directory
                    ?? NSTemporaryDirectory() + "textsearch-following-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { if directory == nil { try? FileManager.default.removeItem(at: folder) } }
            let bench = try FollowingBench(rowCount: rowCount, folder)
            if !json {
                print("\(rowCount) rows, \(bench.byteCount) bytes of text; CPU times in seconds")
            }
            for row in chosen { try report(try await row.run(bench), row, json: json) }
        }

        private static func report(
            _ figures: [FollowingFigure], _ row: FollowingRow, json: Bool
        ) throws {
            for figure in figures {
                let isWithin = figure.value <= figure.bar
                if json {
                    var values: [String: Any] = [
                        "name": row.name, "what": figure.what,
                        "ours": Figures.rounded(figure.ours, 6),
                        "value": Figures.rounded(figure.value, 4), "bar": figure.bar,
                        "within": isWithin,
                    ]
                    if let other = figure.other { values["other"] = Figures.rounded(other, 6) }
                    try Figures.report("following", values)
                    continue
                }
                let name = figure.what.padding(toLength: 46, withPad: " ", startingAt: 0)
                let times =
                    figure.other.map { String(format: "%10.4f %10.4f", figure.ours, $0) }
                    ?? String(format: "%10.4f          –", figure.ours)
                print(
                    name + times
                        + String(
                            format: "  %8.3f %@ (bar %.3f)", figure.value, figure.unit, figure.bar)
                        + (isWithin ? "" : "  OVER"))
            }
        }
    #else
        static let help =
            "follow-…            an index that follows a table, beside FTS5; build with --traits Command,GRDB"

        static func run(
            _ names: [String], rowCount: Int, _ directory: String?, json: Bool
        ) async throws {
            throw ValidationError(
                "This program was built without following; build it with --traits Command,GRDB.")
        }
    #endif
}

/// A figure beside its bar.
struct FollowingFigure {
    var what: String
    /// What it took here, and what it took the other.
    var ours: Double
    var other: Double?
    /// What the bar is about: the quotient of both, or what it took here.
    var value: Double
    var unit: String
    var bar: Double

    /// A quotient of two times.
    static func ratio(
        _ what: String, _ ours: Double, to other: Double, bar: Double
    ) -> FollowingFigure {
        FollowingFigure(
            what: what, ours: ours, other: other, value: ours / max(other, 1e-9), unit: "×",
            bar: bar)
    }

    /// A time alone.
    static func alone(
        _ what: String, _ ours: Double, _ unit: String, times factor: Double, bar: Double
    ) -> FollowingFigure {
        FollowingFigure(
            what: what, ours: ours, value: ours * factor, unit: unit, bar: bar)
    }
}
