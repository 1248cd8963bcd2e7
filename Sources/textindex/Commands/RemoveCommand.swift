import ArgumentParser
import Foundation
import TextSearch

/// `textindex remove`: takes objects out of an index.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes objects from an index.",
        discussion: """
            Takes identifiers as search prints them; paths of files may be written as from here. The \
            files themselves are left alone.
            Exit code: 0 when all were removed, 1 when one of them was not in the index.

            Examples:
              textindex remove Documents/old.txt --index my.textindex
              textindex remove 4711 4712 --index shop
            """
    )

    @Argument(help: "Identifiers of the objects.")
    var identifiers: [String]

    @OptionGroup var location: IndexOption

    func run() async throws {
        let removed = try await IndexFolder.use(existing: location) { folder in
            var removed = 0
            for given in Path.named(by: identifiers) {
                guard let identifier = try find(given, in: folder) else {
                    Console.report("\(given.text) is not in the index")
                    continue
                }
                _ = try await folder.index.removeIndex(forIdentifier: identifier).value()
                removed += 1
            }
            return removed
        }
        try Console.write("\(Format.count(removed, "object")) removed\n")
        if removed < identifiers.count { throw Outcome.nothingFound }
    }

    private func find(_ given: Path, in folder: IndexFolder) throws -> Data? {
        try [Data(given.bytes), folder.identifier(ofFile: given.absolute())]
            .first { try !$0.isEmpty && folder.index.contains(identifier: $0) }
    }
}
