/// What a keyword asks for: its words, folded as text is.
struct KeywordQuery {
    /// One word, or one run of a script without spaces.
    enum Unit: Hashable {
        /// Matches inside words.
        case infix([UInt8])
        /// Overlapping bigrams in sequence; one character alone begins a bigram.
        case run([[UInt8]])
    }

    /// A part of the keyword as one of the index's analyses reads it: all units must match in the
    /// strings of that analysis.
    struct Alternative: Hashable {
        var units: [Unit]
        var strings: StringSelection
    }

    /// What must match: of each part of the keyword one of the alternatives.
    let parts: [[Alternative]]
    /// The keyword is empty: every object matches.
    let isEmpty: Bool
    let rule: TokenRule

    /// Whether it is one word or one run, which all strings read alike.
    var isOneUnit: Bool {
        parts.count == 1 && parts[0].count == 1 && parts[0][0].units.count == 1
    }

    /// Its only word, if it has no other and all strings read it alike.
    var loneWord: (pattern: TermPattern, strings: StringSelection)? {
        guard isOneUnit, case .infix(let bytes) = parts[0][0].units[0] else { return nil }
        return (.token(bytes, rule), parts[0][0].strings)
    }

    /// Throws `.limitExceeded` for a keyword that is too long or of too many words.
    init(
        _ keyword: String, analyzer: Analyzer, in string: UInt32? = nil,
        limits: QueryLimits = QueryLimits()
    ) throws {
        guard keyword.utf8.count <= limits.textLength else {
            throw TextIndexError(
                .limitExceeded,
                "The keyword has \(keyword.utf8.count) bytes; maximumTextLength is \(limits.textLength)."
            )
        }
        isEmpty = keyword.allSatisfy(\.isWhitespace)
        let fields = analyzer.analyses(of: string)
        var parts: [[Alternative]] = []
        if fields.count == 1 {
            let reading = Reading(keyword, analysis: fields[0].analysis)
            let units = reading.units.isEmpty ? reading.stopWords : reading.units
            parts = units.map { [Alternative(units: [$0], strings: fields[0].strings)] }
        } else {
            let texts = keyword.split(whereSeparator: \.isWhitespace).map(String.init)
            let readings = texts.map { text in
                fields.map { Reading(text, analysis: $0.analysis) }
            }
            parts = readings.map { Self.alternatives($0.map(\.units), fields.map(\.strings)) }
            if parts.allSatisfy(\.isEmpty) {
                parts = readings.map {
                    Self.alternatives($0.map(\.stopWords), fields.map(\.strings))
                }
            }
        }
        var known: Set<[Alternative]> = []
        self.parts = parts.filter { !$0.isEmpty && known.insert($0).inserted }
        let count = self.parts.reduce(0) { $0 + ($1.map(\.units.count).max() ?? 0) }
        guard count <= limits.clauses else {
            throw TextIndexError(
                .limitExceeded,
                "The keyword has \(count) different words; maximumClauses is \(limits.clauses).")
        }
        // A letter alone is no token, but beside other words it is one of the words that somebody
        // sees there: "T-shirt".
        rule = TokenRule(
            minimalLength: analyzer.minimalTokenLength, allowsWholeWords: count > 1)
    }

    /// The same reading in all strings is one.
    private static func alternatives(
        _ units: [[Unit]], _ strings: [StringSelection]
    ) -> [Alternative] {
        if let first = units.first, !first.isEmpty, units.allSatisfy({ $0 == first }) {
            return [Alternative(units: first, strings: .all)]
        }
        return zip(units, strings).compactMap { units, strings in
            units.isEmpty ? nil : Alternative(units: units, strings: strings)
        }
    }

    /// A text as one analysis reads it.
    private struct Reading {
        var units: [Unit] = []
        var stopWords: [Unit] = []

        init(_ text: String, analysis: FieldAnalyzer) {
            var terms = TermTable(slotBits: 4)
            let words = TextScanner.words(ofQuery: text, analysis, into: &terms)
            var run: [[UInt8]] = []
            var known: Set<Unit> = []
            func append(_ unit: Unit) {
                if known.insert(unit).inserted { units.append(unit) }
            }
            for (term, isBigram) in words {
                let bytes = terms.array(Int(term & ~TermTable.stopBit))
                if isBigram {
                    run.append(bytes)
                } else if let last = run.last {
                    // The last character of a run ends it; alone it says nothing that the bigrams
                    // do not, but for a sign behind it.
                    append(.run(last.hasSuffix(bytes) ? run : run + [bytes]))
                    run = []
                } else if analysis.cutsRuns, SpacelessScript.begins(bytes) {
                    append(.run([bytes]))
                } else if term & TermTable.stopBit != 0 || analysis.lowValueWords.contains(bytes) {
                    if known.insert(.infix(bytes)).inserted { stopWords.append(.infix(bytes)) }
                } else {
                    append(.infix(bytes))
                }
            }
            if !run.isEmpty { append(.run(run)) }
        }
    }
}
