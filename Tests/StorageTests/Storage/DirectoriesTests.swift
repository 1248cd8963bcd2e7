import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Directories above an index")
struct DirectoriesTests {
    @Test("Directories are made for their owner only, and the name of each is synced")
    func made() throws {
        let folder = try TemporaryFolder("directories")
        // Those of both directories, and that of the index.
        for skip in 0..<3 as Range<UInt64> {
            let place = folder("\(skip)")
            let index = place.appendingPathComponent("below/index")
            Fault(
                .syncDirectory, at: place.path, file: "..", .fail(errno: EIO), skip: skip, times: 1
            ).whileArmed { _ in
                _ = expectError(.io) { try openNotes(at: index) }
            }
        }
        let place = folder("all")
        let directory = place.appendingPathComponent("below/index")
        let seen = try Fault(.syncDirectory, at: place.path, file: "..", .count).whileArmed {
            let index = try openNotes(at: directory)
            try index.closeVerified()
            return $0()
        }
        #expect(seen == 3)
        for name in ["all", "all/below", "all/below/index"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder(name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o700, "\(name)")
        }
    }
}
