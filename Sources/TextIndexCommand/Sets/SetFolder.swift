import Foundation
import TextIndexInterface
import TextSearch

/// A set of shards, opened to be searched as one index.
struct SetFolder {
    let path: String
    let manifest: SetManifest
    /// The numbers of the shards that are open, in order.
    let numbers: [Int]
    /// In the order of the numbers.
    let shards: [IndexFolder]

    /// The memory for recently read data that all shards have together.
    private static let cacheSize = 64 << 20

    /// Whether a folder is a set.
    static func exists(at given: String) -> Bool {
        guard let path = try? IndexPlace.absolute(given) else { return false }
        return FileManager.default.fileExists(atPath: "\(path)/\(SetManifest.fileName)")
    }

    /// Refuses a folder that is something else than a set, or the beginning of one.
    ///
    /// - Throws: ``CommandError``, which says what it is.
    static func checkIsFor(_ given: String) throws {
        let path = try IndexPlace.absolute(given)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return  // whoever needs the folder says what is wrong
        }
        let advice = "name another folder for the set"
        switch IndexPlace.contents(of: path) {
        case .index: throw CommandError("\(given) is an index, and no set of shards; \(advice)")
        case .published:
            throw CommandError(
                "\(given) is what textindex publish made, and no set of shards; \(advice)")
        default: break
        }
        let isOfSet: (String) -> Bool = {
            $0.hasPrefix(SetManifest.fileName) || $0 == ShardPublication.workFolder
                || ShardName($0) != nil
        }
        // What is hidden nobody put there on purpose, and new file systems have a folder.
        let isOther: (String) -> Bool = { !$0.hasPrefix(".") && $0 != "lost+found" }
        guard names.contains(where: isOfSet) || !names.contains(where: isOther) else {
            throw CommandError("\(given) holds other files, and no set of shards; \(advice)")
        }
    }

    /// - Parameters:
    ///   - given: the folder of the set.
    ///   - wanted: which shards to open.
    ///   - searchMemory: how many bytes a search in one shard may hold; nil for the usual.
    ///   - trustedOwners: other users whose shards are opened.
    /// - Throws: ``CommandError`` when the set or a shard is not as it should be, `TextIndexError`
    ///   when a shard cannot be opened.
    init(
        existing given: String, shards wanted: ShardNumbers = .all, searchMemory: Int? = nil,
        trustedOwners: [UInt32] = []
    ) throws {
        // Where a link leads may change: what is open stays one set.
        path =
            URL(filePath: try IndexPlace.absolute(given), directoryHint: .isDirectory)
            .resolvingSymlinksInPath().path
        guard let manifest = try SetManifest.load(from: path) else {
            throw CommandError(
                "no set of shards at \(given); make one: textindex set commit \(given)")
        }
        self.manifest = manifest
        let budget = CacheBudget(byteCount: Self.cacheSize)
        numbers = wanted.numbers(of: manifest.shards.count)
        shards = try numbers.map { [path] number in
            do {
                return try manifest.shards[number].open(
                    in: path, searchMemory: searchMemory, budget: budget,
                    trustedOwners: trustedOwners)
            } catch let problem as ShardProblem {
                throw CommandError(
                    "\(given): \(problem.message), and the set cannot be searched without it; see "
                        + "textindex set status \(given)")
            }
        }
    }

    /// Opens a set, and closes it after use.
    static func use<R>(
        existing location: IndexOption, _ body: (SetFolder) throws -> R
    ) async throws -> R {
        let set = try await IndexFolder.waiting(location) {
            try SetFolder(existing: location.path, trustedOwners: location.opening.trustedOwners)
        }
        do {
            let result = try body(set)
            for shard in set.shards { try await shard.index.shutdown() }
            return result
        } catch {
            for shard in set.shards { try? await shard.index.shutdown() }
            throw error
        }
    }

    /// Searches all shards as one index.
    func search() throws -> FederatedSearch<Record> { try FederatedSearch(shards.map(\.index)) }
}
