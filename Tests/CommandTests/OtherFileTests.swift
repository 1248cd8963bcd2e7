import Foundation
import Testing

@testable import TextIndexCommand

@Suite("Files of other kinds and encodings")
struct OtherFileTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    @Test("The summary counts the files of other kinds that were passed over")
    func passedOver() async throws {
        for name in [
            "a.rst", "b.rst", "c.org", "d.html", "e.srt", "f.c", "g.csv", "h.csv", "README",
        ] {
            try folder.write("duck", to: "texts/\(name)")
        }
        try folder.write("duck", to: "texts/i.txt")
        let result = try await command.run("index", "texts", "--index", "index")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("1 object indexed;"))
        let last = result.output.split(separator: "\n").last
        #expect(
            last
                == "passed over 9 files of other kinds: 2 .csv, 2 .rst, 1 without an ending, 1 .c, 1 .html, 1 .org, 1 others"
        )
        let text = try await command.run("index", "texts/a.rst", "--index", "index")
        #expect(text.output.split(separator: "\n").count == 1, "named, it is read: \(text.output)")
    }

    @Test("Files are found by their names, and these are shown")
    func names() async throws {
        try folder.write("Five ducks were sold.", to: "papers/invoice-2024.md")
        try folder.write("An invoice of last year.", to: "papers/old.txt")
        try await command.run("index", "papers", "--index", "index")
        let found = try await command.search("invoice-2024.md")
        #expect(found.identifiers.first == "papers/invoice-2024.md")
        #expect(found.hits.first?.matches.first?.field == "name")
        #expect(found.hits.first?.snippets.map(\.text) == ["invoice-2024.md"])
        #expect(
            try await command.search("invoice").identifiers
                == ["papers/invoice-2024.md", "papers/old.txt"])
        let text = try await command.run("search", "ducks", "--index", "index")
        #expect(text.output.contains("   Five ducks were sold."), "\(text.output)")
    }

    @Test("UTF-16 with a mark and 8-bit text are read, and what was assumed is said")
    func encodings() async throws {
        let utf16: [UInt8] = Array(
            "Été à la mer 🙂".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        try folder.write(Data([0xFF, 0xFE] + utf16), to: "texts/little.txt")
        let big = Array("Été".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        try folder.write(Data([0xFE, 0xFF] + big), to: "texts/big.txt")
        try folder.write(
            Data("\u{c9}t\u{e9} \u{e0} Paris".unicodeScalars.map { UInt8($0.value) }),
            to: "texts/old.txt")
        let result = try await command.run("index", "texts", "--index", "index")
        #expect(result.status == 0)
        #expect(
            result.errorLines == ["textindex: texts/old.txt: not valid UTF-8; read as Windows-1252"]
        )
        let found = try await command.search("été")
        #expect(
            Set(found.identifiers) == ["texts/little.txt", "texts/big.txt", "texts/old.txt"])
        #expect(found.hits.allSatisfy { $0.matches.map(\.text) == ["Été"] || $0.matches.count > 1 })
    }

    @Test(
        "Bytes are taken for what speaks for them",
        arguments: [
            (Array("caf\u{e9}".utf8), "café", TextDecoding.Encoding.utf8),
            ([0xEF, 0xBB, 0xBF, 0x61], "a", .utf8),
            ([0x63, 0x61, 0x66, 0xE9], "café", .windows1252),
            ([0x93, 0x61, 0x94, 0x20, 0x80], "\u{201C}a\u{201D} \u{20AC}", .windows1252),
            ([0xC3, 0xA9, 0x20, 0xC3, 0xA8, 0x20, 0xFF], "é è \u{FFFD}", .repaired),
            ([0x61, 0x00, 0xFF], "a\u{0}\u{FFFD}", .repaired),
            ([0x61, 0x81], "a\u{FFFD}", .repaired),
            ([0xFF, 0xFE, 0x61, 0x00, 0x62], "a\u{FFFD}", .repairedUTF16),
            ([0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61], "\u{FFFD}a", .repairedUTF16),
            ([], "", .utf8), ([0xFF, 0xFE], "", .utf16),
        ])
    func decoding(_ bytes: [UInt8], _ text: String, _ encoding: TextDecoding.Encoding) {
        let found = TextDecoding.decode(bytes[...])
        #expect(found.text == text)
        #expect(found.encoding == encoding)
    }
}
