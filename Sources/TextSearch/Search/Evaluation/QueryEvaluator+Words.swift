/// Words, and patterns of words.
extension QueryEvaluator {
    /// The hits of a pattern of terms, folded as each analysis does.
    mutating func pattern(
        _ node: Query.Node, in string: UInt32?
    ) throws -> QueryMatches? {
        if case .regularExpression(let text) = node {
            guard (try? RegularExpressionMatcher.check(text)) != nil else { return QueryMatches() }
            // To compile it takes as long as so many steps.
            if try terms.isCut(afterWork: RegularExpressionMatcher.compilationWork(text)) {
                return QueryMatches()
            }
        }
        let fields = analyzer.analyses(of: string)
        let runs = fields.map { RunPattern.words(of: node, $0.analysis) }
        if runs.contains(where: { $0 != nil }) {
            return try pattern(node, Array(zip(fields, runs)))
        }
        let words = words(of: node, fields, in: string)
        if words.isEmpty {
            hasEmptyPattern = true
            return nil
        }
        return try self.words(words)
    }

    /// What a pattern stands for in each analysis, folded as it does; what all fold alike is looked
    /// for once.
    private func words(
        of node: Query.Node, _ fields: [(analysis: FieldAnalyzer, strings: StringSelection)],
        in string: UInt32?
    ) -> [(pattern: TermPattern, strings: StringSelection)] {
        let isOne = Set(fields.map(\.analysis.folder.identity)).count == 1
        return (isOne ? fields.prefix(1) : fields[...]).compactMap { analysis, strings in
            Self.pattern(of: node, analysis.folder).map {
                ($0, isOne ? StringSelection(string) : strings)
            }
        }
    }

    /// The one pattern of terms that a prefix, infix, keyword or the like stands for; nil where it
    /// is more than one, a row of words, or nothing.
    func lonePattern(
        of node: Query.Node, in string: UInt32?
    ) throws -> (pattern: TermPattern, strings: StringSelection)? {
        switch node {
        case .prefix(""), .infix(""), .suffix(""), .fuzzy("", _, _): return nil
        case .prefix, .infix, .suffix, .part, .fuzzy, .wildcard, .regularExpression:
            let fields = analyzer.analyses(of: string)
            guard fields.allSatisfy({ !RunPattern.isRow(node, $0.analysis) }) else {
                return nil
            }
            let words = words(of: node, fields, in: string)
            return words.count == 1 ? words[0] : nil
        case .keyword(let text):
            return try KeywordQuery(text, analyzer: analyzer, in: string, limits: limits).loneWord
        default: return nil
        }
    }

    /// Patterns that count as one word, each in strings of its own.
    mutating func words(
        _ words: [(pattern: TermPattern, strings: StringSelection)]
    ) throws -> QueryMatches {
        if case .none = wanted {
            if words.count == 1 {
                if let found = try documents(of: words[0].pattern, in: words[0].strings) {
                    return found
                }
                if !needsScores, trace == nil, words[0].strings == .all,
                    !terms.needsFrequencies
                {
                    return QueryMatches(unscored: try terms.documents(of: words[0].pattern))
                }
                return try scored(words[0].pattern, in: words[0].strings)
            }
        }
        var found = FoundGroups(keepsHits: wanted.keepsHits, clock)
        for (pattern, strings) in words {
            if case .none = wanted {
                try found.append(try terms.counts(of: pattern, in: strings))
            } else {
                try found.append(
                    single: try terms.hits(of: pattern, in: strings, of: wanted.documents))
            }
        }
        return try scored(found)
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
        let share = try MemoryShare(clock, counts.byteCount)
        defer { withExtendedLifetime(share) {} }
        return try counts.withElements { try scored($0) }
    }

    /// What a word matches, block by block; nil where more is asked for, or less than all strings
    /// are looked in.
    private mutating func documents(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> QueryMatches? {
        guard case .exact(let term) = pattern, strings == .all, trace == nil else { return nil }
        let postings = try TermPostings(term, snapshot, store, &terms)
        let cursors = try PartCursors(
            [.term(.init(postings, scored: false))], snapshot, similarity, filter: nil, &exchange)
        var matches = QueryMatches()
        if clock.memory.hasRoom(for: postings.documentFrequency * 12) {
            matches.documents.reserveCapacity(postings.documentFrequency)
            matches.scores.reserveCapacity(postings.documentFrequency)
        }
        for place in snapshot.segments.indices {
            try matches.hold(by: clock)
            if try terms.isCut() { break }
            try cursors.appendAll(
                of: postings, place, scored: needsScores, clock, to: &matches)
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
        var groups = FoundGroups(keepsHits: wanted.keepsHits, clock)
        for ((analysis, strings), run) in readings {
            if let run { try addPhrase(run, slop: 0, in: strings, to: &groups) }
            // A tokenizer of the application's own may leave the signs of a pattern in a word.
            if RunPattern.words(ofRun: node, analysis) == nil,
                let pattern = Self.pattern(of: node, analysis.folder)
            {
                try groups.append(single: try terms.hits(of: pattern, in: strings))
            }
        }
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
        case .part(let text): return folded(text).map { .part($0) }
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
        return try keyword(query)
    }

    /// How many documents match every part of a keyword. Those of one word are not listed.
    mutating func count(_ query: KeywordQuery) throws -> Int {
        guard let (pattern, strings) = query.loneWord, strings == .all else {
            return try keyword(query).documents.count
        }
        return try terms.documentCount(of: pattern)
    }

    /// What matches every part of a keyword.
    mutating func keyword(_ query: KeywordQuery) throws -> QueryMatches {
        var result: QueryMatches?
        for part in query.parts {
            let found = try part.map { try keyword($0, query.rule) }
            let union = found.count == 1 ? found[0] : try QueryMatches.union(found, work)
            result = try result?.intersection(union, work) ?? union
            try result?.hold(by: clock)
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
                var groups = FoundGroups(keepsHits: wanted.keepsHits, clock)
                try addPhrase(words, slop: 0, in: alternative.strings, to: &groups)
                found = try scored(groups)
            }
            result = try result?.intersection(found, work) ?? found
            try result?.hold(by: clock)
        }
        return result ?? QueryMatches()
    }
}
