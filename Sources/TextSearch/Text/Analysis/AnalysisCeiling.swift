/// What analysis reaches on its own, for the benchmark to set indexing beside.
package enum AnalysisCeiling {
    /// Cuts and folds all texts into terms, and keeps nothing else.
    package static func countWords(
        in texts: [String], _ analysis: TextAnalysis = .standard
    ) -> Int {
        var configuration = TextIndexConfiguration()
        configuration.analysis = analysis
        let analysis = Analyzer(configuration).analyses[0]
        var scanner = TextScanner()
        var words = 0
        var terms = TermTable(slotBits: 16)
        for var text in texts {
            // The size at which indexing begins a new segment.
            if terms.bytes.count > 1 << 18 { terms = TermTable(slotBits: 16) }
            text.withUTF8 {
                scanner.scan($0, analysis: analysis, into: &terms) { _, _ in words += 1 }
            }
        }
        return words
    }
}
