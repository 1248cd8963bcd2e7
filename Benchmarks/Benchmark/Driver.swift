import ArgumentParser
import Foundation
import TextSearch

/// This engine's driver for comparisons: the same work, and the same lines of JSON, as those of the
/// others.
struct Driver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does one piece of work of a comparison, and prints its figures as JSON lines.",
        subcommands: [
            Indexing.self, Querying.self, Filtering.self, Typing.self, Single.self, Opening.self,
            Removing.self,
            Scale.self,
            Ceilings.self,
        ])

    struct Indexing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "index")
        @Argument var store: String
        @Argument var corpus: String
        @Option var threads = 2
        @Option(help: "Bytes of text at most; 0 for all.") var limit = 0
        @Flag(help: "Without stop words.") var everyWord = false
        @Flag(help: "Read the corpus as it is indexed: for the memory that it takes.")
        var stream = false

        func run() async throws {
            let directory = URL(fileURLWithPath: store)
            try? TextIndex<Entry>.destroy(at: directory)
            let entries =
                stream
                ? []
                : try Corpus(path: corpus, byteLimit: limit == 0 ? .max : limit).entries
            let (start, processor) = (ContinuousClock.now, ProcessFigures.processorSeconds)
            let index = try Entry.openIndex(
                at: directory, threads: threads, everyWord: everyWord)
            let report =
                stream
                ? try await index.indexObjects(CorpusStream(path: corpus))
                : try await index.indexObjects(entries)
            try index.close()
            let time = seconds(ContinuousClock.now - start)
            // What the caller's objects take to be freed is no part of it.
            withExtendedLifetime(entries) {}
            try Figures.report(
                "index",
                [
                    "engine": Figures.engine(everyWord: everyWord),
                    "threads": threads, "docs": report.indexedCount,
                    "text_bytes": report.textByteCount, "seconds": Figures.rounded(time, 4),
                    "cpu_s": Figures.rounded(ProcessFigures.processorSeconds - processor, 4),
                    "bytes": fileBytes(directory),
                    "peak_mb": Figures.rounded(Double(peakMemory()) / 1e6, 1),
                ])
        }
    }

    struct Querying: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "query")
        @Argument var store: String
        @Argument var queries: String
        @Flag(help: "Also say what each table of the index takes.") var tables = false
        @Flag(help: "Without stop words.") var everyWord = false
        @Option(help: "This kind of query alone.") var kind: String?
        @Option(help: "How often each query is timed; it takes the time in the middle.")
        var passes = 3
        @Flag(
            help: """
                Take turns with others: the kinds of query come by standard input, one a line. Their names are printed first; an empty line ends \
                these and each answer.
                """)
        var turns = false

        func run() throws {
            let index = try Entry.openIndex(
                at: URL(fileURLWithPath: store), everyWord: everyWord)
            let engine = Figures.engine(everyWord: everyWord)
            func report(_ name: String?) throws {
                for kind in QueryKind.all where kind.name == name ?? kind.name {
                    try kind.report(
                        index, URL(fileURLWithPath: queries), passes: passes,
                        figures: ["engine": engine])
                }
            }
            if turns {
                index.waitForMaintenance()
                try takeTurns(report)
            } else {
                try report(kind)
            }
            try Figures.report(
                "memory",
                [
                    "engine": engine,
                    "what": "searching",
                    "rss_mb": Figures.rounded(ProcessFigures.megabytes("VmRSS"), 1),
                    "anonymous_mb": Figures.rounded(ProcessFigures.megabytes("RssAnon"), 1),
                ])
            if tables {
                let statistics = try index.statistics()
                try Figures.report(
                    "tables",
                    ["bytes": statistics.bytesByTable, "file_bytes": statistics.fileBytes])
            }
            try index.close()
        }

        /// The index is at rest by then: merges that the load left would go on while others are
        /// timed.
        private func takeTurns(_ report: (String) throws -> Void) throws {
            print(QueryKind.all.map(\.name).joined(separator: "\n"), terminator: "\n\n")
            fflush(nil)
            while let name = readLine() {
                try report(name)
                print()
                fflush(nil)
            }
        }
    }

    struct Single: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "single")
        @Argument var store: String
        @Argument var objects: String

        func run() throws {
            let index = try Entry.openIndex(at: URL(fileURLWithPath: store))
            let objects = try Corpus(path: objects).entries.enumerated().map {
                Entry(id: "new\($0.offset)", title: $0.element.title, body: $0.element.body)
            }
            // An update gives each object the text of another one.
            let updates = zip(objects, objects.reversed()).map {
                Entry(id: $0.id, title: $1.title, body: $1.body)
            }
            try report("add", objects) { index.indexObject($0) }
            try report("update", updates) { index.updateIndex(for: $0) }
            try report("remove", objects) { index.removeIndex(for: $0) }
            try index.close()
        }

        private func report(
            _ what: String, _ objects: [Entry], _ begin: (Entry) -> IndexingOperation
        ) throws {
            var samples = Samples()
            for object in objects {
                let (time, operation) = seconds { () -> IndexingOperation in
                    let operation = begin(object)
                    operation.waitUntilFinished()
                    return operation
                }
                if let error = operation.error { throw error }
                samples.append(time * 1e6)
            }
            try Figures.report(
                "single",
                [
                    "what": what, "n": objects.count,
                    "p50_us": Figures.rounded(samples.percentile(0.5)),
                    "p99_us": Figures.rounded(samples.percentile(0.99)),
                ])
        }
    }

    struct Opening: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "open")
        @Argument var store: String
        @Argument var word: String
        @Flag(help: "Have the system forget the files first.") var evicted = false

        func run() throws {
            let directory = URL(fileURLWithPath: store)
            if evicted { FileEviction.evict(directory) }
            let (opening, index) = try seconds { try Entry.openIndex(at: directory) }
            let (first, _) = try seconds { try index.search(.term(word), limit: 10).items.count }
            try Figures.report(
                "open",
                [
                    "files": evicted ? "evicted" : "warm",
                    "open_ms": Figures.rounded(opening * 1e3),
                    "first_ms": Figures.rounded(first * 1e3),
                ])
            try index.close()
        }
    }

    struct Ceilings: ParsableCommand {
        @Argument var corpus: String

        func run() throws {
            let corpus = try Corpus(path: corpus)
            let texts = corpus.entries.flatMap { [$0.title, $0.body] }
            let best = (0..<3).map { _ in seconds { AnalysisCeiling.countWords(in: texts) }.0 }
                .min()
            let speed = Double(corpus.byteCount) / 1e6 / (best ?? .nan)
            try Figures.report(
                "ceiling",
                [
                    "what": "cutting and folding into terms, one thread",
                    "value": Figures.rounded(speed), "unit": "MB/s",
                ])
        }
    }
}

/// Has the system forget what it holds of files, so that they are read from the disk again.
enum FileEviction {
    static func evict(_ directory: URL) {
        #if os(Linux)
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
            for name in names {
                let descriptor = open(directory.appending(path: name).path, O_RDONLY)
                guard descriptor >= 0 else { continue }
                fsync(descriptor)
                posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
                close(descriptor)
            }
        #endif
    }
}

extension Driver {
    /// What one size of text costs: indexing it, and a keyword that most texts have somewhere.
    struct Scale: AsyncParsableCommand {
        @Argument var store: String
        @Argument var corpus: String
        @Argument(help: "Bytes of text.") var sizes: [Int]
        @Option var keyword = "hat"
        @Option var threads = 2

        func run() async throws {
            let directory = URL(fileURLWithPath: store)
            for size in sizes {
                try? TextIndex<Entry>.destroy(at: directory)
                let entries = try Corpus(path: corpus, byteLimit: size).entries
                let start = ContinuousClock.now
                let loaded = try Entry.openIndex(at: directory, threads: threads)
                let report = try await loaded.indexObjects(entries)
                try loaded.close()
                let time = seconds(ContinuousClock.now - start)
                let index = try Entry.openIndex(at: directory)
                await index.waitForMaintenance()
                var samples = Samples()
                var found = 0
                for _ in 0..<20 {
                    let (time, items) = try seconds { try index.searchResults(forKeyword: keyword) }
                    found = items.count
                    samples.append(time * 1e3)
                }
                try Figures.report(
                    "scale",
                    [
                        "threads": threads, "text_bytes": report.textByteCount,
                        "seconds": Figures.rounded(time, 4),
                        "search_ms": Figures.rounded(samples.percentile(0), 4), "hits": found,
                    ])
                try index.close()
            }
            try? TextIndex<Entry>.destroy(at: directory)
        }
    }
}
