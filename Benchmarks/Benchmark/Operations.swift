import ArgumentParser
import Foundation
import TextSearch

/// Measures named operations on a generated corpus: times for people; with `Benchmarks/Probe`
/// preloaded, counts for gates.
struct Operations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures named operations on a seeded, generated corpus.",
        discussion: Operation.all.map { operation in
            operation.name.padding(toLength: 20, withPad: " ", startingAt: 0) + operation.summary
        }.joined(separator: "\n") + "\n" + FollowingComparison.help)

    @Argument(
        help:
            "Names of operations; where there are none all but those with an index of their own (facets)."
    )
    var names: [String] = []
    @Option(help: "Megabytes of text.") var size = 4
    @Option(help: "Runs, of which the medians are given.") var runs = 5
    @Option(help: "How often an operation is done in a run; its own number where 0.") var count = 0
    @Option(help: "A folder for the indexes; what is in it is used again.") var directory: String?
    @Option(help: "Rows of the table that follow-… operations use.") var rows = 100_000
    @Flag(help: "Print JSON lines.") var json = false
    @Flag(help: "Only make the index.") var prepare = false

    func validate() throws {
        guard 1...1_000_000 ~= size, runs > 0, count >= 0, 1_000...10_000_000 ~= rows else {
            throw ValidationError(
                "--size: 1 to 1,000,000; --runs: 1 or more; --count: 0 or more; --rows: 1,000 or more."
            )
        }
    }

    func run() async throws {
        if names.contains(where: FollowingComparison.isName) {
            guard names.allSatisfy(FollowingComparison.isName) else {
                throw ValidationError("Operations that follow are run apart from others.")
            }
            return try await FollowingComparison.run(names, rowCount: rows, directory, json: json)
        }
        let chosen = Operation.all.filter {
            names.isEmpty ? $0.prepare == nil : names.contains($0.name)
        }
        guard names.allSatisfy({ name in chosen.contains { $0.name == name } }) else {
            throw ValidationError("An operation of that name does not exist; --help lists them.")
        }
        let folder = URL(
            fileURLWithPath: directory
                ?? NSTemporaryDirectory() + "textsearch-operations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { if directory == nil { try? FileManager.default.removeItem(at: folder) } }
        let corpus = GeneratedCorpus(byteCount: size * 1_000_000)
        let fresh = folder.appending(path: "fresh.textindex")
        try await prepare(corpus, fresh)
        if prepare { return }
        for operation in chosen {
            // Each operation begins with the index as it was made.
            let copy = folder.appending(path: "copy.textindex")
            try? TextIndex<Entry>.destroy(at: copy)
            var results: [OperationFigures] = []
            for _ in 0..<runs {
                try FileManager.default.copyItem(at: fresh, to: copy)
                results.append(try await measure(operation, corpus, copy))
                try TextIndex<Entry>.destroy(at: copy)
            }
            try report(operation, results)
        }
    }

    private func prepare(_ corpus: GeneratedCorpus, _ directory: URL) async throws {
        let bench = try await Workbench(corpus, directory: directory)
        try bench.index.close()
        let part = Double(fileBytes(directory)) / Double(corpus.byteCount)
        let figures = ["index_per_text": Figures.rounded(part, 4)]
        if json {
            try Figures.report("corpus", figures)
        } else {
            print(
                "\(corpus.entries.count) objects, \(corpus.byteCount) bytes of text, index",
                String(format: "%.3f of the text", part))
        }
    }

    private func measure(
        _ operation: Operation, _ corpus: GeneratedCorpus, _ directory: URL
    ) async throws -> OperationFigures {
        let bench = try await Workbench(corpus, directory: directory)
        let count = self.count > 0 ? self.count : operation.count
        let isSearch = operation.count > 1 && !operation.name.hasPrefix("index")
        // What a first search does once, for all that follow.
        if isSearch { _ = try await bench.index.search("warm", limit: 1) }
        try await operation.prepare?(bench)
        bench.queries = operation.query.map { query in (0..<count).map { query(bench, $0) } } ?? []
        var figures = OperationFigures()
        var samples = Samples()
        let probe = Probe()
        let (allocations, blocks) = (probe?.allocations ?? 0, probe?.blocks ?? 0)
        let written = ProcessFigures.writtenBytes
        probe?.begin()
        for number in 0..<count {
            let start = ContinuousClock.now
            try await operation.run(bench, number)
            samples.append(seconds(ContinuousClock.now - start) * 1e6)
        }
        probe?.end(operation.name)
        if let probe {
            figures.allocations = Double(probe.allocations - allocations) / Double(count)
            figures.blocks = Double(probe.blocks - blocks) / Double(count)
        }
        // Only now: it reads the lists into the caches.
        figures.listBlocks = try listBlocks(operation, bench, count)
        figures.p50 = samples.percentile(0.5)
        figures.p99 = samples.percentile(0.99)
        figures.written = Double(ProcessFigures.writtenBytes - written) / Double(count)
        if let bytes = operation.textBytes?(bench) {
            figures.writtenPerText = figures.written / Double(bytes)
            figures.speed = Double(bytes) / figures.p50
        }
        try bench.index.close()
        return figures
    }

    /// About how many blocks the lists of a search's words have, by the mean; nil where they are
    /// not all that it has to do with.
    private func listBlocks(_ operation: Operation, _ bench: Workbench, _ count: Int) throws
        -> Double?
    {
        guard let words = operation.words else { return nil }
        var blocks = 0
        for word in (0..<count).flatMap({ words(bench, $0) }) {
            var count = 0
            for _ in try bench.index.identifiers(for: .term(word)) { count += 1 }
            blocks += (count + 127) / 128
        }
        return Double(blocks) / Double(count)
    }

    private func report(_ operation: Operation, _ results: [OperationFigures]) throws {
        func median(_ value: (OperationFigures) -> Double) -> Double {
            var samples = Samples()
            for result in results { samples.append(value(result)) }
            return Figures.rounded(samples.percentile(0.5), 3)
        }
        let hasText = operation.textBytes != nil
        var figures: [String: Any] = [
            "name": operation.name, "p50_us": median { $0.p50 }, "p99_us": median { $0.p99 },
            "written": median { $0.written },
        ]
        if hasText {
            figures["written_per_text"] = median { $0.writtenPerText }
            figures["mb_s"] = median { $0.speed }
        }
        if Probe() != nil {
            figures["allocations"] = median { $0.allocations }
            figures["blocks"] = median { $0.blocks }
        }
        if let blocks = results.first?.listBlocks { figures["list_blocks"] = blocks }
        if json { return try Figures.report("operation", figures) }
        let name = operation.name.padding(toLength: 20, withPad: " ", startingAt: 0)
        var line =
            name + String(format: "%11.1f µs  p99 %11.1f", median { $0.p50 }, median { $0.p99 })
        if hasText { line += String(format: "  %.1f MB/s", median { $0.speed }) }
        if Probe() != nil {
            line += String(
                format: "  %.1f allocations, %.2f blocks", median { $0.allocations },
                median { $0.blocks })
        }
        print(line + "  " + operation.summary)
    }
}

/// What one run of an operation took; times in microseconds, counts for each time that it was done.
struct OperationFigures {
    var p50 = 0.0
    var p99 = 0.0
    var speed = 0.0
    var written = 0.0
    var writtenPerText = 0.0
    var allocations = 0.0
    var blocks = 0.0
    var listBlocks: Double?
}
