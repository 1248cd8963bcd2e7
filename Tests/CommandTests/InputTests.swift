import Foundation
import PowerCuts
import Testing

@testable import TextIndexCommand

@Suite struct InputTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func path(_ name: String) -> Path { Path(folder.url.appending(path: name).path) }

    private func lines(_ data: Data) throws -> [(text: String, start: Int)] {
        try folder.write(data, to: "lines")
        var reader = LineReader(try InputFile(path: path("lines")))
        var lines: [(String, Int)] = []
        var line: [UInt8] = []
        while try reader.next(into: &line) == .line {
            lines.append((String(decoding: line, as: UTF8.self), reader.start))
        }
        return lines
    }

    @Test func linesAndTheirPlaces() throws {
        let lines = try lines(Data("one\r\n\ntwo\n\rthree".utf8))
        #expect(lines.map(\.text) == ["one", "", "two", "\rthree"])
        #expect(lines.map(\.start) == [0, 5, 6, 10])
        #expect(try self.lines(Data()).isEmpty)
        #expect(try self.lines(Data("\n".utf8)).map(\.text) == [""])
    }

    @Test(arguments: [UInt64(1), 2]) func linesAcrossChunks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let expected = (0..<40).map { _ in
            String(repeating: "x", count: Int.random(in: 0..<60_000, using: &random))
        }
        let read = try lines(Data(expected.joined(separator: "\n").utf8 + [0x0A]))
        #expect(read.map(\.text) == expected, "seed \(seed)")
        for (text, start) in read.dropFirst(1) {
            #expect(start > 0 || text.isEmpty)
        }
    }

    @Test func longLinesAreSkipped() throws {
        try folder.write("short\nmuch too long\n12345678\nlonger again", to: "lines")
        var reader = LineReader(try InputFile(path: path("lines")), longest: 8)
        var line: [UInt8] = []
        var outcomes: [LineReader.Line] = []
        repeat { outcomes.append(try reader.next(into: &line)) } while outcomes.last != .end
        #expect(outcomes == [.line, .tooLong, .line, .tooLong, .end])
    }

    /// As of `<(command)`: the writer has it open, and takes its time.
    @Test func pipesAreReadToTheirEnd() throws {
        let name = folder.url.appending(path: "pipe").path
        try #require(mkfifo(name, 0o600) == 0)
        let end = open(name, O_RDWR)
        let writer = FileHandle(fileDescriptor: end, closeOnDealloc: false)
        let file = try InputFile(path: path("pipe"))
        Thread.detachNewThread {
            for part in ["one ", "two ", "three"] {
                usleep(20_000)
                writer.write(Data(part.utf8))
            }
            close(end)
        }
        let read = try file.readAll()
        #expect(read.map { String(decoding: $0, as: UTF8.self) } == "one two three")
    }

    @Test func partsOfFiles() throws {
        try folder.write("0123456789", to: "digits")
        let file = try InputFile(path: path("digits"))
        #expect(try file.read(at: 3, count: 4) == Array("3456".utf8))
        #expect(try file.read(at: 8, count: 4) == nil)
        #expect(try file.read(at: -1, count: 4) == nil)
        #expect(try file.read(at: 0, count: -4) == nil)
        #expect(try file.readAll(upTo: 9) == nil)
        let again = try InputFile(path: path("digits"))
        #expect(try again.readAll(upTo: 10) == Array("0123456789".utf8))
        #expect(throws: CommandError.self) {
            try InputFile(path: path("nothing"))
        }
    }

    @Test func foldersAreWalkedInOrder() throws {
        for path in [
            "b.txt", "a/z.md", "a/é.txt", "a.txt", "c.TXT", "d.jsonl", ".e.txt", "i/x.txt",
        ] {
            try folder.write("x", to: path)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "loop").path, withDestinationPath: folder.url.path)
        let root = Path(folder.url.path).absolute()
        let walker = Walker([root], excluding: root.appending(Path("i"))) { Issue.record("\($0)") }
        let found = walker.map { source in
            switch source {
            case .text(let path, _): path.relative(to: root).text
            default: "?"
            }
        }
        #expect(found == ["a/z.md", "a/é.txt", "a.txt", "b.txt", "c.TXT"])
    }

    @Test(arguments: [
        ("a", "/r/a"), ("./a//b/", "/r/a/b"), ("../a", "/a"), ("../../..", "/"), ("/x/../y", "/y"),
        (".", "/r"),
    ])
    func pathsAreMadeAbsolute(path: String, expected: String) {
        #expect(Path(path).absolute(from: Path("/r")).text == expected)
    }

    @Test func pathsAreSeenFromTheRoot() {
        #expect(Path("/r/a/b").relative(to: Path("/r")).text == "a/b")
        #expect(Path("/ra/b").relative(to: Path("/r")).text == "/ra/b")
        #expect(Path("/a").relative(to: Path("/")).text == "a")
        #expect(Path("/r").contains(Path("/r/a")) && Path("/").contains(Path("/a")))
        #expect(!Path("/r").contains(Path("/ra")))
        #expect(Path("/a.b/c").suffix == "" && Path("/a/.txt").suffix == "")
        #expect(Path("x.TAR.Gz").suffix == "gz")
    }

    @Test func argumentsKeepTheirBytes() {
        let raw = [Path("index"), Path(bytes: [0x61, 0xE9]), Path(bytes: [0x61, 0xEA])]
        let option = Path(bytes: Array("--under=".utf8) + [0xFF])
        let replaced = (raw + [option]).map(\.text)
        #expect(Path.named(by: replaced, raw: raw + [option]) == raw + [option])
        #expect(
            Path.named(by: ["a\u{FFFD}", "b", "\u{FFFD}", "a\u{FFFD}"], raw: raw + [option])
                == [raw[1], Path("b"), Path(bytes: [0xFF]), raw[2]])
        #expect(Path.named(by: ["é", "-"], raw: []) == [Path("é"), .standardInput])
    }

    @Test func hashesAreStable() {
        var hash = ContentHash()
        hash.combine(Array("The duck swims.".utf8))
        #expect(hash.text == "00f7923e187d798a")
        var other = ContentHash()
        other.combine(Array("The duck swims,".utf8))
        #expect(hash.text != other.text)
        var zeros: Set<String> = []
        for count in 0..<64 {
            var hash = ContentHash()
            hash.combine([UInt8](repeating: 0, count: count))
            zeros.insert(hash.text)
        }
        #expect(zeros.count == 64)
        #expect(UInt64(hash.text, radix: 16) == hash.value)
    }
}
