/// Synonyms as one index compares them, and what they make of a query.
///
/// **Thread safety**: an immutable value.
struct SynonymTable: Sendable {
    /// Synonyms as one analysis reads them.
    struct Reading {
        let analysis: FieldAnalyzer
        /// What to look for besides, by the folded words of what is looked up.
        private(set) var targets: [[[UInt8]]: [String]] = [:]
        let longest: Int

        init(_ synonyms: Synonyms, _ analysis: FieldAnalyzer) {
            self.analysis = analysis
            for rule in synonyms.rules {
                for source in rule.sources {
                    let words = SynonymTable.words(of: source, analysis)
                    guard !words.isEmpty else { continue }
                    for target in rule.targets
                    where SynonymTable.words(of: target, analysis) != words
                        && !(targets[words]?.contains(target) ?? false)
                    {
                        targets[words, default: []].append(target)
                    }
                }
            }
            longest = targets.keys.reduce(0) { max($0, $1.count) }
        }
    }

    /// How what is expanded is read.
    var reading: Reading
    let fields: [String: Reading]
    let isEmpty: Bool

    /// `fields` have the numbers of their analyses; outside of fields queries are expanded as the
    /// first analysis reads them.
    init(_ synonyms: Synonyms, analyses: [FieldAnalyzer], fields: [(name: String, analysis: Int)]) {
        let readings = analyses.map { Reading(synonyms, $0) }
        reading = readings[0]
        isEmpty = readings.allSatisfy { $0.targets.isEmpty }
        self.fields =
            isEmpty
            ? [:]
            : Dictionary(fields.map { ($0.name, readings[$0.analysis]) }) { first, _ in first }
    }

    /// All words of a text, stop words too.
    static func words(of text: String, _ analysis: FieldAnalyzer) -> [[UInt8]] {
        var terms = TermTable(slotBits: 4)
        let words = TextScanner.words(ofQuery: text, analysis, into: &terms)
        return words.map { terms.array(Int($0.term & ~TermTable.stopBit)) }
    }
}
