import ArgumentParser
import Foundation
import TextSearch

/// Who may read what is published.
struct AccessOptions: ParsableArguments {
    @Flag(
        help: """
            Let other users read what is published, as far as the umask allows; without it only \
            you can. They open it with --trusted-owner and your number.
            """)
    var readable = false
}

/// `textindex publish`: gives readers a state of an index.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publishes an index for others to search while it goes on changing.",
        discussion: """
            What is published is a generation: the index as it is now, which nobody changes any more. Name the folder with --index \
            to search it; each command reads the newest generation. Publish again to show what is new; older generations go when nobody \
            reads them. Files are shared with the index, so that on the same file system it takes next to no space.

            Example:
              textindex publish /srv/notes --index my.textindex
              textindex search duck --index /srv/notes
            """
    )

    @Argument(
        help:
            "The folder to publish to: a new one, or one that this index was published to before.",
        completion: .directory)
    var destination: String

    @OptionGroup var location: IndexOption

    @OptionGroup var access: AccessOptions

    @Flag(
        help: "Print one JSON document; what was published is proved, and its digest is in it.")
    var json = false

    private struct Report: Encodable {
        let generation: Int
        let objects: Int
        let occurrences: Int
        /// Equal for two indexes with the same objects and analysis.
        let digest: String
    }

    func run() async throws {
        let destination = try IndexPlace.publication(destination)
        let (generation, count) = try await IndexFolder.use(existing: location) { folder in
            // Occurrences are counted of what is flushed.
            if json { try await folder.index.flush() }
            guard access.readable else {
                let generation = try await folder.index.publish(to: destination)
                return (generation, folder.index.count)
            }
            let generation = try folder.index.publish(to: destination) {
                try DurableFiles.letOthersRead($0.path)
            }
            try DurableFiles.letOthersRead(destination.path)
            return (generation, folder.index.count)
        }
        if json { return try await report(generation, destination.path) }
        try Console.write("generation \(generation), \(Format.count(count, "object"))\n")
    }

    private func report(_ generation: Int, _ path: String) async throws {
        let published = IndexOption(path: path, opening: location.opening)
        let found = try await IndexFolder.use(existing: published) {
            try await $0.index.verify(depth: .full)
        }
        guard found.isClean, let digest = found.contentDigest else {
            throw CommandError("what was published is damaged; see textindex verify")
        }
        try Console.write(
            Report(
                generation: generation, objects: found.objectCount,
                occurrences: found.occurrenceCount, digest: digest
            ).jsonDocument())
    }
}
