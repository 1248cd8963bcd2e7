import ArgumentParser
import Foundation
import TextSearch

/// What one size of text costs: a corpus is repeated, with changed words, until there is as much as
/// is asked for.
struct Growth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Indexes and searches so many megabytes of text, and prints JSON lines.")

    @Argument var corpus: String
    @Option(help: "A folder of queries by kind.") var queries: String
    @Option(help: "Megabytes of text.") var size = 100
    @Option(help: "Where the index is put.") var store: String
    @Option var threads = 2

    private static let kinds = [
        "term_common", "term_mid", "term_rare", "and2", "or35", "phrase", "prefix3_top",
        "prefix3_count", "infix_top", "infix_count",
    ]

    func validate() throws {
        guard 1...1_000_000 ~= size else { throw ValidationError("--size: 1 to 1,000,000.") }
    }

    func run() async throws {
        let directory = URL(fileURLWithPath: store)
        try? TextIndex<Entry>.destroy(at: directory)
        let entries = try Corpus(path: corpus, byteLimit: size * 1_000_000).entries
        // All of it is in memory before the clock starts: what making it costs is not the index's.
        let text = Array(RepeatedCorpus(entries: entries, byteLimit: size * 1_000_000))
        let before = ProcessFigures.megabytes("VmRSS")
        let start = ContinuousClock.now
        let index = try Entry.openIndex(at: directory, threads: threads)
        let report = try await index.indexObjects(text)
        try index.close()
        let time = seconds(ContinuousClock.now - start)
        let peak = ProcessFigures.megabytes("VmHWM")
        // Freed here, it would be freed while others are timed.
        defer { withExtendedLifetime(text) {} }
        let (opening, reopened) = try seconds { try Entry.openIndex(at: directory) }
        let (first, _) = try seconds { try reopened.search("the first answer", limit: 10).count }
        try Figures.report(
            "growth",
            [
                "mb": size, "threads": threads, "docs": report.indexedCount,
                "text_bytes": report.textByteCount,
                "seconds": Figures.rounded(time, 4), "bytes": fileBytes(directory),
                "peak_mb": Figures.rounded(peak, 1),
                "before_mb": Figures.rounded(before, 1),
                "open_ms": Figures.rounded(opening * 1e3),
                "first_ms": Figures.rounded(first * 1e3),
            ])
        // Merges that indexing left go on; what follows is the index at rest.
        let opened = ContinuousClock.now
        try await Self.waitUntilAtRest()
        let rest = seconds(ContinuousClock.now - opened)
        try Figures.report("growth-rest", ["mb": size, "seconds": Figures.rounded(rest, 1)])
        for kind in QueryKind.all where Self.kinds.contains(kind.name) {
            try kind.report(reopened, URL(fileURLWithPath: queries), figures: ["mb": size])
        }
        try Figures.report(
            "growth-memory",
            ["mb": size, "anonymous_mb": Figures.rounded(ProcessFigures.megabytes("RssAnon"), 1)])
        try reopened.close()
        try TextIndex<Entry>.destroy(at: directory)
    }

    /// Returns when this process has had next to nothing to do for a second, or after five minutes.
    private static func waitUntilAtRest() async throws {
        var used = ProcessFigures.processSeconds
        for _ in 0..<300 {
            try await Task.sleep(for: .seconds(1))
            let now = ProcessFigures.processSeconds
            if now - used < 0.02 { return }
            used = now
        }
    }
}

/// The objects of a corpus, over and over, until there are so many bytes of text. From the second
/// time on, a quarter of the distinct words are others each time: the vocabulary grows with the
/// text, as that of real text does.
struct RepeatedCorpus: Sequence, Sendable {
    var entries: [Entry]
    var byteLimit: Int

    func makeIterator() -> AnyIterator<Entry> {
        var (number, bytes) = (0, 0)
        return AnyIterator {
            guard bytes < byteLimit, !entries.isEmpty else { return nil }
            let round = number / entries.count
            var entry = entries[number % entries.count]
            number += 1
            if round > 0 {
                entry.id += "-\(round)"
                entry.title = Self.changed(entry.title, round)
                entry.body = Self.changed(entry.body, round)
            }
            bytes += entry.byteCount
            return entry
        }
    }

    /// A text whose words have letters appended that belong to the round, where the word's hash
    /// says so.
    private static func changed(_ text: String, _ round: Int) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 5 / 4)
        var hash: UInt32 = 2_166_136_261
        var length = 0
        func isWord(_ byte: UInt8) -> Bool { (byte | 32) &- 97 < 26 || byte >= 0x80 }
        func endWord() {
            if length > 2, (hash ^ UInt32(truncatingIfNeeded: round &* 0x9E37)) >> 7 & 3 == 0 {
                bytes.append(UInt8(97 + round % 26))
                bytes.append(UInt8(97 + round / 26 % 26))
            }
            hash = 2_166_136_261
            length = 0
        }
        for byte in text.utf8 {
            if isWord(byte) {
                hash = (hash ^ UInt32(byte | 32)) &* 16_777_619
                length += 1
            } else if length > 0 {
                endWord()
            }
            bytes.append(byte)
        }
        if length > 0 { endWord() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
