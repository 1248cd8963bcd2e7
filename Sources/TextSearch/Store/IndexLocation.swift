import Foundation

/// Where indexes that have only a name lie.
enum IndexLocation {
    /// `<per-user data directory>/<name>.textindex`.
    static func directory(named name: String) throws -> URL {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_. "))
        guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("."),
            name.unicodeScalars.allSatisfy(allowed.contains)
        else {
            throw TextIndexError(
                .invalidArgument,
                "An index name has 1 to 200 letters, digits, spaces, '-', '_' and '.', and does not begin with '.'."
            )
        }
        let manager = FileManager.default
        let base = try manager.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil,
            create: true)
        return base.appendingPathComponent(name + ".textindex", isDirectory: true)
    }
}
