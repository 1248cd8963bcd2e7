import Foundation
import Testing
import TextSearch

@Suite struct VerifyTests {
    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        for number in 0..<40 {
            try folder.write(
                "A duck \(number) swims in pond \(number * 7).", to: "texts/\(number).txt")
        }
        let result = try await command.run("index", "texts", "--index", "index")
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(arguments: ["quick", "full"])
    func aSoundIndex(depth: String) async throws {
        let result = try await command.run("verify", "--index", "index", "--depth", depth)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.hasPrefix("nothing is wrong\n40 objects, "), "\(result.output)")
        let json = try await command.run(
            "verify", "--index", "index", "--depth", depth, "--json")
        #expect(json.status == 0)
        let report = try JSONDecoder().decode(
            VerificationReport.self, from: Data(json.output.utf8))
        #expect(report.isClean)
        #expect(report.objectCount == 40)
        #expect(report.depth == depth)
    }

    @Test func aDamagedTableIsFound() async throws {
        _ = try await command.run("optimize", "--index", "index")
        let index = folder.url.appending(path: "index")
        let tables = try FileManager.default.contentsOfDirectory(atPath: index.path)
            .filter { $0.hasSuffix(".ldb") }
        let name = try #require(tables.sorted().last)
        let file = index.appending(path: name)
        var bytes = try Data(contentsOf: file)
        let place = bytes.count / 4
        bytes[place] ^= 0x10
        try bytes.write(to: file)
        let result = try await command.run("verify", "--index", "index")
        #expect([1, 2].contains(result.status), "\(result.output)\(result.error)")
        if result.status == 1 { #expect(result.output.contains("unreadable")) }
    }

    @Test func noIndex() async throws {
        let result = try await command.run("verify", "--index", "nowhere")
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
    }
}
