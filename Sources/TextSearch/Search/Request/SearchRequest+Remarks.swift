// Remarks on a query before and after it is run, and when it is read in another way.
extension SearchRequest {
    /// Reports what can find nothing in an index with these fields.
    mutating func remark(on fields: [String]) {
        guard !isRemarked else { return }
        isRemarked = true
        // Most often.
        if query.isOfWords { return }
        for query in QueryWalk(query) {
            switch query.node {
            case .regularExpression(let pattern):
                do throws(PatternError) {
                    try RegularExpressionMatcher.check(pattern)
                } catch {
                    append(
                        .invalidPattern,
                        "A regular expression matches nothing: \(error.message).")
                }
            case .field(let name, let part) where !fields.contains(name):
                // Only the innermost field is looked in.
                if case .field = part.node { continue }
                append(
                    .unknownField,
                    "The index has no field \"\(name)\": what is asked of it matches nothing.")
            default: break
            }
        }
    }

    /// Reports what the search left out for a limit.
    mutating func remark(on clock: SearchClock) {
        if clock.memory.isShort {
            append(
                .limitExceeded,
                "The search ended early: it may hold \(clock.memory.limit) bytes of memory "
                    + "(QueryLimits.memory).")
        }
        guard clock.hasTooManyTerms else { return }
        append(
            .limitExceeded,
            "A part of a word stands for more than \(clock.maximumExpansions) words "
                + "(maximumExpansions): those after them were not looked for.")
    }

    /// With those that are found when somebody asks.
    var allDiagnostics: QueryDiagnostics {
        var all = diagnostics
        for diagnostic in wordCheck?.diagnostics ?? [] { all.append(diagnostic) }
        return all
    }

    mutating func append(_ kind: QueryDiagnostic.Kind, _ message: String) {
        let diagnostic = QueryDiagnostic(kind: kind, utf8Range: 0..<0, message: message)
        // What was said of one page need not be said of the next.
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }

    /// Reports that the query has nothing that is indexed.
    mutating func remarkOnSigns() {
        append(.ignored, "The query has signs alone, which are not indexed: it finds nothing.")
    }

    // MARK: Other readings

    /// Has the stop words of a query that has nothing else found inside other words, and says so;
    /// false where it has none.
    mutating func lookInsideWords(_ analyzer: Analyzer) throws -> Bool {
        let keyword = query.requiredWords.joined(separator: " ")
        guard try !KeywordQuery(keyword, analyzer: analyzer).parts.isEmpty else { return false }
        query = query.normalized().replacingWords(by: .keyword(keyword))
        append(.onlyStopWords, "The query has only stop words; found inside other words.")
        return true
    }

    /// Takes any of the words for enough, and reports it.
    mutating func fallBack(on wider: Query) {
        query = wider
        append(.fellBackToAny, "No object has all words; these have some of them.")
    }

    /// Takes on another reading of the text, and reports it.
    mutating func read(as plain: PlainReading) {
        query = plain.query
        stepsTaken = .exact
        if plain.signs.contains(.minus) {
            diagnostics.removeAll(.minusExcludes)
            append(
                .minusReadAsText,
                "No object has the rest without what a minus excludes; these have all of it.")
        }
        if plain.signs.contains(.names) {
            append(
                .operatorReadAsText,
                "No object has the rest without what NOT excludes; these have all of it.")
        }
        if plain.signs.contains(.wildcards) {
            append(
                .wildcardReadAsText,
                "No object matches with * and ? as wildcards; these have them as signs of the text."
            )
        }
    }
}

extension QueryDiagnostic.Kind {
    /// No object matches without the words that a minus excludes, so the minus was read as text, as
    /// in pasted commands.
    public static let minusReadAsText = QueryDiagnostic.Kind(rawValue: "minusReadAsText")
    /// No object matches with `*` and `?` inside words as wildcards, so they were read as text, as
    /// in pasted addresses.
    public static let wildcardReadAsText = QueryDiagnostic.Kind(rawValue: "wildcardReadAsText")
    /// The query has only stop words, so they were searched inside other words.
    public static let onlyStopWords = QueryDiagnostic.Kind(rawValue: "onlyStopWords")
    /// No object matches all words, so objects that match any are returned.
    public static let fellBackToAny = QueryDiagnostic.Kind(rawValue: "fellBackToAny")
    /// No object matches a query text, and there is no other remark: each word is in the index, but
    /// not as the query wants them.
    public static let noMatch = QueryDiagnostic.Kind(rawValue: "noMatch")
    /// No object has a word of the query, nor one with its stem. ``QueryDiagnostic/suggestions``
    /// are the nearest words that some object has: at most five, by the number of edits, then by
    /// how many objects have them. The edits are as many as a search takes into account: none in
    /// words with digits or of fewer than four letters, one in fewer than eight letters, else two.
    /// Stop words are not suggested. A word that was found in another spelling, joined or split is
    /// not reported. Only the first eight unknown words of a query are.
    public static let unknownWord = QueryDiagnostic.Kind(rawValue: "unknownWord")
}
