import ArgumentParser
import Foundation
import TextSearch

/// `textindex optimize`: makes an index smaller and faster to search.
struct OptimizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "optimize",
        abstract: "Makes an index compact, after many changes.",
        discussion: """
            Joins what was written piece by piece and drops what was removed. Never needed, sometimes \
            worth it; searches give the same results before and after.

            Example:
              textindex optimize --index my.textindex
            """
    )

    @OptionGroup var location: IndexOption

    func run() async throws {
        let (path, before) = try await IndexFolder.use(existing: location) { folder in
            let before = Self.size(of: folder.path)
            try await folder.index.optimize()
            return (folder.path, before)
        }
        let after = Self.size(of: path)
        try Console.write("\(Format.bytes(before)) before, \(Format.bytes(after)) now\n")
    }

    /// The bytes of the files in a folder.
    static func size(of folder: String) -> Int {
        let folder = Path(folder)
        return (Entry.names(in: folder) ?? [])
            .reduce(0) { $0 + (Entry(folder.appending($1))?.size ?? 0) }
    }
}
