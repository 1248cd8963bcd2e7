import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Puts a finished copy in the place of an index, in one step: whoever opens the index finds the
/// old one or the new one, whole.
struct IndexReplacement {
    let directory: URL
    let copy: URL

    /// The directory that lies at a place, by whatever name.
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t

        /// Nil where none lies.
        init?(_ place: URL) {
            var status = stat()
            guard lstat(place.path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    /// Refuses what is on another file system than the directory that it lies in, a container's
    /// volume for example: no copy beside it could take its place.
    ///
    /// To be asked before a copy is made. Directories of the same file system that are mounted
    /// elsewhere are found out by the exchange only.
    ///
    /// - Throws: `.invalidArgument`.
    static func checkExchangeable(_ directory: URL) throws {
        let parent = Identity(directory.deletingLastPathComponent())
        guard let parent, let own = Identity(directory), own.device != parent.device else { return }
        throw TextIndexError(
            .invalidArgument,
            "\(directory.path) is where a file system is mounted: nothing can take its place. "
                + "Keep the index in a directory below it.")
    }

    /// Exchanges the two; files that are not LevelDB's, such as an application's settings, are in
    /// both. Afterwards the old index lies where the copy was. Nobody else may have either open.
    ///
    /// - Throws: ``TextIndexError``, with the copy removed where it did not take the place.
    func exchange() throws {
        try Self.copyOtherFiles(from: directory, to: copy)
        let made = Identity(copy)
        do {
            try IndexStore.rename(copy, to: directory, exchanging: true)
        } catch {
            if Identity(copy) == made { try? IndexCopy.remove(copy) }
            throw error
        }
    }

    /// Does the same, and keeps the old index at `kept`, where nothing lies yet. The copy gets that
    /// name before it is exchanged: at no moment does the old index lie where the next copy would
    /// remove it.
    func exchange(keeping kept: URL) throws {
        try Self.copyOtherFiles(from: directory, to: copy)
        let made = Identity(copy)
        do {
            try IndexStore.rename(copy, to: kept, exchanging: false)
            try IndexStore.rename(kept, to: directory, exchanging: true)
        } catch {
            // A name that only its sync failed for has changed: what lies where tells, and the old
            // index is never removed.
            if Identity(kept) == made { try? IndexStore.rename(kept, to: copy, exchanging: false) }
            for place in [copy, kept] where Identity(place) == made {
                try? IndexCopy.remove(place)
            }
            throw error
        }
    }

    /// Copies what lies in the directory of an index and is not LevelDB's. The copy is removed
    /// where that fails: it may take what space there is.
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

    /// What lies in the directory of an index and is neither LevelDB's nor the store's: space kept
    /// in reserve, and what opening cut off its logs, which holds texts.
    static func otherFiles(in directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { name in
            let isLevelDB =
                ["CURRENT", "LOCK", "LOG", "LOG.old", "RESERVE", "COMMITTED"].contains(name)
                || name.hasPrefix("MANIFEST-")
                || [".ldb", ".sst", ".log", ".dbtmp", ".discarded"].contains { suffix in
                    name.hasSuffix(suffix)
                        && name.dropLast(suffix.count).allSatisfy(\.isNumber)
                }
            return !isLevelDB
        }
    }
}
