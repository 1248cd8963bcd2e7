package import Foundation
import LevelDB

/// Directories that are there after a power cut.
package enum Directories {
    /// Makes a directory for its owner only, and those above it, unless they are there.
    ///
    /// - Parameter directory: where it is to be.
    /// - Throws: ``TextIndexError``: `.io`.
    static func make(_ directory: URL) throws {
        if FileManager.default.fileExists(atPath: directory.path) { return }
        var missing: [URL] = []
        var place = directory.standardizedFileURL
        while !FileManager.default.fileExists(atPath: place.path), place.pathComponents.count > 1 {
            missing.append(place)
            place.deleteLastPathComponent()
        }
        guard !missing.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw TextIndexError(
                .io, "The directory \(directory.path) cannot be made.", underlying: error)
        }
        for place in missing.reversed() { try syncName(of: place) }
    }

    /// Makes the name of a file or directory last, by whatever it came there: syncs the directory
    /// that holds it.
    ///
    /// - Parameter place: the file or directory.
    /// - Throws: ``TextIndexError``: `.io`.
    package static func syncName(of place: URL) throws {
        try IndexStore.translating { try Database.syncName(of: place.path) }
    }
}
