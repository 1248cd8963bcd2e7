import Foundation

/// Finds words to take instead of those that no object has, all at once.
struct CorrectionFinder {
    let scope: SuggestionScope
    let errors: TypingErrors
    let limit: Int

    /// Only so many words are corrected; each takes a look at the whole vocabulary.
    static let mostWords = 4
    /// Of each so many are counted, those of the least cost.
    static let mostCounted = 256
    /// Of each so many are tried together with others.
    static let mostTried = 8
    /// So many combinations are gone on with.
    private static let mostTogether = 64
    /// What an error takes of the score.
    static let penalty = 0.02

    private struct Candidate {
        var term: [UInt8]
        var cost: Double
        var documents: [UInt32]
    }

    /// Words in place of others, in their order.
    struct Correction {
        /// Nil for a word that nothing is near to, which stays.
        var terms: [[UInt8]?] = []
        var cost = 0.0
        var tally = SuggestionScope.Tally()
        fileprivate var documents: [UInt32]?

        var score: Double { tally.value * pow(CorrectionFinder.penalty, cost) }
    }

    /// The best corrections of words.
    func corrections(
        of words: [[UInt8]], _ unknown: borrowing UnknownWords, _ terms: inout TermHits
    ) throws -> [Correction] {
        guard !words.isEmpty, limit > 0 else { return [] }
        var together = [Correction()]
        for word in words {
            // A single word needs no others.
            let most = words.count == 1 ? Self.mostTogether : Self.mostTried
            let candidates = try candidates(word, most, unknown, &terms)
            if candidates.isEmpty {
                for place in together.indices { together[place].terms.append(nil) }
                continue
            }
            var next: [Correction] = []
            let share = MemoryShare(terms.clock)
            for some in together {
                for candidate in candidates {
                    let work = candidate.documents.count + (some.documents?.count ?? 0)
                    if terms.clock.isOver(afterWork: work) { throw SearchEnded() }
                    if let more = join(some, candidate) {
                        try share.grow(to: share.bytes + (more.documents?.count ?? 0) * 4)
                        next.append(more)
                    }
                }
            }
            together = Self.best(next, Self.mostTogether)
        }
        let isCorrected = together.first?.terms.contains { $0 != nil } ?? false
        return isCorrected ? Self.best(together, limit) : []
    }

    private func join(_ some: Correction, _ candidate: Candidate) -> Correction? {
        var joined = some
        let documents =
            some.documents.map { QueryMatches(unscored: candidate.documents).documents(in: $0) }
            ?? candidate.documents
        guard !documents.isEmpty else { return nil }
        joined.documents = documents
        joined.tally = scope.tally(documents)
        joined.cost += candidate.cost
        joined.terms.append(candidate.term)
        return joined
    }

    private static func best(_ corrections: [Correction], _ count: Int) -> [Correction] {
        Array(
            corrections.sorted { a, b in
                a.score != b.score
                    ? a.score > b.score
                    : zip(a.terms, b.terms).first { $0 != $1 }.map {
                        ($0 ?? []).lexicographicallyPrecedes($1 ?? [])
                    } ?? false
            }.prefix(count))
    }

    /// The best words to take for one.
    private func candidates(
        _ word: [UInt8], _ count: Int, _ unknown: borrowing UnknownWords, _ terms: inout TermHits
    ) throws -> [Candidate] {
        let text = String(decoding: word, as: UTF8.self)
        let typed = text.unicodeScalars.map(\.value)
        // What a search would not correct is not corrected.
        let distance = StepLadder.distance(for: text)
        guard distance > 0 else { return [] }
        let share = MemoryShare(terms.clock)
        defer { withExtendedLifetime(share) {} }
        let candidates = try unknown.candidates(FuzzyMatcher(text, distance: distance))
        // There are three of each for a moment.
        try share.grow(to: 3 * candidates.count * (MemoryLayout<Candidate>.stride + 64))
        var near = candidates.map {
            let meant = String(decoding: $0.term, as: UTF8.self).unicodeScalars.map(\.value)
            return Candidate(
                term: $0.term, cost: errors.cost(typed: typed, meant: meant), documents: [])
        }
        near.sort {
            $0.cost != $1.cost ? $0.cost < $1.cost : $0.term.lexicographicallyPrecedes($1.term)
        }
        var found: [(Candidate, Correction)] = []
        for var candidate in near.prefix(Self.mostCounted) {
            if terms.clock.check() { break }
            candidate.documents = try scope.documents(of: candidate.term, &terms)
            // The pieces of corrections share them.
            try share.grow(to: share.bytes + candidate.documents.count * 4)
            if terms.clock.isOver(afterWork: candidate.documents.count) { break }
            if let alone = join(Correction(), candidate) { found.append((candidate, alone)) }
        }
        found.sort { a, b in
            a.1.score != b.1.score
                ? a.1.score > b.1.score : a.0.term.lexicographicallyPrecedes(b.0.term)
        }
        return found.prefix(count).map(\.0)
    }
}
