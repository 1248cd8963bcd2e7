import ArgumentParser
import Foundation
import TextSearch

/// One object of a JSONL corpus.
struct Entry: Sendable {
    var id: String
    var title: String
    var body: String

    var byteCount: Int { title.utf8.count + body.utf8.count }

    /// An index of entries with default settings, title and body as two strings; without stop words
    /// where every word is wanted.
    static func openIndex(at directory: URL, threads: Int? = nil, everyWord: Bool = false) throws
        -> TextIndex<Entry>
    {
        // A queue that may run nothing would be waited for without end.
        guard threads ?? 1 > 0 else { throw ValidationError("Name 1 thread or more.") }
        var configuration = TextIndexConfiguration()
        // The rows measure what finds words as they are.
        configuration.steps = .exact
        if everyWord { configuration.stopWords = .none }
        configuration.fields = ["title", "body"]
        let index = try TextIndex<Entry>(at: directory, configuration: configuration)
        if let threads { index.indexingQueue.maxConcurrentOperationCount = threads }
        index.identifier = { Data($0.id.utf8) }
        index.indexer = { entry, _ in IndexedObject(strings: [entry.title, entry.body]) }
        return index
    }
}

/// A corpus in memory, read before anything is timed.
struct Corpus: Sendable {
    var entries: [Entry] = []

    /// Bytes of text, without what JSON adds.
    var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

    /// Reads a file of JSON lines with `id`, `title` and `body`; one that ends in .gz through gzip.
    ///
    /// Reading ends after so many objects, or when so many bytes of text have been read.
    init(path: String, limit: Int = .max, byteLimit: Int = .max) throws {
        var bytes = 0
        for entry in try CorpusStream(path: path) {
            guard entries.count < limit, bytes < byteLimit else { break }
            entries.append(entry)
            bytes += entry.byteCount
        }
        if entries.isEmpty { throw ValidationError("\(path): no object to measure with.") }
    }
}

/// The objects of a file of JSON lines, read as somebody comes to them, once; empty lines are left
/// out, others that cannot be read end the program.
struct CorpusStream: Sequence {
    /// What is read and not yet given, and where more comes from.
    private let start: Data
    private let file: FileHandle?

    fileprivate struct Line: Decodable {
        var id: String
        var title: String?
        var body: String?
    }

    init(path: String) throws {
        if path.hasSuffix(".gz") {
            start = try Self.unpacked(path)
            file = nil
        } else {
            start = Data()
            // Not mapped: the pages of the file would count as memory of the process.
            do { file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) } catch {
                throw ValidationError("\(path): the corpus cannot be opened.")
            }
        }
    }

    func makeIterator() -> Iterator { Iterator(rest: start, file: file) }

    struct Iterator: IteratorProtocol {
        private static let pieceSize = 1 << 20
        private var rest: Data
        private var file: FileHandle?
        private var lineCount = 0
        private let decoder = JSONDecoder()

        fileprivate init(rest: Data, file: FileHandle?) {
            self.rest = rest
            self.file = file
        }

        mutating func next() -> Entry? {
            guard let line = nextFilledLine() else { return nil }
            guard let parsed = try? decoder.decode(Line.self, from: line) else {
                Self.end("line \(lineCount) is no JSON object with an \"id\"")
            }
            var entry = Entry(id: parsed.id, title: parsed.title ?? "", body: parsed.body ?? "")
            // Native, contiguous strings, as an app has them.
            entry.title.makeContiguousUTF8()
            entry.body.makeContiguousUTF8()
            return entry
        }

        private mutating func nextFilledLine() -> Data? {
            while let line = nextLine() {
                lineCount += 1
                if !line.isEmpty { return line }
            }
            return nil
        }

        private mutating func nextLine() -> Data? {
            while true {
                let end = rest.withUnsafeBytes { $0.firstIndex(of: UInt8(ascii: "\n")) }
                if let end {
                    defer { rest = rest.dropFirst(end + 1) }
                    return rest.prefix(end)
                }
                guard let more = nextPiece() else {
                    defer { rest = Data() }
                    return rest.isEmpty ? nil : rest
                }
                rest = Data(rest) + more
            }
        }

        /// What was read of a file that cannot be read on would be taken for all of it.
        private func nextPiece() -> Data? {
            do {
                guard let more = try file?.read(upToCount: Self.pieceSize) else { return nil }
                return more.isEmpty ? nil : more
            } catch {
                Self.end("\(error)")
            }
        }

        /// A sequence cannot throw, and a part of a corpus is none.
        private static func end(_ reason: String) -> Never {
            try? FileHandle.standardError.write(
                contentsOf: Data("the corpus cannot be read: \(reason)\n".utf8))
            exit(1)
        }
    }

    private static func unpacked(_ path: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ValidationError("\(path): gzip cannot read the corpus.")
        }
        return data
    }
}
