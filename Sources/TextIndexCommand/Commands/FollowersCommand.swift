import ArgumentParser
import Foundation

/// `textindex followers`: shows which indexes follow a database, and forgets those that are gone.
struct FollowersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers",
        abstract: "Shows which indexes follow a database, or forgets one.",
        discussion: """
            A database keeps its log of changes until each index that follows it has read them. One that \
            was deleted is not known to be: forget it, and the log is trimmed. With the last index of a \
            table its triggers go, with the last of all the log.

            Examples:
              textindex followers notes.sqlite
              textindex followers notes.sqlite --forget my.textindex

            Exit codes: 0 when there are some, or one was forgotten; 1 when there are none; 2 after an error.
            """
    )

    @Argument(help: "The file of the database.", completion: .file())
    var database: String

    @Option(
        help: ArgumentHelp(
            "Forget an index, by its folder or by the name that --json shows.", valueName: "dir"))
    var forget: String?

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() async throws {
        #if GRDB
            try await show()
        #else
            throw FollowCommand.isMissing
        #endif
    }
}
