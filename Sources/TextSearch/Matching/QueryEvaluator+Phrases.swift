/// Words that stand together.
extension QueryEvaluator {
    /// The words of a text one after the other; stop words leave gaps.
    mutating func phrase(
        _ text: String, slop: Int, lastIsPrefix: Bool, in string: UInt32?
    ) throws -> QueryMatches? {
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
        // Only stop words or signs: nothing to ask for.
        readings.removeAll { $0.words.words.isEmpty }
        guard !readings.isEmpty else { return nil }
        if readings.allSatisfy({ $0.words.words.count == 1 }) {
            return try words(readings.map { ($0.words.words[0].pattern, $0.strings) })
        }
        var groups: [[Hit]] = []
        for (words, strings) in readings {
            // No text holds a phrase of so many words that somebody looks for.
            guard words.words.count <= KeywordQuery.largestCount else { continue }
            let words = words.words.map { (offset: $0.position, pattern: $0.pattern) }
            if case .none = wanted, readings.count == 1, slop == 0,
                let counts = try rowCounts(words, in: strings)
            {
                return try counts.withElements { try scored($0) }
            }
            let offsets = words.map(\.offset)
            let found = try hits(ofAll: words, in: strings)
            if case .none = wanted, readings.count == 1,
                let starts = Proximity.rowStarts(found, offsets: offsets, slop: slop)
            {
                return try scored(starts)
            }
            groups += Self.groups(found, offsets, slop)
        }
        if readings.count > 1 { groups.sort { Hit.precedes($0[0], $1[0]) } }
        return try scored(groups)
    }

    /// The places where words stand one after the other, by document, then in text order.
    mutating func sequence(
        _ words: [(offset: Int, pattern: TermPattern)], slop: Int, in strings: StringSelection
    ) throws -> [[Hit]] {
        Self.groups(try hits(ofAll: words, in: strings), words.map(\.offset), slop)
    }

    private static func groups(_ found: [[Hit]], _ offsets: [Int], _ slop: Int) -> [[Hit]] {
        guard found.count > 1 else { return found.flatMap { $0.map { [$0] } } }
        return Proximity.phrases(found, offsets: offsets, slop: slop)
    }

    /// The hits of each of some words in the documents that have all of them.
    private mutating func hits(
        ofAll words: [(offset: Int, pattern: TermPattern)], in strings: StringSelection
    ) throws -> [[Hit]] {
        let outer = terms.needsFrequencies
        if case .all = wanted { terms.needsFrequencies = true }
        defer { terms.needsFrequencies = outer }
        // Positions are read of those documents alone that have all words.
        var documents = wanted.documents
        if words.count > 1 {
            if documents == nil, strings == .all,
                let all = try postings(ofAll: words.map(\.pattern))
            {
                documents = try self.documents(ofAll: all)
            } else {
                for word in words {
                    let counts = try terms.counts(of: word.pattern, in: strings)
                    documents = counts.withElements { $0.documents(in: documents) }
                    if documents?.isEmpty ?? true { break }
                }
            }
            if documents?.isEmpty ?? true { return words.map { _ in [] } }
        }
        return try words.map { word in
            Array(try terms.hits(of: word.pattern, in: strings, of: documents))
        }
    }

    /// How often words stand one after the other in each string, exactly as in a phrase; nil where one of them may be several terms, two share a place, or where they
    /// are many.
    ///
    /// Complexity: that of finding the documents that have all of them, and linear in the postings of their blocks. Segment by segment: when the time is over, what
    /// was found is right; nothing is, where it ends before the documents are known.
    private mutating func rowCounts(
        _ words: [(offset: Int, pattern: TermPattern)], in strings: StringSelection
    ) throws -> Buffer<WordCount>? {
        // The frequencies of these postings are those in all strings.
        guard words.count > 1, Set(words.map(\.offset)).count == words.count,
            strings == .all || !terms.needsFrequencies,
            let all = try postings(ofAll: words.map(\.pattern))
        else { return nil }
        var counts = Buffer<WordCount>()
        let documents = try self.documents(ofAll: all)
        guard !documents.isEmpty else { return counts }
        let order = all.indices.sorted {
            all[$0].postings.documentFrequency < all[$1].postings.documentFrequency
        }
        var rows = PhraseRows()
        for place in 0..<(snapshot.flushed.count + snapshot.memory.count) {
            var some = documents.part(in: snapshot.documents(ofPlace: place))
            rows.removeAll()
            for (number, word) in order.enumerated() where !some.isEmpty {
                if try terms.isCut() { return counts }
                let offset = words[word].offset
                try forEachRun(of: all[word], in: some, place, strings) {
                    if number == 0 {
                        rows.begin($0, $1, $2, offset: offset)
                    } else {
                        rows.goOn($0, $1, $2, offset: offset)
                    }
                }
                if number > 0 { rows.endWord() }
                if number + 1 < order.count { some = rows.documents()[...] }
            }
            rows.append(to: &counts)
        }
        return counts
    }

    /// Calls `body` with where a term stands in each string of some documents of a segment, in text order; flushed segments come first.
    private mutating func forEachRun(
        of term: (bytes: [UInt8], postings: TermPostings), in documents: ArraySlice<UInt32>,
        _ place: Int, _ strings: StringSelection,
        _ body: PostingsChunk.RunBody
    ) throws {
        if place < snapshot.flushed.count {
            guard let stored = term.postings.flushed[place] else { return }
            let segment = snapshot.flushed[place]
            let first = segment.manifest.firstDocument
            try terms.forEachRun(of: term.bytes, stored, segment, in: documents) {
                if strings.contains($1) { body(first &+ $0, $1, $2) }
            }
            return
        }
        let part = snapshot.memory[place - snapshot.flushed.count]
        terms.terms.forEach(of: .exact(term.bytes), in: part.segment) { number, _, _ in
            part.forEachOccurrence(of: number, in: strings, without: snapshot.dead) {
                document, string, occurrence in
                guard documents.holds(document) else { return }
                withUnsafePointer(to: occurrence.position) {
                    body(document, string, UnsafeBufferPointer(start: $0, count: 1))
                }
            }
        }
    }

    /// The postings of single terms; nil where one of them may be several terms, or where they are many.
    private mutating func postings(
        ofAll patterns: [TermPattern]
    ) throws -> [(bytes: [UInt8], postings: TermPostings)]? {
        guard patterns.count <= Self.mostParts else { return nil }
        let terms = patterns.compactMap { pattern -> [UInt8]? in
            guard case .exact(let term) = pattern else { return nil }
            return term
        }
        guard terms.count == patterns.count else { return nil }
        return try terms.map { ($0, try TermPostings($0, snapshot, store, &self.terms)) }
    }

    /// The living documents that have all of some single terms, in whatever strings, ascending.
    ///
    /// Complexity: linear in the documents of the rarest, in each segment, and in the blocks of the others that may have one of them; linear in all documents of
    /// the terms in segments where some are dead, when a snapshot is asked first.
    private mutating func documents(
        ofAll all: [(bytes: [UInt8], postings: TermPostings)]
    ) throws -> [UInt32] {
        if all.contains(where: { $0.postings.documentFrequency == 0 }) { return [] }
        let parts = all.map { PartCursors.Part.term(.init($0.postings, scored: false)) }
        var cursors = try PartCursors(parts, snapshot, similarity)
        var candidates = Candidates()
        var documents: [UInt32] = []
        try cursors.forEachSegment(needsAll: true) { some, segment in
            let order = some.byDocumentCount
            while !some[order[0]].isAtEnd {
                if try terms.isCut() { return }
                try some[order[0]].begin(&candidates)
                for other in order.dropFirst() where !candidates.isEmpty {
                    try some[other].restrict(&candidates)
                }
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
                some[order[0]].enterNextBlock()
            }
        }
        return documents
    }

    mutating func near(
        _ parts: [Query], _ within: Int, _ ordered: Bool, in string: UInt32?
    ) throws -> QueryMatches? {
        let (outer, neededFrequencies) = (wanted, terms.needsFrequencies)
        // The hits are of some documents alone; their terms are those of all.
        if case .all = outer { terms.needsFrequencies = true }
        defer { (wanted, terms.needsFrequencies) = (outer, neededFrequencies) }
        var documents = outer.documents
        var asking: [Query] = []
        wanted = .none
        for part in parts {
            guard let found = try evaluate(part, in: string) else { continue }
            asking.append(part)
            documents = documents.map { found.documents(in: $0) } ?? found.documents
        }
        guard !asking.isEmpty else { return nil }
        (wanted, terms.needsFrequencies) = (.some(documents ?? []), neededFrequencies)
        let hits = try asking.compactMap { try evaluate($0, in: string)?.hits }
        wanted = outer
        return try scored(Proximity.near(hits, within: within, ordered: ordered))
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
