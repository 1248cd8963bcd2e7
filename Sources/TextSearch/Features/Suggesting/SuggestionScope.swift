/// Which objects speak for suggestions, and where they are looked at.
struct SuggestionScope {
    let snapshot: Snapshot
    let strings: StringSelection
    /// Ascending; nil for all.
    let documents: [UInt32]?
    let values: ObjectValues
    /// Counts the memory of `documents`.
    private let share: MemoryShare

    /// How many objects speak for something, and for how much they count.
    struct Tally {
        var count = 0
        var value = 0.0

        @inline(__always)
        mutating func add(_ value: Double) {
            count += 1
            self.value += value
        }
    }

    /// Those that `filter` lets pass and that match all of `rest`; where none does, those that
    /// `filter` lets pass.
    init(
        _ rest: [Query], filter: Query?, in string: UInt32?, _ values: ObjectValues,
        _ evaluator: inout QueryEvaluator
    ) throws {
        snapshot = evaluator.snapshot
        strings = StringSelection(string)
        self.values = values
        share = MemoryShare(evaluator.clock)
        let passing = try filter.flatMap { try evaluator.evaluate(.filter($0), .documents) }
        let allowed = passing?.documents
        var wanted = allowed
        let query = Query.filter(.all(of: rest))
        let asked = string.map { Query.field(evaluator.fields[Int($0)], query) } ?? query
        if !rest.isEmpty, let found = try evaluator.evaluate(asked, .documents)?.documents {
            let both = allowed.map { Self.common($0, found) } ?? found
            if !both.isEmpty { wanted = both }
        }
        try share.grow(to: (wanted?.count ?? 0) * 4)
        documents = wanted
    }

    private static func common(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        QueryMatches(unscored: a).documents(in: b)
    }

    /// The documents that have a term, ascending.
    func documents(of term: [UInt8], _ terms: inout TermHits) throws -> [UInt32] {
        var found: [UInt32] = []
        let finder = CountFinder(.exact(term), in: strings, .documents)
        try finder.counts(&terms).withElements { counts in
            for count in counts
            where count.document != found.last && documents?.holds(count.document) ?? true {
                found.append(count.document)
            }
        }
        return found
    }

    /// What speaks for completing `last` to a word that the text has before it: objects in which it
    /// stands there again.
    ///
    /// That they have the word says nothing: they were looked for by it.
    func repeated(
        _ last: SuggestedText.Word, _ text: SuggestedText, in string: UInt32?,
        _ evaluator: inout QueryEvaluator
    ) throws -> [[UInt8]: Tally] {
        guard let before = text.finished.last(where: { !$0.isStopWord }) else { return [:] }
        let beginning = text.part(before.range.lowerBound..<last.range.lowerBound)
        var found: [[UInt8]: Tally] = [:]
        for word in text.finished
        where !word.isStopWord && word.term.starts(with: last.term) && found[word.term] == nil {
            let phrase = Query.filter(.phrase(beginning + word.text))
            let matches = try evaluator.evaluate(phrase, in: string, .documents)?.documents ?? []
            found[word.term] = tally(matches.filter { documents?.holds($0) ?? true })
        }
        return found
    }

    func tally(_ documents: some Sequence<UInt32>) -> Tally {
        documents.reduce(into: Tally()) { $0.add(values.value(of: $1)) }
    }
}

/// The best of what is found, the one with the greatest value first, and then in the order of their
/// terms.
struct BestTerms {
    private let limit: Int
    private(set) var found: [(term: [UInt8], tally: SuggestionScope.Tally)] = []

    init(limit: Int) { self.limit = max(limit, 0) }

    mutating func add(_ term: [UInt8], _ tally: SuggestionScope.Tally) {
        guard tally.count > 0, limit > 0 else { return }
        found.append((term, tally))
        // Room for more than are wanted, so that it is seldom sorted.
        if found.count / 2 >= max(limit, 128) { prune() }
    }

    mutating func prune() {
        found.sort { a, b in
            a.tally.value != b.tally.value
                ? a.tally.value > b.tally.value : a.term.lexicographicallyPrecedes(b.term)
        }
        if found.count > limit { found.removeSubrange(limit...) }
    }
}
