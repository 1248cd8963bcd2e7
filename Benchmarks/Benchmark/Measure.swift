import ArgumentParser
import Foundation
import TextSearch

/// Measures the engine on a corpus of JSON lines: what it indexes a second, how large the index is,
/// and how long searches take.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures indexing and searching on a corpus of JSON lines.",
        discussion: """
            The corpus has one object a line with "id", "title" and "body"; title and body are indexed as two strings. \
            A path that ends in .gz is read through gzip. Everything is read before anything is timed.
            """)

    @Argument(
        help:
            "The corpus: a .jsonl or .jsonl.gz file; several with --analysis; folders with --quality."
    )
    var corpora: [String]

    @Flag(help: "Only measure how fast text is analysed: a row a corpus.")
    var analysis = false

    @Flag(
        help:
            "Only measure how well results are ordered: folders of docs.jsonl, queries.tsv and qrels.tsv."
    )
    var quality = false

    @Option(help: "How many objects are analysed at once.")
    var threads = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "A file of keywords, one a line, after a tab where there is one.")
    var keywords: String?

    @Option(help: "A folder of queries by kind; only indexing and these are measured.")
    var queries: String?

    @Option(help: "Where the index is put; a new folder in the temporary directory otherwise.")
    var directory: String?

    @Flag(help: "Keep the index.")
    var keep = false

    @Option(help: "How many objects to read at most.")
    var limit = Int.max

    @Flag(help: "Measure only indexing.")
    var onlyIndexing = false

    func run() async throws {
        if analysis { return try AnalysisBenchmark().run(corpora) }
        if quality { return try await QualityBenchmark().run(corpora) }
        guard let path = corpora.first, corpora.count == 1 else {
            throw ValidationError("Name one corpus; several only go with --analysis.")
        }
        let corpus = try Corpus(path: path, limit: limit)
        let bytes = corpus.byteCount
        print("corpus: \(corpus.entries.count) objects, \(megabytes(bytes)) MB of text")
        print("machine: \(ProcessInfo.processInfo.activeProcessorCount) cores, \(threads) used")
        let before = peakMemory()
        print("memory before indexing: \(megabytes(before)) MB")
        try ceilings(corpus)
        let directory = URL(
            fileURLWithPath: self.directory
                ?? NSTemporaryDirectory() + "textsearch-benchmark-\(UUID().uuidString)")
        try? TextIndex<Entry>.destroy(at: directory)
        let index = try await bulk(corpus, directory)
        if let queries {
            try QueryBenchmark(folder: URL(fileURLWithPath: queries)).run(index)
        } else if !onlyIndexing {
            try keywordSearches(index, corpus)
            try single(index, corpus)
        }
        try index.close()
        let size = fileBytes(directory)
        print(
            String(
                format: "index after closing: %.1f MB, %.3f of the text", Double(size) / 1e6,
                Double(size) / Double(bytes)))
        let (opening, reopened) = try seconds { try open(directory) }
        print(String(format: "opening: %.2f ms", opening * 1e3))
        try reopened.close()
        let (again, reopenedAgain) = try seconds { try open(directory) }
        print(String(format: "opening again: %.2f ms", again * 1e3))
        try reopenedAgain.close()
        if !keep { try TextIndex<Entry>.destroy(at: directory) }
    }

    private func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1e6) }

    private func open(_ directory: URL) throws -> TextIndex<Entry> {
        try Entry.openIndex(at: directory, threads: threads)
    }

    /// What the parts reach on their own.
    private func ceilings(_ corpus: Corpus) throws {
        let texts = corpus.entries.flatMap { [$0.title, $0.body] }
        let (time, words) = seconds { AnalysisCeiling.countWords(in: texts) }
        print(
            String(
                format: "ceiling, cutting and folding into terms, one thread: %.1f MB/s (%d words)",
                Double(corpus.byteCount) / 1e6 / time, words))
        let (writing, written) = try seconds { try StorageCeiling.write(count: 1_000_000) }
        print(
            String(
                format: "ceiling, writing sorted entries of 50 bytes: %.2f M/s, %.1f MB/s",
                1 / writing, Double(written) / 1e6 / writing))
    }

    private func bulk(_ corpus: Corpus, _ directory: URL) async throws -> TextIndex<Entry> {
        let index = try open(directory)
        let clock = ContinuousClock()
        let start = clock.now
        let report = try await index.indexObjects(corpus.entries)
        let time = seconds(clock.now - start)
        let statistics = try await index.statistics()
        let bytes = Double(corpus.byteCount)
        print(
            String(
                format: "indexing: %.1f MB/s, %.0f objects/s, %.2f s, %d objects",
                bytes / 1e6 / time,
                Double(report.indexedCount) / time, time, report.indexedCount))
        let size = fileBytes(directory)
        print(
            String(
                format: "index: %.1f MB, %.3f of the text; %d terms in %d segments",
                Double(size) / 1e6, Double(size) / bytes, statistics.termCount,
                statistics.segmentCount))
        for (table, size) in statistics.bytesByTable.sorted(by: { $0.value > $1.value }) {
            print(
                String(
                    format: "  %@: %.2f MB before compression, %.3f of the text",
                    table.padding(toLength: 12, withPad: " ", startingAt: 0), Double(size) / 1e6,
                    Double(size) / bytes))
        }
        print("peak memory: \(megabytes(peakMemory())) MB")
        return index
    }

    private func keywordSearches(_ index: TextIndex<Entry>, _ corpus: Corpus) throws {
        var keywords = [
            "ing", "hat", "the", "ent", "duc", "qui", "zzz", "orm", "pla", "ght", "ver", "abl",
            "str",
            "uck", "ndo",
        ]
        if let path = self.keywords {
            keywords = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map
            {
                String($0.split(separator: "\t").last ?? $0)
            }
        }
        _ = try index.resultCount(forKeyword: "warm")
        var samples = Samples()
        for keyword in keywords {
            for _ in 0..<3 {
                let (time, _) = try seconds { try index.resultCount(forKeyword: keyword) }
                samples.append(time)
            }
        }
        print("keyword of \(keywords.count), all objects counted: \(samples.description)")
        var all = Samples()
        var hits = 0
        for keyword in keywords.prefix(20) {
            let (time, items) = try seconds { try index.searchResults(forKeyword: keyword) }
            hits += items.count
            all.append(time)
        }
        print("keyword, all results with ranges (\(hits) in all): \(all.description)")
    }

    /// Objects of 200 words, committed one after the other.
    private func single(_ index: TextIndex<Entry>, _ corpus: Corpus) throws {
        var objects: [Entry] = []
        for (number, entry) in corpus.entries.enumerated() where objects.count < 2000 {
            let words = entry.body.split(separator: " ", maxSplits: 201).prefix(200)
            objects.append(
                Entry(
                    id: "single-\(number)", title: entry.title, body: words.joined(separator: " ")))
        }
        var adding = Samples()
        for object in objects {
            let (time, _) = seconds { index.indexObject(object).waitUntilFinished() }
            adding.append(time)
        }
        print("one object of up to 200 words, committed alone: \(adding.description)")
        var updating = Samples()
        for object in objects {
            let (time, _) = seconds { index.updateIndex(for: object).waitUntilFinished() }
            updating.append(time)
        }
        print("the same, updated: \(updating.description)")
        var removing = Samples()
        for object in objects {
            let (time, _) = seconds { index.removeIndex(for: object).waitUntilFinished() }
            removing.append(time)
        }
        print("the same, removed: \(removing.description)")
    }
}
