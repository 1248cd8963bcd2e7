extension StemList {
    /// The stems of the terms of a segment being built that have postings: a stop word has none.
    ///
    /// Complexity: sorts the stems; linear in the words where terms have several stems.
    init(
        _ terms: borrowing TermTable, _ log: borrowing WordLog, _ strings: borrowing StringTable,
        _ documents: borrowing DocumentTable, _ analyzer: Analyzer,
        _ counts: borrowing Buffer<UInt32>
    ) {
        let stems = terms.stems
        guard !stems.isEmpty else {
            self.init()
            return
        }
        var dropped: Set<[UInt8]> = []
        for term in 0..<counts.count where counts[term] == 0 { dropped.insert(terms.array(term)) }
        let pairs =
            dropped.isEmpty ? stems.pairs : stems.pairs.filter { !dropped.contains($0.term) }
        guard stems.hasVariants || stems.hasSeveralReadings else {
            self.init(pairs.map { Stemmed(pair: $0) })
            return
        }
        var walk = StemOccurrences(stems, termCount: terms.count)
        walk.walk(log, strings, documents, analyzer)
        self.init(walk.stemmed())
    }

    /// Those of several segments as of one; documents of each come `offset` further on.
    ///
    /// Complexity: sorts the stems; a look-up for each in each of the segments that do not have it.
    init(merging parts: [(segment: MemorySegment, offset: UInt32)]) {
        let filled = parts.count { !$0.segment.stems.isEmpty }
        guard filled > 0 else {
            self.init()
            return
        }
        if parts.count == 1, parts[0].offset == 0 {
            self = parts[0].segment.stems
            return
        }
        var all: [StemPair: [(part: Int, documents: [UInt32]?)]] = [:]
        for (number, part) in parts.enumerated() {
            part.segment.stems.forEach { all[$0.pair, default: []].append((number, $0.documents)) }
        }
        self.init(
            all.map { pair, holders in
                let isWhole =
                    holders.allSatisfy { $0.documents == nil }
                    && (holders.count == parts.count
                        || !parts.indices.contains { number in
                            Self.has(pair.term, in: parts[number].segment)
                                && !holders.contains { $0.part == number }
                        })
                if isWhole { return Stemmed(pair: pair) }
                let documents = holders.flatMap { holder in
                    let (segment, offset) = parts[holder.part]
                    let own = holder.documents ?? Self.documents(of: pair.term, in: segment)
                    return own.map { $0 + offset }
                }
                return Stemmed(pair: pair, documents: documents)
            })
    }

    private static func has(_ term: [UInt8], in segment: MemorySegment) -> Bool {
        term.withUnsafeBufferPointer { segment.terms.place(of: $0).isFound }
    }

    /// The documents that have a term, ascending.
    private static func documents(of term: [UInt8], in segment: MemorySegment) -> [UInt32] {
        let (number, isFound) = term.withUnsafeBufferPointer { segment.terms.place(of: $0) }
        guard isFound else { return [] }
        var documents: [UInt32] = []
        segment.terms.withOccurrences(of: number) { occurrences in
            for occurrence in occurrences {
                let document = segment.place(ofString: occurrence.string).document
                if documents.last != document { documents.append(document) }
            }
        }
        return documents
    }
}

/// Which documents have a term with which stem, of the words of a segment being built.
private struct StemOccurrences {
    private let stems: StemLog
    /// The documents of each pair of `stems`, ascending, and its term.
    private var ofPairs: [(term: UInt32, documents: [UInt32])]
    /// In how many documents each term is, and the last of them.
    private var ofTerms: [(last: UInt32, count: UInt32)]

    init(_ stems: StemLog, termCount: Int) {
        self.stems = stems
        ofPairs = Array(repeating: (0, []), count: stems.pairs.count)
        ofTerms = Array(repeating: (.max, 0), count: termCount)
    }

    mutating func walk(
        _ log: borrowing WordLog, _ strings: borrowing StringTable,
        _ documents: borrowing DocumentTable, _ analyzer: Analyzer
    ) {
        var (variant, alternative, alternativeVariant) = (0, 0, 0)
        for string in 0..<strings.count {
            let isLast = string + 1 == strings.count
            let end = isLast ? log.words.count : Int(strings.firstWord[string + 1])
            let document = strings.document[string]
            let analysis = analyzer.analysisNumber(ofString: Int(strings.index[string]))
            let language = documents.language(of: Int(document))
            for word in Int(strings.firstWord[string])..<end {
                let number = Self.variant(at: word, log.variants, &variant)
                if log.words[word] != SegmentBuilder.dropped {
                    add(log.words[word], number, document, analysis, language)
                }
                while alternative < log.alternatives.count,
                    Int(log.alternatives[alternative].word) == word
                {
                    let number = Self.variant(
                        at: alternative, log.alternativeVariants, &alternativeVariant)
                    add(log.alternatives[alternative].term, number, document, analysis, language)
                    alternative += 1
                }
            }
        }
    }

    private static func variant(
        at place: Int, _ variants: [WordLog.Variant], _ next: inout Int
    ) -> UInt32 {
        guard next < variants.count, variants[next].place == place else { return 0 }
        next += 1
        return variants[next - 1].variant
    }

    private mutating func add(
        _ term: UInt32, _ variant: UInt32, _ document: UInt32, _ analysis: Int, _ language: UInt8
    ) {
        if ofTerms[Int(term)].last != document {
            ofTerms[Int(term)] = (document, ofTerms[Int(term)].count + 1)
        }
        guard let pair = stems.pair(of: Int(term), variant: variant, analysis, language) else {
            return
        }
        ofPairs[pair].term = term
        if ofPairs[pair].documents.last != document { ofPairs[pair].documents.append(document) }
    }

    /// What was found; a stem that all documents of a term have needs no list of them.
    func stemmed() -> [StemList.Stemmed] {
        var documents: [StemPair: [UInt32]] = [:]
        var counts: [StemPair: UInt32] = [:]
        for (pair, found) in zip(stems.pairs, ofPairs) where !found.documents.isEmpty {
            documents[pair, default: []] += found.documents
            counts[pair] = ofTerms[Int(found.term)].count
        }
        return documents.map { pair, documents in
            let own = Set(documents)
            return own.count == counts[pair].map(Int.init)
                ? StemList.Stemmed(pair: pair)
                : StemList.Stemmed(pair: pair, documents: own.sorted())
        }
    }
}
