import Foundation

/// One object of a JSONL corpus.
struct Entry: Sendable {
    var id: String
    var title: String
    var body: String
}

/// A corpus in memory, read before anything is timed.
struct Corpus: Sendable {
    var entries: [Entry] = []

    /// Bytes of text, without what JSON adds.
    var byteCount: Int {
        entries.reduce(0) { $0 + $1.title.utf8.count + $1.body.utf8.count }
    }

    private struct Line: Decodable {
        var id: String
        var title: String?
        var body: String?
    }

    /// Reads a file of JSON lines with `id`, `title` and `body`; one that ends in .gz through gzip.
    init(path: String, limit: Int = .max) throws {
        let decoder = JSONDecoder()
        for line in try Self.read(path).split(separator: UInt8(ascii: "\n")) {
            guard entries.count < limit else { break }
            let parsed = try decoder.decode(Line.self, from: line)
            var entry = Entry(id: parsed.id, title: parsed.title ?? "", body: parsed.body ?? "")
            // Native, contiguous strings, as an app has them.
            entry.title.makeContiguousUTF8()
            entry.body.makeContiguousUTF8()
            entries.append(entry)
        }
    }

    private static func read(_ path: String) throws -> Data {
        guard path.hasSuffix(".gz") else {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return data
    }
}
