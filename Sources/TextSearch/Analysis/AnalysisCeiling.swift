/// What analysis reaches on its own, for the benchmark to set indexing beside.
package enum AnalysisCeiling {
    /// Cuts and folds all texts into one table of terms, and keeps nothing else.
    package static func countWords(in texts: [String]) -> Int {
        let analysis = Analyzer(TextIndexConfiguration()).analyses[0]
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
