import Foundation
import LevelDB
import Testing

/// Whose directories are opened.
@Suite struct TrustTests {
    private func change(_ path: String, to permissions: Int) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: path)
    }

    @Test(
        "A directory that others can write to is refused",
        arguments: [0o770, 0o720, 0o702, 0o777, 0o1777])
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

    @Test(
        "A database with a file that others can write to is refused",
        arguments: [0o620, 0o602, 0o666])
    func writableFile(permissions: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        for name in try directory.names(in: "db") {
            let file = directory.path("db/" + name)
            try change(file, to: permissions)
            for mode in [Database.OpenMode.create, .open, .openOrCreate, .read] {
                expect(.untrusted) { _ = try Database(at: path, mode: mode) }
            }
            expect(.untrusted) { try Database.destroy(at: path) }
            try change(file, to: 0o644)
        }
        // What somebody keeps beside is not the database's.
        try Data("1".utf8).write(to: URL(fileURLWithPath: directory.path("db/notes")))
        try change(directory.path("db/notes"), to: 0o666)
        #expect(try Database(at: path, mode: .open).text("a") == "1")
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

    @Test("A directory of another user is refused", .enabled(if: geteuid() == 0))
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        #expect(chown(path, 12_345, 12_345) == 0)
        expect(.untrusted) { _ = try Database(at: path, mode: .open) }
        expect(.untrusted) { try Database.destroy(at: path) }
        #expect(chown(path, 0, 0) == 0)
        for name in try directory.names(in: "db") {
            let file = directory.path("db/" + name) as String
            #expect(chown(file, 12_345, 12_345) == 0)
            expect(.untrusted) { _ = try Database(at: path, mode: .open) }
            #expect(chown(file, 0, 0) == 0)
        }
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }

    #if os(Linux) || os(macOS)
        @Test("A name changes in a directory that may be written and not read, nor synced")
        func unreadableParent() async throws {
            let directory = try TemporaryDirectory()
            let parent = directory.path("parent")
            for name in ["parent", "parent/from"] {
                try FileManager.default.createDirectory(
                    atPath: directory.path(name), withIntermediateDirectories: false)
                try change(directory.path(name), to: name == "parent" ? 0o300 : 0o700)
            }
            try change(directory.path, to: 0o711)
            if geteuid() == 0 { #expect(chown(parent, 12_345, 12_345) == 0) }
            await #expect(processExitsWith: .success) { [parent = parent as String] in
                // Who may do all would read it.
                if geteuid() == 0 { try #require(setuid(12_345) == 0) }
                try Database.rename(parent + "/from", to: parent + "/to", exchanging: false)
                try Database.syncName(of: parent + "/to")
            }
            try change(parent, to: 0o700)
            #expect(try directory.names(in: "parent") == ["to"])
        }
    #endif

    @Test(
        "A database of another user opens to be read, and only if that user is trusted",
        .enabled(if: geteuid() == 0, "Only the superuser gives files to others."))
    func otherOwner() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        for name in [""] + (try directory.names(in: "db")) {
            #expect(chown(path + "/" + name, 4_321, 4_321) == 0)
        }
        var options = DatabaseOptions()
        for owners in [[], [4_322]] as [[UInt32]] {
            options.trustedOwners = owners
            expect(.untrusted) { _ = try Database(at: path, mode: .read, options: options) }
        }
        options.trustedOwners = [4_322, 4_321]
        #expect(try Database(at: path, mode: .read, options: options).text("a") == "1")
        for mode in [Database.OpenMode.open, .openOrCreate] {
            expect(.untrusted) { _ = try Database(at: path, mode: mode, options: options) }
        }
        try change(path, to: 0o775)
        expect(.untrusted) { _ = try Database(at: path, mode: .read, options: options) }
    }

    @Test("Databases that share a cache of blocks keep what each of them has")
    func sharedBlocks() throws {
        let directory = try TemporaryDirectory()
        var options = DatabaseOptions()
        options.sharedBlocks = BlockCache(byteCount: 1 << 20)
        let databases = try (0..<3).map {
            try Database(at: directory.path("db\($0)"), mode: .create, options: options)
        }
        for (number, database) in databases.enumerated() { try database.put("a", "\(number)") }
        options.sharedBlocks = nil
        try databases[0].close()
        for (number, database) in databases.enumerated().dropFirst() {
            #expect(try database.text("a") == "\(number)")
        }
    }
}
