import Foundation
import TextSearch

/// How fast text of several languages is cut and folded into terms, on one thread: a row a corpus.
struct AnalysisBenchmark {
    /// What to analyse with: its name in the table, and the analysis.
    private let analyses: [(name: String, analysis: TextAnalysis)] = [
        ("standard", .standard),
        ("symbols", TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true))),
        ("stems", TextAnalysis(stemming: .automatic)),
        ("code", .code),
    ]
    /// Each corpus is read over and over until so much has been analysed.
    private let bytesPerMeasurement = 60_000_000

    func run(_ paths: [String]) throws {
        print("MB/s of text on one thread, the best of 3:")
        print(
            "corpus".padded(24) + "MB".padded(8)
                + analyses.map { $0.name.padded(12) }.joined() + "words")
        for path in paths {
            let corpus = try Corpus(path: path)
            let texts = corpus.entries.flatMap { [$0.title, $0.body] }
            let bytes = corpus.byteCount
            guard bytes > 0 else { continue }
            let rounds = max(1, bytesPerMeasurement / bytes / 3)
            var row = URL(fileURLWithPath: path).lastPathComponent.padded(24)
            row += String(format: "%.1f", Double(bytes) / 1e6).padded(8)
            var words = 0
            for (_, analysis) in analyses {
                var best = Double.infinity
                for _ in 0..<3 {
                    let (time, found) = seconds { () -> Int in
                        var found = 0
                        for _ in 0..<rounds {
                            found = AnalysisCeiling.countWords(in: texts, analysis)
                        }
                        return found
                    }
                    best = min(best, time)
                    if words == 0 { words = found }
                }
                row += String(format: "%.0f", Double(bytes * rounds) / 1e6 / best).padded(12)
            }
            print(row + "\(words)")
        }
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
