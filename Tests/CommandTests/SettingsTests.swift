import Foundation
import LevelDB
import Testing

@testable import TextIndexCommand

/// The file that the command keeps beside an index.
@Suite struct SettingsTests {
    @Test func theirNameIsSynced() throws {
        let folder = try TestFolder()
        let settings = IndexSettings(root: "/", fields: ["text"])
        Fault(.syncDirectory, at: folder.url.path, file: "..", .fail(errno: EIO)).whileArmed {
            _ = #expect(throws: CommandError.self) { try settings.save(to: folder.url.path) }
            #expect($0() == 1)
        }
        try settings.save(to: folder.url.path)
        #expect(try IndexSettings.load(from: folder.url.path) == settings)
    }
}
