import Foundation
import Testing

/// What the layers may know of each other.
@Suite("Architecture")
struct ArchitectureTests {
    /// The root of the package, seen from this file.
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("Only the storage layer knows of LevelDB")
    func onlyStorageImportsLevelDB() throws {
        let sources = Self.root.appendingPathComponent("Sources/TextSearch")
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let imports = lines.filter { line in
                let words = line.split(separator: " ")
                return words.contains("import")
                    && (words.last == "LevelDB" || words.last == "CLevelDB")
            }
            let isStorage = file.deletingLastPathComponent().lastPathComponent == "Storage"
            #expect(isStorage || imports.isEmpty, "\(file.lastPathComponent) imports LevelDB")
        }
        #expect(count > 50)
    }
}
