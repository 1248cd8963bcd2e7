/// A term of the index, and how often it occurs.
public struct IndexedTerm: Sendable, Hashable, Codable {
    /// The term as the index stores it: folded.
    public let text: String
    /// How many objects contain the term.
    public let documentFrequency: Int
    /// How often it occurs in all of them together.
    public let totalFrequency: Int

    init(text: String, documentFrequency: Int, totalFrequency: Int) {
        self.text = text
        self.documentFrequency = documentFrequency
        self.totalFrequency = totalFrequency
    }
}

extension TextIndex {
    /// Returns the terms that begin with a text, in the order of their UTF-8.
    ///
    /// ```swift
    /// for term in try index.terms(prefix: "du") {
    ///     print(term.text, term.documentFrequency)
    /// }
    /// ```
    ///
    /// They are the folded words of the objects' strings; of text in scripts without spaces, pairs
    /// of characters. Stop words are among them if the index has them. The counts are exact,
    /// whatever was updated or removed. To continue after the last returned term, ask for longer
    /// prefixes.
    ///
    /// Complexity: linear in the postings of the returned terms, and of those that only removed
    /// objects had; the vocabularies are read once.
    ///
    /// - Parameters:
    ///   - prefix: what the terms begin with, folded as the strings are; none for all terms.
    ///   - field: the name of the field that they occur in; nil for all strings. An unknown field
    ///     has no terms.
    ///   - limit: the maximum number of terms.
    /// - Returns: The terms.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func terms(
        prefix: String = "", field: String? = nil, limit: Int = 100
    ) throws -> [IndexedTerm] {
        try terms(
            prefix: prefix, field: field, limit: limit, SearchClock(.unlimited, longest: nil))
    }

    /// The same within the time of a clock: those that were found by its end.
    func terms(
        prefix: String, field: String?, limit: Int, _ clock: SearchClock
    ) throws -> [IndexedTerm] {
        try usage.search {
            var string: UInt32?
            if let field {
                guard let index = configuration.fields.firstIndex(of: field) else { return [] }
                string = UInt32(index)
            }
            let snapshot = writer.snapshot
            let readings = snapshot.analyzer.analyses(of: string).map { analysis, strings in
                (prefix: Array(analysis.folder.fold(prefix).utf8), strings: strings)
            }
            var terms: [[UInt8]: IndexedTerm] = [:]
            // What analyses fold alike is walked over once.
            for start in Set(readings.map(\.prefix)) {
                for term in try self.terms(startingWith: start, readings, limit, snapshot, clock) {
                    terms[Array(term.text.utf8)] = term
                }
            }
            let sorted = terms.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return sorted.prefix(max(limit, 0)).map(\.value)
        }
    }

    private func terms(
        startingWith start: [UInt8], _ readings: [(prefix: [UInt8], strings: StringSelection)],
        _ limit: Int, _ snapshot: Snapshot, _ clock: SearchClock
    ) throws -> [IndexedTerm] {
        var walk = try VocabularyWalk(snapshot, from: start)
        var counter = TermCounter(snapshot: snapshot, store: store, clock: clock)
        var terms: [IndexedTerm] = []
        while terms.count < limit, !clock.isSpent, let term = walk.next(),
            term.starts(with: start)
        {
            let wanted = readings.filter { term.starts(with: $0.prefix) }.map(\.strings)
            let count = try counter.count(term) { string in
                wanted.contains { $0.contains(string) }
            }
            guard count.documents > 0 else { continue }
            terms.append(
                IndexedTerm(
                    text: String(decoding: term, as: UTF8.self),
                    documentFrequency: count.documents, totalFrequency: count.occurrences))
        }
        return terms
    }
}
