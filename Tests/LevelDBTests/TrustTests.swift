import Foundation
import LevelDB
import Testing

/// Whose directories are opened.
@Suite struct TrustTests {
    private func change(_ path: String, to permissions: Int) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: path)
    }

    @Test("A directory that others can write to", arguments: [0o770, 0o720, 0o702, 0o777, 0o1777])
    func writable(permissions: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        let before = try directory.names(in: "db")
        try change(path, to: permissions)
        for mode in [Database.OpenMode.create, .open, .openOrCreate] {
            expect(.untrusted) { _ = try Database(at: path, mode: mode) }
        }
        expect(.untrusted) { try Database.destroy(at: path) }
        #expect(try directory.names(in: "db") == before)
        for permissions in [0o700, 0o750, 0o755] {
            try change(path, to: permissions)
            #expect(try Database(at: path, mode: .open).text("a") == "1")
        }
    }

    @Test("An empty directory that the application made becomes its owner's alone")
    func empty() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try change(path, to: 0o775)
        try Database(at: path, mode: .openOrCreate).put("a", "1")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o755)
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }

    @Test("A directory of another user", .enabled(if: geteuid() == 0))
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        #expect(chown(path, 12_345, 12_345) == 0)
        expect(.untrusted) { _ = try Database(at: path, mode: .open) }
        expect(.untrusted) { try Database.destroy(at: path) }
        #expect(chown(path, 0, 0) == 0)
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }
}
