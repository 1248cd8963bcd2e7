import ArgumentParser
import Foundation
import TextSearch

/// `textindex backup`: copies an index.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies an index, and proves the copy.",
        discussion: """
            The copy is an index like any other; it appears under its name when it is whole. With --links it shares the
            files of the index that never change, so that on the same file system it takes next to no space; what was removed
            of late may still be in it.

            Example:
              textindex backup /backups/monday --index my.textindex
            """
    )

    @Argument(help: "Where the copy is to lie; nothing may be there.", completion: .directory)
    var destination: String

    @Flag(help: "Share files with the index.")
    var links = false

    @OptionGroup var location: IndexOption

    func run() async throws {
        let destination = try IndexPlace.free(destination)
        let report = try await IndexFolder.use(existing: location) { folder in
            try await folder.index.backup(
                to: destination, by: links ? .links : .entries)
        }
        try Console.write(
            "\(Format.count(report.objectCount, "object")) copied and proved, "
                + "\(Format.bytes(OptimizeCommand.size(of: destination.path)))\n")
    }
}

/// `textindex restore`: makes an index of a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Copies a backup to where an index is to lie, and proves the index.",
        discussion: """
            Identifiers of files stay relative to the folder in which the index was first made.

            Example:
              textindex restore /backups/monday --index my.textindex
            """
    )

    @Argument(help: "The folder that textindex backup made.", completion: .directory)
    var backup: String

    @OptionGroup var location: IndexOption

    func run() async throws {
        let destination = try IndexPlace.free(location.path)
        guard Entry(Path(backup).absolute()) != nil else {
            throw CommandError("no backup at \(backup); check the path")
        }
        var source = location
        source.path = backup
        let report = try await IndexFolder.use(closed: source) { place in
            try TextIndex<Record>.restore(
                from: place.url, to: destination, configuration: place.configuration())
        }
        try Console.write("\(Format.count(report.objectCount, "object")) restored and proved\n")
    }
}
