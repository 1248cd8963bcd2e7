import Foundation

/// Puts a finished copy in the place of an index, in one step: whoever opens the index finds the old one or the new one, whole.
struct IndexReplacement {
    let directory: URL
    let copy: URL

    /// Exchanges the two; files that are not LevelDB's, such as an application's settings, are in both. Afterwards the old index lies where the
    /// copy was. Nobody else may have either open.
    func exchange() throws {
        try Self.copyOtherFiles(from: directory, to: copy)
        try IndexStore.rename(copy, to: directory, exchanging: true)
    }

    /// Does the same, and keeps the old index at `kept`, where nothing lies yet. The copy gets that name before it is exchanged: at no moment does the
    /// old index lie where the next copy would remove it.
    func exchange(keeping kept: URL) throws {
        try Self.copyOtherFiles(from: directory, to: copy)
        try IndexStore.rename(copy, to: kept, exchanging: false)
        try IndexStore.rename(kept, to: directory, exchanging: true)
    }

    /// Copies what lies in the directory of an index and is not LevelDB's. The copy is removed where that fails: it may take what space there is.
    static func copyOtherFiles(from directory: URL, to copy: URL) throws {
        do {
            try FilesBeside.copy(
                try otherFiles(in: directory), from: directory.path, to: copy.path)
        } catch {
            try? IndexCopy.remove(copy)
            let failure = error as? FilesBeside.Failure
            let what = failure.map { "\($0.path): \($0.description)" } ?? "\(directory.path)"
            throw TextIndexError(
                failure?.isDiskFull == true ? .diskFull : .io,
                "A file beside the index cannot be copied. \(what)", underlying: error)
        }
    }

    /// What lies in the directory of an index and is neither LevelDB's nor the store's: space kept in reserve, and what opening cut off its
    /// logs, which holds texts.
    static func otherFiles(in directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { name in
            let isLevelDB =
                ["CURRENT", "LOCK", "LOG", "LOG.old", "RESERVE"].contains(name)
                || name.hasPrefix("MANIFEST-")
                || [".ldb", ".sst", ".log", ".dbtmp", ".discarded"].contains { suffix in
                    name.hasSuffix(suffix)
                        && name.dropLast(suffix.count).allSatisfy(\.isNumber)
                }
            return !isLevelDB
        }
    }
}
