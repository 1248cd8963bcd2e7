/// The best documents of a plan.
extension QueryPlan {
    /// The documents with the highest scores, raised by the factors. `countLimit` is how far
    /// documents are counted at the least.
    func best(
        count: Int, countLimit: Int, factors: DocumentFactors, _ evaluator: inout QueryEvaluator
    ) throws -> TopMatches {
        let before = factors.isEmpty ? nil : evaluator.exchange
        var best = try best(count: count, countLimit: countLimit, .scores, &evaluator)
        try raise(&best, by: factors, count, asking: before, &evaluator)
        if !hasAllParts { best.knowsAllWords = false }
        return best
    }

    /// Tells other indexes in how many documents each word is, in the order in which `best` asks;
    /// how many that is, for a word that stands alone.
    func tell(_ evaluator: inout QueryEvaluator) throws -> Int? {
        var frequencies: [Int] = []
        for part in parts {
            switch part {
            case .list: continue
            case .term(let bytes, _), .bonus(let bytes, _):
                let postings = try TermPostings(
                    bytes, evaluator.snapshot, evaluator.store, .scores, &evaluator.terms)
                frequencies.append(postings.documentFrequency)
                _ = evaluator.exchange?.frequency(postings.documentFrequency)
            }
        }
        return parts.count == 1 ? frequencies.first : nil
    }

    // MARK: Some documents

    /// Those of some documents that match, with their scores; both ascend.
    func matches(
        among documents: [UInt32], _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        QueryMatches(try entries(among: documents, needs, &evaluator))
    }

    /// The same in any order. What the documents themselves add to a sum is 0.
    func entries(
        among documents: [UInt32], _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> [TopHeap.Entry] {
        guard !documents.isEmpty else { return [] }
        let some = Part.list(QueryMatches(unscored: documents))
        guard combination == .any else {
            let required = parts.filter { !$0.isBonus }
            let plan = QueryPlan(required + [some] + parts[required.count...], .all)
            return try plan.best(count: documents.count, countLimit: 0, needs, &evaluator).entries
        }
        let found = try parts.map { part in
            let plan = QueryPlan([part, some], .all)
            return QueryMatches(
                try plan.best(count: documents.count, countLimit: 0, needs, &evaluator).entries)
        }
        let all = try QueryMatches.union(found, evaluator.work(needs))
        return zip(all.documents, all.scores).map { TopHeap.Entry(score: $1, document: $0) }
    }

    /// The best of few documents.
    private func best(
        _ count: Int, among documents: [UInt32], _ evaluator: inout QueryEvaluator
    ) throws -> TopMatches {
        var entries = try entries(among: documents, .scores, &evaluator)
        entries.sort { $1.isWorse(than: $0) }
        let found = entries.count
        entries.removeSubrange(min(count, found)...)
        return TopMatches(entries: entries, count: found, isExact: !evaluator.clock.isSpent)
    }

    /// Puts the documents that are raised where they belong among the best, which are `count` or
    /// all that match.
    ///
    /// A document that is not raised and is among the best after it was among them before, for what
    /// comes above it can only have become more. So those that are raised and were not among them
    /// are all that has to be looked at besides.
    private func raise(
        _ best: inout TopMatches, by factors: DocumentFactors, _ count: Int,
        asking before: StatisticsExchange?, _ evaluator: inout QueryEvaluator
    ) throws {
        guard !factors.isEmpty, !best.entries.isEmpty else { return }
        let known = Set(best.entries.map(\.document))
        let isCut = best.entries.count >= count
        func add(_ entries: [TopHeap.Entry]) {
            best.entries += entries.map {
                .init(score: factors.raised($0.score, of: $0.document), document: $0.document)
            }
            best.entries.sort { $1.isWorse(than: $0) }
            best.entries.removeSubrange(min(count, best.entries.count)...)
        }
        let first = best.entries
        best.entries = []
        add(first)
        guard isCut else { return }
        let others = factors.documents.filter { !known.contains($0) }
        let passing = filter?.documents(among: others) ?? others
        let exchange = evaluator.exchange
        for start in stride(from: 0, to: passing.count, by: Self.mostRaised) {
            let some = Array(passing[start..<min(start + Self.mostRaised, passing.count)])
            // The parts are asked for once more.
            evaluator.exchange = before
            add(try entries(among: some, .scores, &evaluator))
        }
        evaluator.exchange = exchange
    }

    /// So many documents that are raised are scored at a time: many may have a frequent phrase.
    private static let mostRaised = 1 << 16

    // MARK: All documents

    private func best(
        count: Int, countLimit: Int, _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> TopMatches {
        let before = filter == nil ? nil : evaluator.exchange
        let row = try parts.map { try Self.cursor(of: $0, needs, &evaluator) }
        var cursors = try PartCursors(
            row, evaluator.snapshot, evaluator.similarity, filter: filter, &evaluator.exchange)
        let frequencies = cursors.frequencies
        let isFew = filter?.isFew(beside: frequencies, combination) ?? false
        if let filter, isFew, combination == .any {
            // The parts are asked for once more.
            evaluator.exchange = before
            var best = try best(count, among: filter.documents, &evaluator)
            best.knowsAllWords = cursors.knowsAllWords
            return best
        }
        let known = combination == .any && filter == nil ? frequencies.max() ?? 0 : 0
        var top = TopDocuments(
            capacity: count, countLimit: known >= countLimit ? 0 : countLimit,
            clock: evaluator.clock, floor: evaluator.floor)
        try collect(&cursors, isFew: isFew, &top)
        let isSpent = evaluator.clock.isSpent
        var best = TopMatches(
            entries: top.heap.sorted, count: frequencies[0], isExact: !isSpent)
        if combination != .one || filter != nil {
            best.count = top.countsAll ? top.counted : max(top.counted, known)
            best.isExact = top.countsAll && !isSpent
        }
        best.knowsAllWords = cursors.knowsAllWords
        return best
    }

    /// Goes over the documents of all segments. `isFew`: the filter lets so few pass that they are
    /// looked up.
    private func collect(
        _ cursors: inout PartCursors, isFew: Bool, _ top: inout TopDocuments
    ) throws {
        switch combination {
        case .one where isFew, .all where isFew:
            var candidates = Candidates()
            try cursors.forEachSegment(needsAll: true) {
                try top.addFew(of: &$0, in: $1, &candidates)
            }
        case .one where filter == nil:
            try cursors.forEachSegment { try top.addAll(of: &$0[0], in: $1) }
        case .one: try cursors.forEachSegment { try top.addAllowed(of: &$0[0], in: $1) }
        case .any:
            var window = ScoreWindow()
            var union = UnionParts(capacity: parts.count)
            try cursors.forEachSegment { try top.addUnion(of: &$0, in: $1, &window, &union) }
        case .all:
            var candidates = Candidates()
            try cursors.forEachSegment(needsAll: true) {
                try top.addIntersection(of: &$0, in: $1, &candidates)
            }
        }
    }

    private static func cursor(
        of part: Part, _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> PartCursors.Part {
        switch part {
        case .list(let found): return .list(found)
        case .term(let bytes, let factors):
            return .term(try word(bytes, factors, needs, &evaluator))
        case .bonus(let bytes, let factors):
            return .bonus(try word(bytes, factors, needs, &evaluator))
        }
    }

    private static func word(
        _ bytes: [UInt8], _ factors: [Double], _ needs: MatchNeeds,
        _ evaluator: inout QueryEvaluator
    ) throws -> PartCursors.Term {
        let postings = try TermPostings(
            bytes, evaluator.snapshot, evaluator.store, needs, &evaluator.terms)
        return PartCursors.Term(
            postings, factors, scored: true,
            share: try MemoryShare(evaluator.clock, postings.byteCount))
    }
}

extension FilterSets {
    /// Whether so few documents pass that it takes less to ask parts of a query for each of them
    /// than to walk over the parts.
    fileprivate func isFew(
        beside frequencies: [Int], _ combination: QueryPlan.Combination
    ) -> Bool {
        let walked =
            combination == .all ? frequencies.min() ?? 0 : frequencies.reduce(0, +)
        return count < walked / 16
    }
}
