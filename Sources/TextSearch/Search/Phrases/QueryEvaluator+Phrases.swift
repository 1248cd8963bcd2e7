/// Words that occur one after the other.
extension QueryEvaluator {
    /// The words of a text one after the other; stop words leave gaps.
    mutating func phrase(
        _ text: String, slop: Int, lastIsPrefix: Bool, in string: UInt32?
    ) throws -> QueryMatches? {
        let readings = readings(of: text, lastIsPrefix: lastIsPrefix, in: string)
        guard !readings.isEmpty else { return nil }
        if readings.allSatisfy({ $0.words.words.count == 1 }) {
            return try words(readings.map { ($0.words.words[0].pattern, $0.strings) })
        }
        var found = FoundGroups(keepsHits: wanted.keepsHits, clock)
        for (words, strings) in readings {
            let words = words.words.map { (offset: $0.position, pattern: $0.pattern) }
            try addPhrase(words, slop: slop, in: strings, to: &found)
        }
        return try scored(found)
    }

    /// What the analyses of the strings make of a text; none of them where it has only stop words
    /// or signs, and asks for nothing.
    func readings(
        of text: String, lastIsPrefix: Bool, in string: UInt32?
    ) -> [(words: QueryWords, strings: StringSelection)] {
        var readings: [(words: QueryWords, strings: StringSelection)] = []
        for (analysis, strings) in analyzer.analyses(of: string) {
            var words = QueryWords(text, analysis: analysis)
            if lastIsPrefix { words.makeLastPrefix() }
            readings.append((words, strings))
        }
        // What all analyses read alike is looked for once.
        if let first = readings.first, readings.allSatisfy({ $0.words == first.words }) {
            readings = [(first.words, StringSelection(string))]
        }
        readings.removeAll { $0.words.words.isEmpty }
        return readings
    }

    /// Adds the places where words occur one after the other.
    mutating func addPhrase(
        _ words: [(offset: Int, pattern: TermPattern)], slop: Int, in strings: StringSelection,
        to found: inout FoundGroups
    ) throws {
        let phrase = PhraseWords(words)
        if case .none = wanted, slop == 0, phrase.haveOwnPlaces, found.isWanted == nil,
            let counts = try rowCounts(phrase, in: strings)
        {
            return try found.append(counts)
        }
        let outer = terms.needsFrequencies
        if case .all = wanted { terms.needsFrequencies = true }
        defer { terms.needsFrequencies = outer }
        if words.count == 1 {
            let hits = try terms.hits(of: words[0].pattern, in: strings, of: wanted.documents)
            return try found.append(single: hits)
        }
        let documents = try documents(of: phrase, in: strings)
        let share = try MemoryShare(clock, documents.capacity * 4)
        defer { withExtendedLifetime(share) {} }
        // To look for the terms of a prefix takes longer than to read those of a word.
        let least = phrase.patterns.contains(where: \.isOpen) ? documents.count / 16 : 1
        var slices = DocumentSlices(documents, least: least)
        while let slice = slices.nextSlice() {
            if try terms.isCut() { return }
            slices.adapt(to: try addPhrase(phrase, slop, strings, slice, to: &found))
        }
    }

    /// Those in some documents; how many hits were read.
    private mutating func addPhrase(
        _ phrase: PhraseWords, _ slop: Int, _ strings: StringSelection,
        _ documents: ArraySlice<UInt32>, to found: inout FoundGroups
    ) throws -> Int {
        var lists: [[Hit]] = []
        let share = MemoryShare(clock)
        var hitCount = 0
        var some = Array(documents)
        for pattern in phrase.patterns {
            let found = try terms.hits(of: pattern, in: strings, of: some)
            hitCount += found.count
            try share.grow(to: hitCount * MemoryLayout<Hit>.stride)
            // Both are there for a moment.
            let own = try MemoryShare(clock, found.byteCount)
            let hits = Array(found)
            withExtendedLifetime(own) {}
            // What lacks a word is not looked at for the others.
            some = hits.documents
            if some.isEmpty { return hitCount }
            lists.append(hits)
        }
        try TermHits.cut(terms.needsAll) {
            try Proximity(lists, words: phrase.words, clock)
                .phrases(offsets: phrase.offsets, slop: slop) { try found.append($0) }
        }
        return hitCount
    }

    /// The documents, of those that are wanted, that have all words of a phrase, in whatever order;
    /// some may lack them where they are many.
    private mutating func documents(
        of phrase: PhraseWords, in strings: StringSelection
    ) throws -> [UInt32] {
        if let documents = wanted.documents { return documents }
        if strings == .all || !terms.needsFrequencies, let all = try postings(ofAll: phrase) {
            return try documents(ofAll: all.terms)
        }
        var documents: [UInt32]?
        for pattern in phrase.patterns {
            let counts = try terms.counts(of: pattern, in: strings)
            let share = try MemoryShare(clock, counts.byteCount)
            documents = counts.withElements { $0.documents(in: documents) }
            withExtendedLifetime(share) {}
            if documents?.isEmpty ?? true { break }
        }
        return documents ?? []
    }

    // MARK: Rows of terms

    /// How often words occur one after the other in each string, exactly as in a phrase; nil where
    /// one of them may be several terms.
    ///
    /// Complexity: that of finding the documents that have all of them, and linear in the postings
    /// of their blocks, slice by slice of the documents. When the time is over, what was found is
    /// right; nothing is, where it ends before the documents are known.
    private mutating func rowCounts(
        _ phrase: PhraseWords, in strings: StringSelection
    ) throws -> Buffer<WordCount>? {
        // The frequencies of these postings are those in all strings.
        guard phrase.words.count > 1, strings == .all || !terms.needsFrequencies,
            let all = try postings(ofAll: phrase)
        else { return nil }
        var counts = Buffer<WordCount>()
        let documents = try self.documents(ofAll: all.terms)
        guard !documents.isEmpty else { return counts }
        let share = try MemoryShare(clock, documents.capacity * 4)
        let order = phrase.words.indices.sorted {
            all.terms[phrase.words[$0]].postings.documentFrequency
                < all.terms[phrase.words[$1]].postings.documentFrequency
        }
        for (place, segment) in snapshot.segments.enumerated() {
            let some = Array(documents.part(in: segment.documents))
            var slices = DocumentSlices(some, size: 1 << 10, most: 1 << 14)
            while let slice = slices.nextSlice() {
                guard
                    let found = try addRows(
                        phrase, all.terms, order, slice, place, strings, to: &counts)
                else { return counts }
                slices.adapt(to: found / 4)
                try share.grow(to: documents.capacity * 4 + counts.byteCount)
            }
        }
        return counts
    }

    /// Those in some documents of a segment; how many places of the first word were looked at, and
    /// nil when the time is over.
    private mutating func addRows(
        _ phrase: PhraseWords, _ all: [(bytes: [UInt8], postings: TermPostings)], _ order: [Int],
        _ documents: ArraySlice<UInt32>, _ place: Int, _ strings: StringSelection,
        to counts: inout Buffer<WordCount>
    ) throws -> Int? {
        var rows = PhraseRows()
        let share = MemoryShare(clock)
        var some = documents
        var firstCount = 0
        for (number, word) in order.enumerated() where !some.isEmpty {
            if try terms.isCut() { return nil }
            let offset = phrase.offsets[word]
            try TermHits.cut(terms.needsAll) {
                try forEachRun(of: all[phrase.words[word]], in: some, place, strings) {
                    if number == 0 {
                        rows.begin($0, $1, $2, offset: offset)
                    } else {
                        rows.goOn($0, $1, $2, offset: offset)
                    }
                } endBlock: {
                    try share.grow(to: rows.byteCount)
                }
            }
            if number > 0 { rows.endWord() } else { firstCount = rows.count }
            try share.grow(to: rows.byteCount)
            if number + 1 < order.count { some = rows.documents()[...] }
        }
        // What the last word was not looked for in was left out.
        rows.append(to: &counts)
        return try terms.isCut() ? nil : firstCount
    }

    /// Calls `body` with where a term occurs in each string of some documents of a segment, in text
    /// order; flushed segments come first.
    private mutating func forEachRun(
        of term: (bytes: [UInt8], postings: TermPostings), in documents: ArraySlice<UInt32>,
        _ place: Int, _ strings: StringSelection,
        _ body: PostingsChunk.RunBody, endBlock: () throws -> Void
    ) throws {
        switch snapshot.segments[place] {
        case .flushed(let segment):
            guard let stored = term.postings.stored(in: place) else { return }
            let first = segment.manifest.firstDocument
            try terms.forEachRun(of: term.bytes, stored, segment, in: documents) {
                if strings.contains($1) { body(first &+ $0, $1, $2) }
            } endBlock: {
                try endBlock()
            }
        case .memory(let placed):
            try terms.terms.forEach(of: .exact(term.bytes), in: placed.segment) { number, _, _, _ in
                try placed.forEachOccurrence(of: number, in: strings, without: snapshot.dead) {
                    try endBlock()
                    try clock.work(PostingsChunk.pieceSize / 16)
                } _: { document, string, occurrence in
                    guard documents.holds(document) else { return }
                    withUnsafePointer(to: occurrence.position) {
                        body(document, string, UnsafeBufferPointer(start: $0, count: 1))
                    }
                }
            }
        }
    }

    /// The postings of the distinct words of a phrase; nil where one of them may be several terms.
    private mutating func postings(
        ofAll phrase: PhraseWords
    ) throws -> (terms: [(bytes: [UInt8], postings: TermPostings)], share: MemoryShare)? {
        guard let terms = phrase.terms else { return nil }
        let share = MemoryShare(clock)
        var byteCount = 0
        var all: [(bytes: [UInt8], postings: TermPostings)] = []
        for term in terms {
            if try self.terms.isCut() { return ([], share) }
            let postings = try TermPostings(term, snapshot, store, &self.terms)
            byteCount += postings.byteCount
            try share.grow(to: byteCount)
            all.append((term, postings))
        }
        return (all, share)
    }

    /// The living documents that have all of some single terms, in whatever strings, ascending; of
    /// many terms the rarest are asked for.
    ///
    /// Complexity: linear in the documents of the rarest, in each segment, and in the blocks of the
    /// others that may have one of them; linear in all documents of the terms in segments where
    /// some are dead, when a snapshot is asked first.
    private mutating func documents(
        ofAll all: [(bytes: [UInt8], postings: TermPostings)]
    ) throws -> [UInt32] {
        if all.contains(where: { $0.postings.documentFrequency == 0 }) { return [] }
        let rarest =
            all.count <= Self.mostParts
            ? all[...]
            : all.sorted { $0.postings.documentFrequency < $1.postings.documentFrequency }
                .prefix(Self.mostParts)
        let parts = rarest.map { PartCursors.Part.term(.init($0.postings, scored: false)) }
        var cursors = try PartCursors(parts, snapshot, similarity)
        var candidates = Candidates()
        var documents: [UInt32] = []
        let share = MemoryShare(clock)
        try cursors.forEachSegment(needsAll: true) { some, segment in
            let order = some.byDocumentCount
            while !some[order[0]].isAtEnd {
                if try terms.isCut() { return }
                try some[order[0]].begin(&candidates)
                for other in order.dropFirst() where !candidates.isEmpty {
                    try some[other].restrict(&candidates)
                    if clock.isOver(afterWork: 128) { break }
                }
                if clock.isSpent { continue }
                for place in 0..<candidates.count {
                    let relative = candidates.document(place)
                    if segment.leavesOut(relative) { continue }
                    let document = segment.firstDocument &+ relative
                    // Who reads the positions counts on it.
                    if let last = documents.last, last >= document {
                        throw TextIndexError.corrupted("postings of a term")
                    }
                    documents.append(document)
                }
                try share.grow(to: documents.capacity * 4)
                some[order[0]].enterNextBlock()
            }
        }
        return documents
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
