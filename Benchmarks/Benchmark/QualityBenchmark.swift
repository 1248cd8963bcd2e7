import Foundation
import TextSearch

/// How well results are ordered, by collections of queries whose relevant documents are known.
///
/// A collection is a folder of `docs.jsonl` (id, title, body), `queries.tsv` (id, text) and
/// `qrels.tsv` (query, document, grade). Title and body are two strings. Every query is run twice:
/// as any of its words, and as query text of its words.
///
/// nDCG@10 has the grades as gains; MAP goes to the end of what is found; recall is that of the
/// first hundred. Queries without a relevant document are left out.
struct QualityBenchmark {
    private struct Setting {
        var name: String
        var stemming: Stemming
        var stopWords: StopWords
    }

    private struct Figures {
        var ndcg = 0.0
        var averagePrecision = 0.0
        var recall = 0.0
    }

    func run(_ folders: [String]) async throws {
        for folder in folders {
            let folder = URL(fileURLWithPath: folder)
            let corpus = try Corpus(path: folder.appending(path: "docs.jsonl").path)
            let queries = try Self.rows(folder.appending(path: "queries.tsv"))
            var judgements: [String: [String: Int]] = [:]
            for row in try Self.rows(folder.appending(path: "qrels.tsv")) where row.count > 2 {
                judgements[row[0], default: [:]][row[1]] = Int(row[2])
            }
            print("\(folder.lastPathComponent): \(corpus.entries.count) documents")
            print("  setting                                  nDCG@10    MAP  recall@100")
            for setting in Self.settings { try await run(setting, corpus, queries, judgements) }
        }
    }

    private static var settings: [Setting] {
        [
            Setting(name: "default", stemming: .none, stopWords: .english),
            Setting(name: "no stop words", stemming: .none, stopWords: .none),
            Setting(
                name: "stemmed English", stemming: .language(.english), stopWords: .english),
            Setting(
                name: "stemmed, no stop words", stemming: .language(.english), stopWords: .none),
        ]
    }

    private func run(
        _ setting: Setting, _ corpus: Corpus, _ queries: [[String]],
        _ judgements: [String: [String: Int]]
    ) async throws {
        let directory = URL(
            fileURLWithPath: NSTemporaryDirectory() + "textsearch-quality-\(UUID().uuidString)")
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.analysis = TextAnalysis(stemming: setting.stemming)
        configuration.stopWords = setting.stopWords
        Self.readParameters(&configuration.relevance)
        let index = try TextIndex<Entry>(at: directory, configuration: configuration)
        index.identifier = { Data($0.id.utf8) }
        index.indexer = { entry, _ in IndexedObject(strings: [entry.title, entry.body]) }
        try await index.indexObjects(corpus.entries)
        let kinds: [(String, (String) throws -> SearchResults<Entry>)] = [
            (
                "any of the words",
                {
                    let words = Self.words($0)
                    return try index.search(.any(of: words.map { .term($0) }), limit: .max)
                }
            ),
            ("query text", { try index.search($0, limit: .max) }),
        ]
        for (kind, search) in kinds {
            var total = Figures()
            var count = 0.0
            for row in queries where row.count > 1 {
                guard let relevant = judgements[row[0]], !relevant.isEmpty else { continue }
                let found = try search(row[1]).map {
                    String(decoding: $0.identifier, as: UTF8.self)
                }
                let figures = Self.figures(found, relevant)
                total.ndcg += figures.ndcg
                total.averagePrecision += figures.averagePrecision
                total.recall += figures.recall
                count += 1
            }
            let name = "\(setting.name), \(kind)".padding(
                toLength: 40, withPad: " ", startingAt: 0)
            print(
                "  \(name)"
                    + String(
                        format: "  %.4f  %.4f  %.4f", total.ndcg / count,
                        total.averagePrecision / count, total.recall / count))
        }
        try index.close()
        try TextIndex<Entry>.destroy(at: directory)
    }

    /// Parameters to try, from the environment: `K1=1.2 B=0.75 TITLE=2 TITLE_B=0.5`.
    private static func readParameters(_ parameters: inout BM25Parameters) {
        let environment = ProcessInfo.processInfo.environment.compactMapValues { Double($0) }
        if let k1 = environment["K1"] { parameters.k1 = k1 }
        if let b = environment["B"] { parameters.b = b }
        parameters.fieldWeights["title"] = environment["TITLE"]
        parameters.fieldB["title"] = environment["TITLE_B"]
    }

    private static func figures(_ found: [String], _ relevant: [String: Int]) -> Figures {
        func discounted(_ gains: some Sequence<Int>) -> Double {
            gains.prefix(10).enumerated().reduce(0) {
                $0 + Double($1.element) / log2(Double($1.offset) + 2)
            }
        }
        var figures = Figures()
        let ideal = discounted(relevant.values.sorted(by: >))
        if ideal > 0 { figures.ndcg = discounted(found.map { relevant[$0] ?? 0 }) / ideal }
        var hits = 0.0
        for (rank, id) in found.enumerated() where relevant[id] != nil {
            hits += 1
            figures.averagePrecision += hits / Double(rank + 1)
        }
        let count = Double(relevant.count)
        figures.averagePrecision /= count
        figures.recall = Double(found.prefix(100).count { relevant[$0] != nil }) / count
        return figures
    }

    /// The words of a query, without signs; a word that stands twice counts twice.
    private static func words(_ text: String) -> [String] {
        let isUnique = ProcessInfo.processInfo.environment["UNIQUE"] != nil
        var seen: Set<String> = []
        return text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { String($0) }
            .filter { !isUnique || seen.insert($0).inserted }
    }

    private static func rows(_ file: URL) throws -> [[String]] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
