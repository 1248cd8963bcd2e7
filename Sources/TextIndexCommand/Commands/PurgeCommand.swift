import ArgumentParser
import Foundation
import TextSearch

/// `textindex purge`: leaves nothing of removed objects in any file.
struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Rewrites an index so that nothing is left of removed objects in its files.",
        discussion: """
            What was removed or replaced is found by no search from then on, but words of it may stay \
            in files for long; afterwards they are gone. The index is written anew beside the old one, \
            proved, and put in its place in one step. Backups and what a disk keeps of deleted files \
            are out of reach.

            Example:
              textindex remove --under Private --index my.textindex
              textindex purge --index my.textindex
            """
    )

    @OptionGroup var location: IndexOption

    func run() async throws {
        let (before, after, report) = try await IndexFolder.use(closed: location) { place in
            let before = OptimizeCommand.size(of: place.path)
            let report = try TextIndex<Record>.purge(
                at: place.url, configuration: place.configuration())
            return (before, OptimizeCommand.size(of: place.path), report)
        }
        try Console.write(
            "\(Format.count(report.objectCount, "object")) kept and proved; "
                + "\(Format.bytes(before)) before, \(Format.bytes(after)) now\n")
    }
}
