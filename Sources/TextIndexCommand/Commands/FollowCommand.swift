import ArgumentParser
import Foundation
import TextSearch

/// `textindex follow`: keeps an index at the state of a table of an SQLite database.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Keeps an index at the state of a table of an SQLite database.",
        discussion: """
            Makes triggers in the database, which note the keys of changed rows in a log; any program \
            may write to the table from then on. The first run reads all rows. It goes on until it is \
            interrupted, and a later run goes on from there, which needs no table and columns; --once \
            ends when the index has what the table has. The table needs a primary key. A database that \
            was moved is named where it is now.

            Examples:
              textindex follow notes.sqlite --table note --columns title,body --index my.textindex
              textindex follow notes.sqlite --index my.textindex --once
              textindex search duck --index my.textindex
              textindex follow notes.sqlite --index my.textindex --publish /srv/notes
              textindex serve --index /srv/notes
            """
    )

    @Argument(help: "The file of the database.", completion: .file())
    var database: String

    @Option(help: "The table; an index that follows one knows it.")
    var table: String?

    @Option(
        help:
            "The columns to search, with commas between; an index that follows a table knows them.")
    var columns: String?

    @Option(
        help: ArgumentHelp(
            "A column to search, whose name may have a comma; repeat it for more.",
            valueName: "name"))
    var column: [String] = []

    @OptionGroup var location: IndexOption

    @Option(help: "How often to look for changes, in seconds.")
    var interval = 1.0

    @Flag(help: "End when the index has what the table has.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Publish the index to a folder each time it has caught up, as textindex publish does; textindex serve and search read that meanwhile.",
            valueName: "dir"), completion: .directory)
    var publish: String?

    /// The names that ``columns`` and ``column`` give.
    var columnNames: [String] {
        let listed = columns?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        return listed.map { $0.trimmingCharacters(in: .whitespaces) } + column
    }

    func validate() throws {
        if columnNames.contains("") { throw ValidationError("--columns has an empty name") }
        // SQLite takes no other letters for the same than those of ASCII.
        let folded = columnNames.map { $0.utf8.map { 65...90 ~= $0 ? $0 | 32 : $0 } }
        if Set(folded).count < folded.count {
            throw ValidationError("--columns names a column twice")
        }
        if table?.isEmpty ?? false { throw ValidationError("--table needs a name") }
        if !(0.01...86_400).contains(interval) {
            throw ValidationError("--interval must be from 0.01 to 86400")
        }
    }

    func run() async throws {
        #if GRDB
            try await follow()
        #else
            throw Self.isMissing
        #endif
    }
}

/// `textindex drift`: compares an index with the table that it follows.
struct DriftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift",
        abstract: "Compares an index with the table that it follows.",
        discussion: """
            Reads all rows of the table and compares them with what the index has, after catching up. \
            With --repair what differs is put right, and nothing else. Rows that cannot be indexed are \
            counted apart.

            Examples:
              textindex drift --index my.textindex
              textindex drift --index my.textindex --repair
              textindex drift --index my.textindex --database /new/place/notes.sqlite

            Exit codes: 0 when nothing differs or all was put right, 1 when something differs, 2 after an error.
            """
    )

    @OptionGroup var location: IndexOption

    @Option(
        help: ArgumentHelp(
            "The file of the database, if it was moved; it is found there from then on.",
            valueName: "file"), completion: .file())
    var database: String?

    @Flag(help: "Put right what differs.")
    var repair = false

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() async throws {
        #if GRDB
            try await compare()
        #else
            throw FollowCommand.isMissing
        #endif
    }
}

extension FollowCommand {
    #if !GRDB
        static let isMissing = CommandError(
            "this textindex was built without databases; build it with: "
                + "swift build -c release --product textindex --traits Command,GRDB")
    #endif
}
