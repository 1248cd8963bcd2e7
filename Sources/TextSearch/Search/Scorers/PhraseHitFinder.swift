/// Finds where words stand one after the other in some strings.
struct PhraseHitFinder {
    private let phrase: PhraseWords
    /// In so many documents, or fewer, all words of a phrase are looked for at once.
    private static let fewDocuments = 256

    private let slop: Int
    private let strings: StringSelection
    private var needs: MatchNeeds

    init(
        _ words: [(offset: Int, pattern: TermPattern)], slop: Int, in strings: StringSelection,
        _ needs: MatchNeeds
    ) {
        phrase = PhraseWords(words)
        self.slop = slop
        self.strings = strings
        self.needs = needs
        // The terms of all hits are counted, which are found slice by slice of the documents.
        if case .all = needs.hits { self.needs.frequencies = true }
    }

    /// Adds the places of all documents of the index, or of those whose hits are wanted.
    func add(to found: inout FoundGroups, _ evaluator: inout QueryEvaluator) throws {
        if case .none = needs.hits, slop == 0, phrase.haveOwnPlaces, found.isWanted == nil,
            let counts = try PhraseRowFinder(phrase: phrase, strings: strings, needs: needs)
                .counts(&evaluator)
        {
            return try found.append(counts)
        }
        if phrase.words.count == 1 {
            let finder = HitFinder(
                phrase.patterns[0], in: strings, of: needs.hits.documents, needs)
            return try found.append(single: try finder.hits(&evaluator.terms))
        }
        let documents = try documents(&evaluator)
        let share = try MemoryShare(evaluator.clock, documents.capacity * 4)
        defer { withExtendedLifetime(share) {} }
        // To look for the terms of a prefix takes longer than to read those of a word.
        let least = phrase.patterns.contains(where: \.isOpen) ? documents.count / 16 : 1
        var slices = DocumentSlices(documents, least: least)
        while let slice = slices.nextSlice() {
            if try evaluator.terms.isCut(needs) { return }
            slices.adapt(to: try add(slice, to: &found, &evaluator))
        }
    }

    /// Those in some documents; how many hits were read.
    private func add(
        _ documents: ArraySlice<UInt32>, to found: inout FoundGroups,
        _ evaluator: inout QueryEvaluator
    ) throws -> Int {
        var lists: [[Hit]] = []
        let share = MemoryShare(evaluator.clock)
        var hitCount = 0
        var some = Array(documents)
        for pattern in phrase.patterns {
            let finder = HitFinder(pattern, in: strings, of: some, needs)
            let found = try finder.hits(&evaluator.terms)
            hitCount += found.count
            try share.grow(to: hitCount * MemoryLayout<Hit>.stride)
            // Both are there for a moment.
            let own = try MemoryShare(evaluator.clock, found.byteCount)
            let hits = Array(found)
            withExtendedLifetime(own) {}
            // What lacks a word is not looked at for the others.
            some = hits.documents
            if some.isEmpty { return hitCount }
            lists.append(hits)
        }
        try TermHits.cut(needs) {
            try Proximity(lists, words: phrase.words, evaluator.clock)
                .phrases(offsets: phrase.offsets, slop: slop) { try found.append($0) }
        }
        return hitCount
    }

    /// The documents, of those that are wanted, that have all words of the phrase, in whatever
    /// order; some may lack them where they are many.
    private func documents(_ evaluator: inout QueryEvaluator) throws -> [UInt32] {
        if let documents = needs.hits.documents { return documents }
        if strings == .all || !needs.frequencies,
            let all = try PhrasePostings(phrase, needs, &evaluator)
        {
            return try all.documents(needs, &evaluator)
        }
        var documents: [UInt32]?
        var patterns = phrase.patterns
        if strings == .all, !needs.frequencies, let finished = phrase.finished,
            let all = try PhrasePostings(finished, needs, &evaluator)
        {
            let found = try all.documents(needs, &evaluator)
            // The terms of a prefix are looked for in few documents anyhow.
            if found.count <= Self.fewDocuments { return found }
            documents = found
            patterns.removeAll { if case .exact = $0 { true } else { false } }
        }
        for pattern in patterns {
            let finder = CountFinder(pattern, in: strings, needs)
            let counts = try finder.counts(&evaluator.terms)
            let share = try MemoryShare(evaluator.clock, counts.byteCount)
            documents = counts.withElements { $0.documents(in: documents) }
            withExtendedLifetime(share) {}
            if documents?.isEmpty ?? true { break }
        }
        return documents ?? []
    }
}

extension [Hit] {
    /// The documents of sorted hits, ascending.
    fileprivate var documents: [UInt32] {
        var documents: [UInt32] = []
        for hit in self where hit.document != documents.last { documents.append(hit.document) }
        return documents
    }
}

extension UnsafeBufferPointer where Element == WordCount {
    /// The documents of sorted counts, those of `others` alone if there are some.
    fileprivate func documents(in others: [UInt32]?) -> [UInt32] {
        var documents: [UInt32] = []
        var place = 0
        for count in self where count.document != documents.last {
            if let others {
                while place < others.count, others[place] < count.document { place += 1 }
                guard place < others.count, others[place] == count.document else { continue }
            }
            documents.append(count.document)
        }
        return documents
    }
}
