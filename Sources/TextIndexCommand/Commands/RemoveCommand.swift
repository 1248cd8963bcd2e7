import ArgumentParser
import Foundation
import TextSearch

/// `textindex remove`: takes objects out of an index.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes objects from an index.",
        discussion: """
            Takes identifiers as search prints them; paths of files may be written as from here. With \
            --under, whatever came from a file or folder goes, whether that is still there or not. The \
            files themselves are left alone.
            Exit code: 0 when all were removed, 1 when one of them was not in the index.

            Examples:
              textindex remove Documents/old.txt --index my.textindex
              textindex remove 4711 4712 --index shop
              textindex remove --under Documents/2019 --under items.jsonl --index shop
            """
    )

    @Argument(help: "Identifiers of the objects.")
    var identifiers: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove all that came from a file or folder, or from standard input (-); may be repeated.",
            valueName: "path"),
        completion: .file())
    var under: [String] = []

    @OptionGroup var location: IndexOption

    func validate() throws {
        if identifiers.isEmpty && under.isEmpty {
            throw ValidationError(
                "name the objects to remove, or where they came from: --under PATH")
        }
        // Without a name it would be the folder that one is in.
        if (identifiers + under).contains("") {
            throw ValidationError("an identifier or path is empty")
        }
    }

    func run() async throws {
        var unknown = 0
        let removed = try await IndexFolder.use(existing: location) { folder in
            try folder.settings.checkFollowsNoTable(
                "delete the row there, and textindex follow removes it here")
            // All at once: what is rewritten because of some need not be once more because of
            // others.
            var gone: Set<Data> = []
            for given in Path.named(by: under) {
                let found = try folder.identifiers(under: given).filter { !gone.contains($0) }
                if found.isEmpty {
                    unknown += 1
                    Console.report("nothing in the index came from \(given.text)")
                }
                gone.formUnion(found)
            }
            for given in Path.named(by: identifiers) {
                guard let identifier = try folder.identifier(of: given),
                    gone.insert(identifier).inserted
                else {
                    unknown += 1
                    Console.report("\(given.text) is not in the index")
                    continue
                }
            }
            try await folder.remove(Array(gone))
            return gone.count
        }
        try Console.write("\(Format.count(removed, "object")) removed\n")
        if unknown > 0 { throw Outcome.nothingFound }
    }
}
