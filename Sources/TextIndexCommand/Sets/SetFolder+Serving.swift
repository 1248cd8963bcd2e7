import Foundation
package import TextIndexInterface
import TextSearch

extension SetFolder {
    /// What a server has to know of the set.
    ///
    /// - Parameter textLength: how many bytes of an object's text are read to show it.
    /// - Returns: The set with the shards that were opened.
    func served(textLength: Int) -> ServedSet<Record> {
        let served = numbers.enumerated().map { place, number in
            let (folder, shard) = (shards[place], manifest.shards[number])
            let files = ShardFiles(of: folder)
            return ServedShard(
                number: number, served: folder.served(textLength: textLength, following: nil),
                isThere: {
                    (try? ShardInventory.record(at: folder.path))?.digest == shard.digest
                        && files.areThere
                })
        }
        return ServedSet(plan: manifest.plan, shards: served)
    }
}

/// The files of a shard, as they were when it was opened. Nobody changes them.
struct ShardFiles: Sendable {
    private let folder: Path
    private let names: Set<Path>

    init(of shard: IndexFolder) {
        folder = Path(shard.path).appending(
            Path(IndexPlace.generationName(shard.index.generation ?? 0)))
        names = Set(Entry.names(in: folder) ?? [])
    }

    /// Whether all of their names are there.
    var areThere: Bool {
        guard let now = Entry.names(in: folder), !names.isEmpty else { return false }
        return names.isSubset(of: now)
    }
}

extension SetSource where Object == Record {
    /// The shards of the set in a folder, which may become another set at any time.
    ///
    /// - Parameters:
    ///   - path: the folder; where it is a link, the set that it leads to.
    ///   - numbers: which shards are served.
    ///   - textLength: how many bytes of an object's text are read to show it.
    ///   - searchMemory: how many bytes a search in one shard may hold.
    ///   - trustedOwners: other users whose shards are opened.
    /// - Throws: ``CommandError`` where there is no set.
    package init(
        path: String, shards numbers: ShardNumbers, textLength: Int, searchMemory: Int,
        trustedOwners: [UInt32]
    ) throws {
        let plan = try SetPlan(path: path)
        let count = plan.names.count
        guard numbers.areOfSet(of: count) else {
            throw CommandError("the set has no shards \(numbers); it has 0 to \(count - 1)")
        }
        self.init(
            newest: { try SetPlan(path: path) },
            open: {
                try SetFolder(
                    existing: path, shards: numbers, searchMemory: searchMemory,
                    trustedOwners: trustedOwners
                ).served(textLength: textLength)
            })
    }
}

extension SetPlan {
    /// What a set is, by its folder or by the file `SET.json` itself, wherever that lies.
    ///
    /// - Throws: ``CommandError`` where there is none.
    package init(path given: String) throws {
        guard let manifest = try SetManifest.load(given: given) else {
            throw CommandError(
                "no set of shards at \(given); make one: textindex set commit \(given)")
        }
        self = manifest.plan
    }
}

/// Whether a folder is a set of shards.
package func isSetOfShards(_ path: String) -> Bool { SetFolder.exists(at: path) }
