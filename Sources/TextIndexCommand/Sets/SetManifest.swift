import Foundation
import TextSearch

/// What is in one shard (`SHARD.json`), written before the shard has its name.
struct ShardRecord: Codable, Equatable {
    var version = 1
    var name: String
    var objects: Int
    var occurrences: Int
    /// Of the content: equal for attempts that read the same input.
    var digest: String
    /// A fingerprint of the fields and of the analysis.
    var analysis: String
    var fields: [String]

    static let fileName = "SHARD.json"
}

/// The shards that make a set (`SET.json`), written last: readers see what it names and nothing
/// else.
struct SetManifest: Codable, Equatable {
    static let fileName = "SET.json"
    static let currentVersion = 1
    static let hashRule = "sha256-60"

    struct Shard: Codable, Equatable {
        var name: String
        var objects: Int
        var occurrences: Int
        var digest: String
    }

    var version = Self.currentVersion
    var fields: [String]
    var analysis: String
    /// How identifiers are divided; nil where the shards hold whatever they hold.
    var hash: String?
    var shards: [Shard]

    var objectCount: Int { shards.reduce(0) { $0 &+ $1.objects } }

    /// The manifest of a set; nil where a folder has none.
    ///
    /// - Throws: ``CommandError`` for one that this version cannot read.
    static func load(from path: String) throws -> SetManifest? {
        let file = URL(filePath: path, directoryHint: .isDirectory).appending(path: fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let manifest = try JSONDecoder().decode(
                SetManifest.self, from: try Data(contentsOf: file))
            guard manifest.version == currentVersion else {
                throw CommandError(
                    "\(path)/\(fileName) has version \(manifest.version), which another version of "
                        + "textindex wrote; use that one")
            }
            try manifest.check(path)
            return manifest
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(
                "\(path)/\(fileName) cannot be read; write it again: textindex set commit \(path)")
        }
    }

    /// The names are those of the shards of one number, each once.
    private func check(_ path: String) throws {
        let names = shards.compactMap { ShardName($0.name) }
        guard !names.isEmpty, names.count == shards.count,
            names.enumerated().allSatisfy({ $0 == $1.number && $1.count == names.count })
        else {
            throw CommandError(
                "\(path)/\(Self.fileName) does not name the shards of one set; write it again: "
                    + "textindex set commit \(path)")
        }
    }
}
