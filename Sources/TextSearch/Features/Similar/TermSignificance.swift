/// The terms of a text, and how significant each is: its occurrences times its inverse document
/// frequency, tf·idf.
struct TermSignificance {
    private struct Term {
        var text: String
        var occurrences: Int
        /// Among the different terms of the text.
        var order: Int
        var documentFrequency = 0
        var significance = 0.0
    }

    /// Of a term, and its text.
    private static var entrySize: Int {
        MemoryLayout<String>.stride + MemoryLayout<Term>.stride + 32
    }

    private var terms: [String: Term] = [:]
    private let share: MemoryShare

    init(_ clock: SearchClock) { share = MemoryShare(clock) }

    /// Adds a string of the text. Where duplicates are discarded from the index, a term counts once
    /// for each string.
    ///
    /// Where the time is over the rest of it is left out.
    mutating func add(
        _ string: String, _ analysis: FieldAnalyzer, discardsDuplicates: Bool, _ clock: SearchClock
    ) throws {
        var seen: Set<String> = []
        let own = MemoryShare(clock)
        try TextPieces.forEach(of: string, overlap: false) { piece in
            // A table is doubled, and the old one is there meanwhile; then its terms are found, and
            // sorted. Long words have memory of their own.
            try share.grow(to: 4 * terms.count * Self.entrySize)
            try own.grow(to: 2 * seen.count * MemoryLayout<String>.stride)
            if clock.isOver(afterWork: max(piece.utf8.count / 16, 1)) { return false }
            for word in analysis.analyze(piece, language: nil, asQuery: false)
            where word.omission == nil
                && !analysis.lowValueWords.contains(Array(word.term.utf8))
            {
                if discardsDuplicates, !seen.insert(word.term).inserted { continue }
                let new = Term(text: String(piece[word.range]), occurrences: 0, order: terms.count)
                terms[word.term, default: new].occurrences += 1
            }
            return true
        }
    }

    /// The most significant terms that `leastFrequency` objects have, the most significant first;
    /// of equal ones the first of the text.
    ///
    /// Complexity: a look-up of each term in each segment, until the time is over.
    mutating func best(
        _ count: Int, occurrences least: Int, leastFrequency: Int, _ snapshot: Snapshot,
        _ store: IndexStore, _ clock: SearchClock
    ) throws -> [SignificantTerm] {
        var hits = TermHits(snapshot: snapshot, store: store, clock: clock)
        let similarity = BM25()
        var found: [(key: String, value: Term)] = []
        for (key, term) in terms where term.occurrences >= least {
            if clock.check() { break }
            var term = term
            let postings = try TermPostings(Array(key.utf8), snapshot, store, .documents, &hits)
            term.documentFrequency = postings.documentFrequency
            guard term.documentFrequency >= leastFrequency else { continue }
            term.significance =
                Double(term.occurrences)
                * similarity.idf(
                    documentFrequency: term.documentFrequency, documentCount: snapshot.count)
            found.append((key, term))
        }
        found.sort { a, b in
            a.value.significance != b.value.significance
                ? a.value.significance > b.value.significance : a.value.order < b.value.order
        }
        guard let greatest = found.first?.value.significance else { return [] }
        return found.prefix(max(count, 0)).map { key, term in
            SignificantTerm(
                text: term.text, term: key, occurrences: term.occurrences,
                documentFrequency: term.documentFrequency,
                weight: term.significance / greatest)
        }
    }
}
