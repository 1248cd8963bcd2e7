/// Words, patterns of words, and words that stand together.
extension QueryEvaluator {
    /// The hits of a pattern of terms, folded as each analysis does.
    mutating func pattern(
        _ node: Query.Node, in string: UInt32?
    ) throws -> QueryMatches? {
        if case .regularExpression(let text) = node,
            (try? RegularExpressionMatcher.check(text)) == nil
        {
            return QueryMatches()
        }
        let fields = analyzer.analyses(of: string)
        let runs = fields.map { RunPattern.words(of: node, $0.analysis) }
        if runs.contains(where: { $0 != nil }) {
            return try pattern(node, Array(zip(fields, runs)))
        }
        // What all analyses fold alike is looked for once.
        let isOne = Set(fields.map(\.analysis.folder.identity)).count == 1
        var words: [(TermPattern, StringSelection)] = []
        for (analysis, strings) in isOne ? Array(fields.prefix(1)) : fields {
            guard let pattern = Self.pattern(of: node, analysis.folder) else { continue }
            words.append((pattern, isOne ? StringSelection(string) : strings))
        }
        if words.isEmpty {
            hasEmptyPattern = true
            return nil
        }
        return try self.words(words)
    }

    /// Patterns that count as one word, each in strings of its own.
    private mutating func words(
        _ words: [(pattern: TermPattern, strings: StringSelection)]
    ) throws -> QueryMatches {
        if case .none = wanted {
            if words.count == 1 {
                if let found = try documents(of: words[0].pattern, in: words[0].strings) {
                    return found
                }
                if !needsScores, trace == nil, words[0].strings == .all {
                    return QueryMatches(unscored: try terms.documents(of: words[0].pattern))
                }
                return try scored(words[0].pattern, in: words[0].strings)
            }
            var counts: [WordCount] = []
            for (pattern, strings) in words {
                try terms.counts(of: pattern, in: strings).withElements {
                    counts.append(contentsOf: $0)
                }
            }
            counts.sort { ($0.document, $0.string) < ($1.document, $1.string) }
            return try counts.withUnsafeBufferPointer { try scored($0) }
        }
        var hits: [Hit] = []
        for (pattern, strings) in words {
            hits += Array(try terms.hits(of: pattern, in: strings, of: wanted.documents))
        }
        if words.count > 1 { hits.sort(by: Hit.precedes) }
        return try scored(hits)
    }

    /// What a pattern matches, scored as one word.
    private mutating func scored(
        _ pattern: TermPattern, in strings: StringSelection
    ) throws -> QueryMatches {
        switch pattern {
        case .exact: break
        default:
            guard needsScores, trace == nil, terms.typed == nil else { break }
            return try scored(try terms.sums(of: pattern, in: strings))
        }
        let counts = try terms.counts(of: pattern, in: strings)
        return try counts.withElements { try scored($0) }
    }

    /// What a word matches, block by block; nil where more is asked for, or less than all strings are looked in.
    private mutating func documents(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> QueryMatches? {
        guard case .exact(let term) = pattern, strings == .all, trace == nil, exchange == nil
        else { return nil }
        let postings = try TermPostings(term, snapshot, store, &terms)
        let cursors = try PartCursors(
            [.term(.init(postings, scored: false))], snapshot, similarity)
        var matches = QueryMatches()
        matches.documents.reserveCapacity(postings.documentFrequency)
        matches.scores.reserveCapacity(postings.documentFrequency)
        for place in 0..<(snapshot.flushed.count + snapshot.memory.count) {
            if try terms.isCut() { break }
            try cursors.appendAll(of: postings, place, scored: needsScores, to: &matches)
        }
        return matches
    }

    /// The hits of a pattern that is words in a row where runs are cut into bigrams.
    private mutating func pattern(
        _ node: Query.Node,
        _ readings: [(
            (analysis: FieldAnalyzer, strings: StringSelection),
            [(offset: Int, pattern: TermPattern)]?
        )]
    ) throws -> QueryMatches {
        var groups: [[Hit]] = []
        for ((analysis, strings), run) in readings {
            if let run {
                groups += try sequence(run, slop: 0, in: strings)
            } else if let pattern = Self.pattern(of: node, analysis.folder) {
                groups += Array(try terms.hits(of: pattern, in: strings)).map { [$0] }
            }
        }
        if readings.count > 1 { groups.sort { Hit.precedes($0[0], $1[0]) } }
        return try scored(groups)
    }

    /// Nil for what folds to nothing.
    private static func pattern(of node: Query.Node, _ folder: Folder) -> TermPattern? {
        func folded(_ text: String) -> [UInt8]? {
            let bytes = Array(folder.fold(text).utf8)
            return bytes.isEmpty ? nil : bytes
        }
        switch node {
        case .prefix(let text): return folded(text).map { .prefix($0) }
        case .infix(let text): return folded(text).map { .infix($0) }
        case .suffix(let text): return folded(text).map { .suffix($0) }
        case .fuzzy(let text, let distance, let exactPrefix):
            guard folded(text) != nil else { return nil }
            return .fuzzy(
                FuzzyMatcher(folder.fold(text), distance: distance, exactPrefix: exactPrefix))
        case .wildcard(let text):
            let matcher = WildcardMatcher(text, folding: folder.fold)
            // What is left of signs alone would match every word.
            let hasText = WildcardWord(pattern: text).hasText
            return hasText && matcher.requiredTexts.isEmpty ? nil : .wildcard(matcher)
        case .regularExpression(let text):
            return (try? RegularExpressionMatcher(text, folding: folder.fold)).map {
                .regularExpression($0)
            }
        default: return nil
        }
    }

    mutating func keyword(_ text: String, in string: UInt32?) throws -> QueryMatches? {
        let query = try KeywordQuery(
            text, analyzer: analyzer, in: string, limits: limits)
        if query.isEmpty { return try allDocuments() }
        if query.parts.isEmpty { hasEmptyPattern = true }
        var result: QueryMatches?
        for part in query.parts {
            let found = try part.map { try keyword($0, query.rule) }
            let union = found.count == 1 ? found[0] : QueryMatches.union(found)
            result = result?.intersection(union) ?? union
        }
        return result ?? QueryMatches()
    }

    mutating func keyword(
        _ alternative: KeywordQuery.Alternative, _ rule: TokenRule
    ) throws -> QueryMatches {
        var result: QueryMatches?
        for unit in alternative.units {
            let found: QueryMatches
            switch unit {
            case .infix(let bytes):
                found = try words([(.token(bytes, rule), alternative.strings)])
            case .run(let bigrams):
                let words = bigrams.enumerated().map {
                    (offset: $0, pattern: TermPattern.prefix($1))
                }
                found = try scored(sequence(words, slop: 0, in: alternative.strings))
            }
            result = result?.intersection(found) ?? found
        }
        return result ?? QueryMatches()
    }

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
            let offsets = words.map(\.offset)
            let found = try hits(ofAll: words, in: strings)
            if case .none = wanted, readings.count == 1, words.count > 1,
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
    private mutating func sequence(
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
        // Positions are read of those documents alone that have all words.
        var documents = wanted.documents
        if words.count > 1 {
            if documents == nil, strings == .all,
                let common = try self.documents(ofAll: words.map(\.pattern))
            {
                documents = common
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

    /// The living documents that have all of some single terms, in whatever strings, ascending; nil where one of them may be several terms, or where they are
    /// many.
    ///
    /// Complexity: linear in the documents of the rarest, in each segment, and in the blocks of the others that may have one of them; linear in all documents of
    /// the terms in segments where some are dead, when a snapshot is asked first.
    private mutating func documents(ofAll patterns: [TermPattern]) throws -> [UInt32]? {
        let named = patterns.compactMap { pattern -> [UInt8]? in
            guard case .exact(let term) = pattern else { return nil }
            return term
        }
        guard named.count == patterns.count, named.count <= Self.mostParts else { return nil }
        var parts: [PartCursors.Part] = []
        for term in named {
            if try terms.isCut() { return [] }
            let postings = try TermPostings(term, snapshot, store, &terms)
            if postings.documentFrequency == 0 { return [] }
            parts.append(.term(.init(postings, scored: false)))
        }
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
                    if segment.isDead(relative) { continue }
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
        let outer = wanted
        defer { wanted = outer }
        var documents = outer.documents
        var asking: [Query] = []
        wanted = .none
        for part in parts {
            guard let found = try evaluate(part, in: string) else { continue }
            asking.append(part)
            documents = documents.map { found.documents(in: $0) } ?? found.documents
        }
        guard !asking.isEmpty else { return nil }
        wanted = .some(documents ?? [])
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
