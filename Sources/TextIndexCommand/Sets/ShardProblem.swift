import Foundation
import TextSearch

/// Why a shard is not the one that its set names.
struct ShardProblem: Error {
    enum Kind { case missing, different, unreadable }

    let kind: Kind
    /// One sentence, which names the shard.
    let message: String
}

extension SetManifest.Shard {
    /// Opens the shard, and compares with the set what is soon compared: what `SHARD.json` says,
    /// how many objects there are, and the mark of the files.
    ///
    /// - Parameters:
    ///   - set: the folder of the set.
    ///   - searchMemory: how many bytes a search may hold; nil for the usual.
    ///   - budget: the memory for recently read data; nil for one of its own.
    ///   - trustedOwners: other users whose shards are opened.
    /// - Returns: The shard.
    /// - Throws: ``ShardProblem`` where it is another one, or not there; ``CommandError`` and
    ///   `TextIndexError` where it cannot be opened.
    func open(
        in set: String, searchMemory: Int? = nil, budget: CacheBudget? = nil,
        trustedOwners: [UInt32]
    ) throws -> IndexFolder {
        let place = "\(set)/\(name)"
        try checkThere(place)
        // Whoever builds a shard anew in its place writes this first.
        if let record = try? ShardInventory.record(at: place), record.digest != digest {
            throw different
        }
        let folder = try IndexFolder(
            existing: place, searchMemory: searchMemory, budget: budget,
            trustedOwners: trustedOwners)
        if let problem = try problem(of: folder) { throw problem }
        return folder
    }

    /// - Throws: ``ShardProblem`` where the folder of the shard, or what is published in it, is
    ///   gone.
    func checkThere(_ place: String) throws {
        guard FileManager.default.fileExists(atPath: place) else {
            throw ShardProblem(kind: .missing, message: "\(name) is missing")
        }
        // A folder that may not be read is said to be an index: opening it says what is wrong.
        guard [.published, .index].contains(IndexPlace.contents(of: place)) else {
            throw ShardProblem(kind: .missing, message: "the files of \(name) are missing")
        }
    }

    /// What an open shard has that the set does not say, as far as that is soon compared.
    ///
    /// - Throws: ``ShardProblem`` where it cannot be read what is in the shard.
    func problem(of folder: IndexFolder) throws -> ShardProblem? {
        guard let record = try ShardInventory.record(at: folder.path) else {
            return ShardProblem(
                kind: .missing,
                message: "\(name) has no \(ShardRecord.fileName), which says what is in it")
        }
        let index = folder.index
        guard record.digest == digest, index.count == objects,
            record.mark.map({ $0 == index.contentMark }) ?? true
        else { return different }
        return nil
    }

    private var different: ShardProblem {
        ShardProblem(
            kind: .different,
            message: "\(name) has other content than \(SetManifest.fileName) says")
    }
}
