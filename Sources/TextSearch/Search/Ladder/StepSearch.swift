/// Finds what the queries of a ladder's steps match beyond what is found already.
///
/// Which documents they match is found first, part after part until nothing new is
/// left; what a part matches is found once for all steps. Only what is new is scored, exactly as
/// `QueryEvaluator.evaluate(_:_:)` scores it.
struct StepSearch {
    /// What a word or a pattern matches.
    struct Found {
        var documents: SnapshotDocuments
        var count: Int
        /// The pattern that is looked for, and the terms of flushed segments that it stands for,
        /// where they are of use.
        var terms: (pattern: TermPattern, strings: StringSelection, found: FoundTerms)?
    }

    /// What was found by the steps so far.
    private var known: SnapshotDocuments
    private let none: SnapshotDocuments
    private var parts: [QueryPartKey: Found?] = [:]
    /// Those that have words close together, of what was found by them.
    private(set) var close: [Closeness.Entry] = []
    private let needs: MatchNeeds
    private let memory: MemoryShare
    private let share: Int
    private let fewest: Int

    /// If more than one in `share` of the documents of a part are new, all of it are scored. So are
    /// all that a step finds if they are no more than `fewest`.
    ///
    /// Nil where the matches are asked for with their hits, and where most numbers between the
    /// first and the last document are those of none.
    init?(
        _ evaluator: borrowing QueryEvaluator, _ needs: MatchNeeds, found: [UInt32],
        share: Int = 8, fewest: Int = 100
    ) throws {
        guard case .none = needs.hits,
            let first = evaluator.snapshot.segments.first?.documents,
            let last = evaluator.snapshot.segments.last?.documents
        else { return nil }
        let span = first.lowerBound..<max(last.upperBound, first.upperBound)
        guard span.count / 256 <= evaluator.snapshot.count + 256 else { return nil }
        self.needs = needs
        none = SnapshotDocuments(of: span)
        known = none
        known.insert(contentsOf: found)
        memory = try MemoryShare(evaluator.clock, 2 * none.greatestByteCount)
        self.share = share
        self.fewest = fewest
    }

    /// What a query matches that nothing before it does, with its scores; nil where it asks for
    /// nothing, or matches more than `most`, what is known included.
    ///
    /// If only so many of the `best` are wanted and more match, the others may have the score
    /// -infinity. Those that have `words` close together will have their scores raised.
    mutating func matches(
        _ query: Query, most: Int, best: Int?, words: Closeness? = nil,
        _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        let query = evaluator.analyzer.synonyms.expand(query)
        let within = most < .max ? nil : known
        guard var new = try documents(query, in: nil, beyond: within, &evaluator) else {
            return nil
        }
        if most < .max {
            guard new.count <= most else { return nil }
            new.subtract(known)
        }
        known.formUnion(new)
        let documents = new.documents
        guard needs.scores, !documents.isEmpty else { return QueryMatches(unscored: documents) }
        var factors = DocumentFactors.none
        if let words {
            close = try words.documents(beside: evaluator, among: documents)
            factors = factors.adding(close: close)
        }
        guard let best, documents.count > max(best, fewest),
            let plan = try StepBest(query, parts, &evaluator)
        else { return try scored(documents, query, &evaluator) }
        return try plan.scores(best, of: documents, factors, evaluator.work(needs)) {
            try scored($0, query, &evaluator)
        }
    }

    /// The scores of documents that a query matches.
    private func scored(
        _ documents: [UInt32], _ query: Query, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        var needs = needs
        needs.selection = selection(documents)
        return try evaluator.evaluate(query, in: nil, needs)?.only(documents) ?? QueryMatches()
    }

    /// Some ascending documents, with what is known of the parts of queries.
    func selection(_ documents: [UInt32]) -> Selection {
        Selection(documents: documents, parts: parts, share: share)
    }

    // MARK: Documents

    /// The documents that a query matches; at least those that are not known already, where some
    /// are left out. Nil where it asks for nothing.
    private mutating func documents(
        _ query: Query, in string: UInt32?, beyond known: SnapshotDocuments? = nil,
        _ evaluator: inout QueryEvaluator
    ) throws -> SnapshotDocuments? {
        if try evaluator.terms.isCut(.documents) { return none }
        if query.onlyFilters {
            return try part(query, in: string, &evaluator)?.documents.without(known)
        }
        switch query.node {
        case .any(let parts): return try union(of: parts, in: string, beyond: known, &evaluator)
        case .atLeast(let count, let parts) where count > 0:
            return try atLeast(count, of: parts, in: string, &evaluator)?.without(known)
        case .all(let parts) where parts.contains { !$0.isBonus && !$0.isRestriction }:
            return try intersection(of: parts, in: string, beyond: known, &evaluator)
        case .boost(let part, _):
            return try documents(part, in: string, beyond: known, &evaluator)
        case .field(let name, let part):
            if case .field = part.node {
                return try documents(part, in: string, beyond: known, &evaluator)
            }
            guard let index = evaluator.fields.firstIndex(of: name) else { return none }
            return try documents(part, in: UInt32(index), beyond: known, &evaluator)
        default: return try part(query, in: string, &evaluator)?.documents.without(known)
        }
    }

    private mutating func union(
        of queries: [Query], in string: UInt32?, beyond known: SnapshotDocuments?,
        _ evaluator: inout QueryEvaluator
    ) throws -> SnapshotDocuments? {
        var union: SnapshotDocuments?
        for query in queries {
            guard let found = try documents(query, in: string, &evaluator) else { continue }
            if union == nil { union = found } else { union?.formUnion(found) }
        }
        if let known { union?.subtract(known) }
        return union ?? (queries.isEmpty ? none : nil)
    }

    /// What restricts comes last, and not at all where nothing is left.
    private mutating func intersection(
        of queries: [Query], in string: UInt32?, beyond known: SnapshotDocuments?,
        _ evaluator: inout QueryEvaluator
    ) throws -> SnapshotDocuments? {
        var left: SnapshotDocuments?
        let required = queries.filter { !$0.isBonus && !$0.isRestriction }
        let restrictions = queries.filter { !$0.isBonus && $0.isRestriction }
        for query in required + restrictions {
            if left?.isEmpty ?? false { break }
            guard
                let found = try documents(
                    query, in: string, beyond: left == nil ? known : nil, &evaluator)
            else { continue }
            if left == nil { left = found } else { left?.formIntersection(found) }
        }
        return left
    }

    /// What asks for nothing is not missed, as in `QueryEvaluator`.
    private mutating func atLeast(
        _ count: Int, of queries: [Query], in string: UInt32?, _ evaluator: inout QueryEvaluator
    ) throws -> SnapshotDocuments? {
        guard count <= queries.count else { return none }
        var sets: [SnapshotDocuments] = []
        for query in queries {
            if let found = try documents(query, in: string, &evaluator) { sets.append(found) }
        }
        guard !sets.isEmpty else { return nil }
        let least = min(count, sets.count)
        // The documents of one part at least, of two, and so on.
        var counted = [SnapshotDocuments](repeating: none, count: least)
        for found in sets {
            for number in stride(from: least - 1, to: 0, by: -1) {
                var both = counted[number - 1]
                both.formIntersection(found)
                counted[number].formUnion(both)
            }
            counted[0].formUnion(found)
        }
        return counted[least - 1]
    }

    /// What a word, a pattern or another part that is not looked into matches.
    private mutating func part(
        _ query: Query, in string: UInt32?, _ evaluator: inout QueryEvaluator
    ) throws -> Found? {
        let key = QueryPartKey(node: query.node, string: string)
        if let known = parts[key] { return known }
        let found = try find(query, in: string, &evaluator)
        guard !evaluator.clock.isSpent else { return found }
        try memory.grow(
            to: memory.bytes + (found?.documents.byteCount ?? 0)
                + (found?.terms?.found.byteCount ?? 0))
        parts[key] = .some(found)
        return found
    }

    /// Looks for the parts of a query that were not needed to know what it matches. In how many
    /// documents they are counts for the scores of other indexes.
    mutating func findAllParts(
        of query: Query, in string: UInt32? = nil, _ evaluator: inout QueryEvaluator
    ) throws {
        // Words that only add to scores are looked up among what is scored.
        if query.onlyFilters || query.isBonus { return }
        switch query.node {
        case .any(let parts), .all(let parts), .atLeast(_, let parts), .none(let parts):
            for query in parts { try findAllParts(of: query, in: string, &evaluator) }
        case .boost(let part, _): try findAllParts(of: part, in: string, &evaluator)
        case .field(let name, let part):
            if case .field = part.node {
                return try findAllParts(of: part, in: string, &evaluator)
            }
            guard let index = evaluator.fields.firstIndex(of: name) else { return }
            try findAllParts(of: part, in: UInt32(index), &evaluator)
        case .term, .phrase, .near, .prefix, .infix, .suffix, .part, .fuzzy, .wildcard,
            .regularExpression:
            _ = try part(query, in: string, &evaluator)
        default: break
        }
    }

    private func find(
        _ query: Query, in string: UInt32?, _ evaluator: inout QueryEvaluator
    ) throws -> Found? {
        if let (pattern, strings) = try evaluator.lonePattern(of: query.node, in: string),
            !pattern.isPrefix
        {
            return try find(query, in: string, pattern, strings, &evaluator)
        }
        guard let matches = try evaluator.evaluate(query, in: string, .documents) else {
            return nil
        }
        var documents = none
        documents.insert(contentsOf: matches.documents)
        return Found(documents: documents, count: matches.documents.count)
    }

    /// What a pattern matches, which may be known of a search before in the same state of the
    /// index.
    private func find(
        _ query: Query, in string: UInt32?, _ pattern: TermPattern, _ strings: StringSelection,
        _ evaluator: inout QueryEvaluator
    ) throws -> Found {
        let recent = evaluator.snapshot.caches?.words.patterns
        let limit = evaluator.clock.maximumExpansions
        let key = query.node.patternName.map {
            RecentWords.Key(
                evaluator.snapshot, "\(string.map { "\($0)" } ?? "all") \(limit) \($0)")
        }
        if let key, let known = recent?.value(for: key) {
            return Found(
                documents: known.documents, count: known.count,
                terms: (pattern, strings, known.terms))
        }
        let (documents, terms) = try evaluator.terms.found(
            of: pattern, in: strings, none, .documents)
        let count = documents.count
        // A part of it would not do.
        if let key, let terms, !evaluator.clock.isSpent {
            recent?.insert(
                RecentWords.Pattern(documents: documents, count: count, terms: terms), for: key,
                byteCount: key.byteCount + documents.byteCount + terms.byteCount)
        }
        return Found(
            documents: documents, count: count, terms: terms.map { (pattern, strings, $0) })
    }
}

extension Query.Node {
    /// What tells a pattern from all others; nil for what is none.
    fileprivate var patternName: String? {
        switch self {
        case .infix(let text): "infix \(text)"
        case .suffix(let text): "suffix \(text)"
        case .part(let text): "part \(text)"
        case .fuzzy(let text, let distance, let exactPrefix):
            "fuzzy \(distance) \(exactPrefix) \(text)"
        case .wildcard(let text): "wildcard \(text)"
        default: nil
        }
    }
}

extension TermPattern {
    /// Whether it is a prefix: its words are added up without being gone through one by one.
    fileprivate var isPrefix: Bool {
        if case .prefix = self { true } else { false }
    }
}

extension SnapshotDocuments {
    fileprivate func without(_ known: SnapshotDocuments?) -> SnapshotDocuments {
        guard let known else { return self }
        var left = self
        left.subtract(known)
        return left
    }
}

/// Documents that alone are scored.
struct Selection {
    /// Ascending.
    let documents: [UInt32]
    /// What is known of the parts of the query.
    var parts: [QueryPartKey: StepSearch.Found?] = [:]
    /// See `StepSearch`.
    var share = 8

    /// What a word, a pattern or the like matches of the selected documents, with the scores that
    /// it gives all it matches; nil where nothing is gained over scoring all.
    func matches(
        _ key: QueryPartKey, _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        let count: Int
        var some = documents
        switch parts[key] {
        case .some(.some(let found)):
            some = documents.filter { found.documents.contains($0) }
            count = found.count
            if some.isEmpty { break }
            guard let (pattern, strings, terms) = found.terms else { break }
            let sums = try evaluator.terms.sums(
                of: pattern, terms, in: strings,
                among: documents.count * share < count ? some : nil, needs)
            return try evaluator.scored(sums, documentFrequency: count, needs).only(some)
        case .some(.none): return nil
        case .none:
            // A word that only adds to scores is not looked for before. Other searches look for it
            // among what they found.
            guard evaluator.tells(needs), key.string == nil,
                let frequency = try evaluator.documentFrequency(of: Query(key.node))
            else { return nil }
            count = frequency
        }
        if some.isEmpty {
            if evaluator.tells(needs) { _ = evaluator.exchange?.frequency(count) }
            return QueryMatches()
        }
        guard documents.count * share < count, key.string == nil,
            let plan = QueryPlan(word: Query(key.node), evaluator.analyzer)
        else { return nil }
        return try plan.matches(among: some, needs, &evaluator)
    }
}
