import Foundation
import Testing

@Suite("Folders that were moved, and first runs that were killed")
struct MovedFolderTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    @Test(
        "A first run goes on where another one was killed",
        arguments: [
            ["000001.dbtmp", "LOCK", "MANIFEST-000001"], ["RESERVE"], ["LOCK", "RESERVE"], ["LOCK"],
        ])
    func killed(_ names: [String]) async throws {
        try folder.write("duck", to: "texts/a.txt")
        for name in names { try folder.write("", to: "index/\(name)") }
        let result = try await command.run("index", "texts", "--index", "index")
        #expect(result.status == 0, "\(result.error)")
        #expect(try await command.search("duck").identifiers == ["texts/a.txt"])
    }

    @Test("A folder of other files is no place for an index", arguments: ["1.txt", "a.dbtmp"])
    func others(_ name: String) async throws {
        try folder.write("duck", to: "texts/a.txt")
        try folder.write("", to: "index/\(name)")
        #expect(try await command.run("index", "texts", "--index", "index").status == 2)
    }

    @Test("Several first runs at once all end well")
    func several() async throws {
        for number in 0..<20 { try folder.write("duck \(number)", to: "texts/\(number).txt") }
        let command = command
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await command.run("index", "texts", "--index", "index").status
                }
            }
            for try await status in group { #expect(status == 0) }
        }
        #expect(try await command.search("duck").total == 20)
    }

    @Test("A folder that holds its index is moved: a file is one hit, and --sync is right")
    func moved() async throws {
        try folder.write("the duck swims", to: "old/a.txt")
        try folder.write("another duck", to: "old/b.txt")
        let old = folder.url.appending(path: "old")
        let new = folder.url.appending(path: "new")
        let first = try await command.run("index", ".", "--index", "index", in: old)
        #expect(first.output.hasPrefix("2 objects indexed;"))
        try FileManager.default.moveItem(at: old, to: new)
        let found = try await command.run("search", "swims", "--index", "index", in: new)
        #expect(found.output.hasPrefix("1. a.txt  1 match\n   the duck swims\n"))
        try FileManager.default.removeItem(at: new.appending(path: "b.txt"))
        for _ in 0..<2 {
            let again = try await command.run("index", ".", "--index", "index", "--sync", in: new)
            #expect(again.output.hasPrefix("0 objects indexed, 1 unchanged"), "\(again.output)")
            // The old place is somebody else's now.
            try folder.write("other", to: "old/index/textindex.json")
        }
        let all = try await command.run("search", "duck", "--index", "index", in: new)
        #expect(all.output.contains("1 of 1 hit"))
    }
}
