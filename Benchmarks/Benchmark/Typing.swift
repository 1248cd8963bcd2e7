import ArgumentParser
import Foundation
import TextSearch

extension Driver {
    /// Types every query of a folder letter by letter, and compares each answer with that of a
    /// search.
    struct Typing: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "typing",
            abstract: "Types all queries of a folder, letter by letter: times of each keystroke.")
        @Argument var store: String
        @Argument var queries: String
        @Option(help: "Milliseconds for an answer; as long as it takes where there are none.")
        var time: Int?
        @Flag(help: "Compare the answers with those of searches.") var compare = false

        func run() throws {
            let index = try Entry.openIndex(at: URL(fileURLWithPath: store))
            let files = try FileManager.default.contentsOfDirectory(atPath: queries).sorted()
            let kinds = files.filter { $0.hasSuffix(".tsv") }.map {
                QueryKind(name: $0, file: String($0.dropLast(4))) { _, _ in 0 }
            }
            let texts = kinds.flatMap { $0.queries(in: URL(fileURLWithPath: queries)) }
            // The first pass knows nothing; what the second one does the first may have left.
            for pass in ["cold", "warm"] { try type(texts, index, pass) }
            try index.close()
        }

        private func type(_ texts: [String], _ index: TextIndex<Entry>, _ pass: String) throws {
            var options = TypingOptions()
            options.limit = 10
            let session = index.makeTypingSession(options)
            var times = Samples()
            var processor = Samples()
            var (count, incomplete, different) = (0, 0, 0)
            for text in texts {
                for length in 1...text.count {
                    let typed = String(text.prefix(length))
                    let start = ProcessFigures.threadSeconds
                    let (time, results) = try seconds {
                        try session.update(typed, within: self.time.map { .milliseconds($0) })
                    }
                    processor.append((ProcessFigures.threadSeconds - start) * 1e6)
                    times.append(time * 1e6)
                    count += 1
                    if !results.isComplete { incomplete += 1 }
                    if compare, try isDifferent(results, typed, index) { different += 1 }
                }
            }
            try Figures.report(
                "typing",
                [
                    "pass": pass, "texts": texts.count, "keystrokes": count,
                    "incomplete": incomplete, "different": different,
                    "p50_us": Figures.rounded(times.percentile(0.5)),
                    "p90_us": Figures.rounded(times.percentile(0.9)),
                    "p99_us": Figures.rounded(times.percentile(0.99)),
                    "max_us": Figures.rounded(times.percentile(1)),
                    "cpu_p50_us": Figures.rounded(processor.percentile(0.5)),
                    "cpu_p90_us": Figures.rounded(processor.percentile(0.9)),
                    "cpu_p99_us": Figures.rounded(processor.percentile(0.99)),
                    "cpu_max_us": Figures.rounded(processor.percentile(1)),
                ])
        }

        private func isDifferent(
            _ results: SearchResults<Entry>, _ text: String, _ index: TextIndex<Entry>
        ) throws -> Bool {
            var parser = index.queryParser
            parser.options.lastWordIsPrefix = true
            let plain = try index.search(text, limit: 10, parser: parser)
            return results.map(\.identifier) != plain.map(\.identifier)
                || results.map(\.score) != plain.map(\.score)
        }
    }
}
