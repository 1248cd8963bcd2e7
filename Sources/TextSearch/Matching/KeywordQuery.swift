/// What a keyword asks for: its words, folded as text is.
struct KeywordQuery {
    /// One word, or one run of a script without spaces.
    enum Unit: Hashable {
        /// Matches inside words.
        case infix([UInt8])
        /// Overlapping bigrams in sequence; one character alone begins a bigram.
        case run([[UInt8]])
    }

    let units: [Unit]
    /// The keyword is empty: every object matches.
    let isEmpty: Bool

    /// More different words than this are no keyword.
    static let largestCount = 1024

    /// Throws `.limitExceeded` for a keyword of too many words.
    init(_ keyword: String, analyzer: Analyzer) throws {
        var text = keyword
        isEmpty = text.allSatisfy(\.isWhitespace)
        var units: [(unit: Unit, isStopWord: Bool)] = []
        var run: [[UInt8]] = []
        var terms = TermTable(slotBits: 6)
        var scanner = TextScanner()
        var words: [(term: UInt32, isBigram: Bool)] = []
        text.withUTF8 {
            scanner.scan($0, analyzer: analyzer, into: &terms) { word, _ in
                words.append((word.term, word.isBigram))
            }
        }
        for (term, isBigram) in words {
            let bytes = terms.array(Int(term & ~TermTable.stopBit))
            if isBigram {
                run.append(bytes)
            } else if !run.isEmpty {
                // The last character of a run ends it; alone it says nothing that the bigrams do not.
                units.append((.run(run), false))
                run = []
            } else if SpacelessScript.begins(bytes) {
                units.append((.run([bytes]), false))
            } else {
                units.append((.infix(bytes), term & TermTable.stopBit != 0))
            }
        }
        if !run.isEmpty { units.append((.run(run), false)) }
        let wanted = units.contains { !$0.isStopWord } ? units.filter { !$0.isStopWord } : units
        var unique: [Unit] = []
        var known: Set<Unit> = []
        for (unit, _) in wanted where known.insert(unit).inserted { unique.append(unit) }
        guard unique.count <= Self.largestCount else {
            throw TextIndexError(
                .limitExceeded,
                "The keyword has \(unique.count) different words; \(Self.largestCount) are taken.")
        }
        self.units = unique
    }
}

extension TermTable {
    func array(_ term: Int) -> [UInt8] {
        bytes.withElements { Array($0[Int(starts[term])..<(Int(starts[term + 1]) - 1)]) }
    }
}
