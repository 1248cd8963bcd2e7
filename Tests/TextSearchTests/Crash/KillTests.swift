import Foundation
import Testing

@testable import TextSearch

/// A process is killed at random moments while it indexes; what it had reported as finished must be there.
@Suite("Killed processes", .serialized)
struct KillTests {
    /// An object whose two strings, weight and context all say the same number.
    static func object(_ id: Int, version: Int) -> IndexedObject {
        IndexedObject(
            strings: ["item\(id) version\(version)", "again version\(version) padding words here"],
            weight: Double(version), context: ["version": .int(Int64(version))])
    }

    static func open(_ path: String) throws -> TextIndex<[Int]> {
        var configuration = TextIndexConfiguration()
        configuration.bufferSize = 1 << 16
        let index = try TextIndex<[Int]>(
            at: URL(fileURLWithPath: path), configuration: configuration)
        index.identifier = { Data("id-\($0[0])".utf8) }
        index.indexer = { pair, _ in object(pair[0], version: pair[1]) }
        return index
    }

    /// Indexes for ever, appending a line for each operation that finished: identifier, version (-1: removed).
    static func work(_ path: String, _ log: String, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let descriptor = Foundation.open(log, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        func report(_ lines: String) {
            var text = lines
            text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
        }
        let index = try open(path)
        let delay = UInt32.random(in: 500...60_000, using: &generator)
        Thread.detachNewThread {
            usleep(delay)
            raise(SIGKILL)
        }
        var version = Int(seed % 1000) * 100_000
        while true {
            version += 1
            let id = Int.random(in: 0..<50, using: &generator)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0:
                report("begin remove \(id)\n")
                _ = try await index.removeIndex(for: [id, 0]).value()
                report("done \(id) -1\n")
            case 1:
                let base = version
                let pairs = (0..<400).map { [$0 % 50, base + $0 / 50] }
                for id in 0..<50 { report("begin \(id)\n") }
                _ = try await index.indexObjects(pairs)
                report((0..<50).map { "done \($0) \(base + 7)\n" }.joined())
                version += 10
            case 2:
                try index.optimize()
            case 3:
                try index.flush()
            default:
                report("begin \(id)\n")
                _ = try await index.indexObject([id, version]).value()
                report("done \(id) \(version)\n")
            }
        }
    }

    @Test("What was finished is there after kill -9, and nothing is half there")
    func kill() async throws {
        let directory = temporaryDirectory("kill")
        let log = directory.path + ".log"
        for round in 0..<30 {
            let path = directory.path
            let seed = UInt64(round) &* 104_729 &+ 1
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, log = log as String, seed = seed as UInt64] in
                try await KillTests.work(path, log, seed: seed)
            }
            try check(path, log, "round \(round)")
        }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        // The kills came amid work, or this would show nothing.
        #expect(lines.count(where: { $0.hasPrefix("done") }) > 300)
        try TextIndex<[Int]>.destroy(at: directory)
        try FileManager.default.removeItem(atPath: log)
    }

    private func check(_ path: String, _ log: String, _ label: Comment) throws {
        var finished: [Int: Int] = [:]
        var isOpen: Set<Int> = []
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts[0] == "done", parts.count == 3, let id = Int(parts[1]),
                let version = Int(parts[2])
            {
                finished[id] = version
                isOpen.remove(id)
            } else if parts[0] == "begin", let last = parts.last, let id = Int(last) {
                isOpen.insert(id)
            }
        }
        let index = try Self.open(path)
        defer { try? index.close() }
        for id in 0..<50 {
            let item = try index.item(for: Data("id-\(id)".utf8))
            if !isOpen.contains(id) {
                let version = finished[id] ?? -1
                #expect((item == nil) == (version < 0), label)
                if let item { #expect(item.weight == Double(version), label) }
            }
            guard let item else { continue }
            // Whatever is there is whole.
            let version = Int(item.weight)
            #expect(item.context["version"] == .int(Int64(version)), label)
            let hits = try index.searchResults(forKeyword: "version\(version)")
            let same = hits.filter { $0.identifier == item.identifier }
            #expect(same.count == 1 && same[0].resultTokens.map(\.string) == [0, 1], label)
        }
        let all = try index.searchResults(forKeyword: "padding")
        #expect(all.count == index.count, label)
        #expect(Set(try index.identifiers()).count == index.count, label)
        // What was in flight now has an outcome: it is what the index says.
        var lines = ""
        for id in isOpen {
            let item = try index.item(for: Data("id-\(id)".utf8))
            lines += "done \(id) \(item.map { Int($0.weight) } ?? -1)\n"
        }
        let handle = try #require(FileHandle(forWritingAtPath: log))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines.utf8))
        try handle.close()
    }
}
