import Foundation
import TextIndexInterface
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
    /// A mark of the files that were published, which is soon compared; nil from those who did not
    /// know of it.
    var mark: IndexGeneration?
    /// How many of its objects belong to other shards, by their identifiers; nil as before.
    var strangers: Int?

    static let fileName = "SHARD.json"
}

/// The shards that make a set (`SET.json`), written last: readers see what it names and nothing
/// else.
struct SetManifest: Codable, Equatable {
    static let fileName = "SET.json"
    static let currentVersion = 1
    static let hashRule = "sha256-60"
    /// How many objects or occurrences a shard may have: those of all have a sum.
    static let counts = 0...Int.max / ShardName.mostShards

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

    var objectCount: Int { shards.reduce(0) { $0 + $1.objects } }

    /// The manifest of a set; nil where a folder has none.
    ///
    /// - Throws: ``CommandError`` for one that this version cannot read.
    static func load(from path: String) throws -> SetManifest? {
        try load(file: URL(filePath: "\(path)/\(fileName)"))
    }

    /// The manifest of a set by its folder, or by the file itself; nil where there is none.
    static func load(given: String) throws -> SetManifest? {
        let path = try IndexPlace.absolute(given)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue
            ? try load(file: URL(filePath: path)) : try load(from: path)
    }

    private static func load(file: URL) throws -> SetManifest? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw CommandError("you may not read \(file.path); ask for chmod a+r \(file.path)")
        }
        do {
            let manifest = try JSONDecoder().decode(
                SetManifest.self, from: try Data(contentsOf: file))
            guard manifest.version == currentVersion else {
                throw CommandError(
                    "\(file.path) has version \(manifest.version), which another version of "
                        + "textindex wrote; use that one")
            }
            try manifest.check(file)
            return manifest
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(
                "\(file.path) cannot be read; write it again: textindex set commit "
                    + file.deletingLastPathComponent().path)
        }
    }

    /// What the set is, for those who ask for it. Its mark is the first 64 bits of the SHA-256 of
    /// what decides which objects the shards have and how they are found.
    var plan: SetPlan {
        var lines = ["textindex set \(version)", analysis, hash ?? ""] + fields
        for shard in shards { lines += [shard.name, "\(shard.objects)", shard.digest] }
        return SetPlan(generation: SHA256.mark(of: lines), names: shards.map(\.name))
    }

    /// The names are those of the shards of one number, each once, the counts are possible, and the
    /// rule of division is known.
    private func check(_ file: URL) throws {
        guard hash == nil || hash == Self.hashRule else {
            throw CommandError(
                "\(file.path) divides objects by \(hash ?? ""), which this version of textindex "
                    + "does not know; it knows \(Self.hashRule)")
        }
        guard
            shards.allSatisfy({
                Self.counts.contains($0.objects) && Self.counts.contains($0.occurrences)
            })
        else {
            throw CommandError(
                "\(file.path) has counts that no shard can have; write it again: "
                    + "textindex set commit \(file.deletingLastPathComponent().path)")
        }
        let names = shards.compactMap { ShardName($0.name) }
        guard !names.isEmpty, names.count == shards.count,
            names.enumerated().allSatisfy({ $0 == $1.number && $1.count == names.count })
        else {
            throw CommandError(
                "\(file.path) does not name the shards of one set; write it again: "
                    + "textindex set commit \(file.deletingLastPathComponent().path)")
        }
    }
}
