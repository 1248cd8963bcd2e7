import Foundation
import LevelDB

/// The files of a store that need not open, locked while this lives.
struct StoreWreck {
    private let wreck: DatabaseWreck

    init(at directory: URL) throws {
        wreck = try IndexStore.translating {
            try DatabaseWreck(at: directory.path, format: Manifest.databaseFormat)
        }
    }

    var damagedFiles: [String] { wreck.damagedFiles }

    /// Whether a key that ``forEachKey(_:)`` does not give may have been there.
    func mayLack(_ key: [UInt8]) -> Bool { wreck.mayLack(key) }

    /// Lends the newest version of each key that can be read; see the database's method.
    func forEachKey(
        _ body: (
            _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ isCertain: Bool
        ) throws -> Void
    ) throws {
        try IndexStore.translating { try wreck.forEachKey(body) }
    }
}
