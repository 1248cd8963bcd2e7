/// Patterns of words: prefixes, parts of words, typing errors, wildcards and regular expressions.
struct PatternScorer: QueryScorer {
    let node: Query.Node
    let string: UInt32?

    private typealias Reading = (analysis: FieldAnalyzer, strings: StringSelection)

    /// The hits of the terms that the pattern, folded as each analysis does, stands for.
    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        if case .regularExpression(let text) = node {
            guard (try? RegularExpressionMatcher.check(text)) != nil else { return QueryMatches() }
            // To compile it takes as long as so many steps.
            let work = RegularExpressionMatcher.compilationWork(text)
            if try evaluator.terms.isCut(needs, afterWork: work) { return QueryMatches() }
        }
        let fields = evaluator.analyzer.analyses(of: string)
        let runs = fields.map { RunPattern.words(of: node, $0.analysis) }
        if runs.contains(where: { $0 != nil }) {
            return try matches(of: Array(zip(fields, runs)), needs, &evaluator)
        }
        let words = words(fields)
        if words.isEmpty {
            evaluator.hasEmptyPattern = true
            return nil
        }
        return try WordScorer(words: words).found(needs, &evaluator)
    }

    /// The one pattern of terms that it stands for; nil where it is more than one, a row of words,
    /// or nothing.
    func lone(_ analyzer: Analyzer) -> (pattern: TermPattern, strings: StringSelection)? {
        switch node {
        case .prefix(""), .infix(""), .suffix(""), .fuzzy("", _, _): return nil
        case .prefix, .infix, .suffix, .part, .fuzzy, .wildcard, .regularExpression:
            let fields = analyzer.analyses(of: string)
            guard fields.allSatisfy({ !RunPattern.isRow(node, $0.analysis) }) else { return nil }
            let words = words(fields)
            return words.count == 1 ? words[0] : nil
        default: return nil
        }
    }

    /// What the pattern stands for in each analysis, folded as it does; what all fold alike is
    /// looked for once.
    private func words(
        _ fields: [Reading]
    ) -> [(pattern: TermPattern, strings: StringSelection)] {
        let isOne = Set(fields.map(\.analysis.folder.identity)).count == 1
        return (isOne ? fields.prefix(1) : fields[...]).compactMap { analysis, strings in
            pattern(analysis.folder).map {
                ($0, isOne ? StringSelection(string) : strings)
            }
        }
    }

    /// The hits where runs are cut into bigrams, and the pattern is words in a row.
    private func matches(
        of readings: [(Reading, [(offset: Int, pattern: TermPattern)]?)],
        _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        var groups = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
        for ((analysis, strings), run) in readings {
            if let run {
                try PhraseHitFinder(run, slop: 0, in: strings, needs).add(to: &groups, &evaluator)
            }
            // A tokenizer of the application's own may leave the signs of a pattern in a word.
            if RunPattern.words(ofRun: node, analysis) == nil,
                let pattern = pattern(analysis.folder)
            {
                let finder = HitFinder(pattern, in: strings, needs)
                try groups.append(single: try finder.hits(&evaluator.terms))
            }
        }
        return try evaluator.scored(groups, needs)
    }

    /// Nil for what folds to nothing.
    private func pattern(_ folder: Folder) -> TermPattern? {
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
}
