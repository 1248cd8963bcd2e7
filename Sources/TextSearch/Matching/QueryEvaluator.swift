import Foundation

/// Evaluates a query over one snapshot.
///
/// A part of a query that asks for nothing (a stop word, signs) evaluates to nil: it neither matches nor rules out.
struct QueryEvaluator: ~Copyable {
    enum WantedHits {
        /// Scores alone.
        case none
        case all
        /// Those of some documents, ascending; no scores.
        case some([UInt32])
    }

    let snapshot: Snapshot
    let store: IndexStore
    let analyzer: Analyzer
    let fields: [String]
    let similarity: BM25
    var clock: SearchClock {
        didSet { terms.clock = clock }
    }
    var terms: TermHits
    private var everything: QueryMatches?
    /// Whether a prefix, wildcard, keyword or the like was marks and signs alone.
    var hasEmptyPattern = false
    /// Which documents' hits are wanted; those of others are not found, and their scores not right.
    var wanted = WantedHits.none
    /// Whether scores are wanted; otherwise only the documents are right.
    var needsScores = true
    /// How much a keyword may ask for.
    var limits = QueryLimits()
    /// Notes how the words of one document are scored, when somebody wants to know.
    var trace: ScoreTrace?
    /// What other indexes add to the statistics, where several are searched as one.
    var exchange: StatisticsExchange?
    /// Whether all matches are asked for anyhow, so that nothing is gained where only the best of a pattern are made.
    var needsAllMatches = false
    /// A query that was evaluated and matches nothing.
    var barren: Query?

    init(
        snapshot: Snapshot, store: IndexStore, analyzer: Analyzer, fields: [String],
        similarity: BM25, clock: SearchClock
    ) {
        self.clock = clock
        self.similarity = similarity
        self.snapshot = snapshot
        self.store = store
        self.analyzer = analyzer
        self.fields = fields
        terms = TermHits(snapshot: snapshot, store: store, clock: clock)
    }

    /// What the query matches; nil when it asks for nothing: it has only stop words or signs.
    mutating func evaluate(_ query: Query) throws -> QueryMatches? {
        let query = analyzer.synonyms.expand(query)
        return query.withoutWrapping == barren ? QueryMatches() : try evaluate(query, in: nil)
    }

    mutating func evaluate(_ query: Query, in string: UInt32?) throws -> QueryMatches? {
        switch query.node {
        case .everything: return try allDocuments()
        case .nothing: return QueryMatches()
        // As in normal form: nothing is no word, but every word begins with it.
        case .term(""), .phrase("", _, _), .fuzzy("", _, _): return QueryMatches()
        case .prefix(""), .infix(""), .suffix(""): return try allDocuments()
        case .keyword(let text): return try keyword(text, in: string)
        case .term(let text): return try phrase(text, slop: 0, lastIsPrefix: false, in: string)
        case .phrase(let text, let slop, let lastIsPrefix):
            return try phrase(text, slop: slop, lastIsPrefix: lastIsPrefix, in: string)
        case .prefix, .infix, .suffix, .fuzzy, .wildcard, .regularExpression:
            return try pattern(query.node, in: string)
        case .near(let parts, let within, let ordered):
            // As in normal form: one alone is near itself, whatever it is.
            if parts.count < 2 {
                return try parts.first.map { try evaluate($0, in: string) } ?? QueryMatches()
            }
            return try near(parts, within, ordered, in: string)
        case .field(let name, let part):
            if case .field = part.node { return try evaluate(part, in: string) }
            guard let index = fields.firstIndex(of: name) else { return QueryMatches() }
            return try evaluate(part, in: UInt32(index))
        default: return try combination(query.node, in: string)
        }
    }

    // MARK: Combinations

    private mutating func combination(
        _ node: Query.Node, in string: UInt32?
    ) throws -> QueryMatches? {
        if Query(node).onlyFilters { return try matches(ofFilter: Query(node)) }
        switch node {
        case .all(let parts): return try all(parts, in: string)
        case .any(let parts):
            let found = try parts.compactMap { try evaluate($0, in: string) }
            return found.isEmpty && !parts.isEmpty ? nil : .union(found)
        case .none(let parts):
            let found = try excluded(parts, in: string)
            if found.isEmpty, !parts.isEmpty { return nil }
            return try allDocuments().subtracting(.union(found))
        case .atLeast(let count, let parts):
            let found = try parts.compactMap { try evaluate($0, in: string) }
            guard count > 0 else { return .union([try allDocuments()] + found) }
            guard count <= parts.count else { return QueryMatches() }
            // What asks for nothing is not missed: at least all of several are all of them.
            return found.isEmpty ? nil : .union(found, atLeast: min(count, found.count))
        case .first(let parts): return try first(of: parts, in: string)
        case .boost(let part, let factor):
            // Nothing of an infinite score is nothing; so scores are numbers, however boosts are nested.
            return try evaluate(part, in: string)?.mapScores { factor == 0 ? 0 : $0 * factor }
        case .constantScore(let part, let score):
            return try unscored(part, in: string)?.mapScores { _ in score }
        case .filter(let part): return try unscored(part, in: string)?.mapScores { _ in 0 }
        default: return QueryMatches()
        }
    }

    /// What a query matches, where nobody asks for its scores.
    private mutating func unscored(_ query: Query, in string: UInt32?) throws -> QueryMatches? {
        let outer = needsScores
        // Who explains, or asks others for their statistics, goes through all of them.
        if trace == nil, exchange == nil { needsScores = false }
        defer { needsScores = outer }
        return try evaluate(query, in: string)
    }

    private mutating func all(_ parts: [Query], in string: UInt32?) throws -> QueryMatches? {
        var result: QueryMatches?
        var exclusions: [QueryMatches] = []
        // Filters come last, so that they are asked for what all others match.
        let filters = parts.filter(\.onlyFilters)
        for part in parts where filters.isEmpty || !part.onlyFilters {
            // What excludes is taken away from the rest instead of from everything.
            if case .none(let unwanted) = part.node, !unwanted.isEmpty {
                exclusions += try excluded(unwanted, in: string)
                continue
            }
            guard let found = try evaluate(part, in: string) else { continue }
            result = result?.intersection(found) ?? found
        }
        if let found = result {
            result = try kept(found, by: filters)
        } else if !filters.isEmpty {
            result = try matches(ofFilter: .all(of: filters))
        } else {
            if exclusions.isEmpty, !parts.isEmpty { return nil }
            result = try allDocuments()
        }
        return exclusions.reduce(result) { $0?.subtracting($1) }
    }

    /// What is to be left out must be known whole.
    private mutating func excluded(
        _ parts: [Query], in string: UInt32?
    ) throws -> [QueryMatches] {
        let outer = terms.needsAll
        terms.needsAll = true
        defer { terms.needsAll = outer }
        return try parts.compactMap { try evaluate($0, in: string) }
    }

    mutating func allDocuments() throws -> QueryMatches {
        if case .some(let documents) = wanted { return QueryMatches(unscored: documents) }
        if let everything { return everything }
        let matches = QueryMatches(unscored: snapshot.livingDocuments)
        everything = matches
        return matches
    }

    // MARK: Scores

    /// A group of words counts once, where its first word stands.
    mutating func scored(_ groups: [[Hit]]) throws -> QueryMatches {
        let heads = groups.compactMap(\.first)
        var matches = try scored(heads)
        if case .none = wanted { return matches }
        matches.hits =
            groups.allSatisfy { $0.count == 1 }
            ? heads : groups.flatMap { $0 }.sorted(by: Hit.precedes)
        return matches
    }

    /// The documents of sorted hits, scored as those of one word.
    mutating func scored(_ hits: [Hit]) throws -> QueryMatches {
        var counts: [WordCount] = []
        for hit in hits {
            if let last = counts.last, last.document == hit.document, last.string == hit.string {
                counts[counts.count - 1].count += 1
            } else {
                counts.append(WordCount(document: hit.document, string: hit.string, count: 1))
            }
        }
        var matches = try counts.withUnsafeBufferPointer { try scored($0) }
        if case .none = wanted { return matches }
        matches.hits = hits
        return matches
    }

    private static func unscored(_ counts: UnsafeBufferPointer<WordCount>) -> QueryMatches {
        var documents: [UInt32] = []
        documents.reserveCapacity(counts.count)
        var last: UInt32?
        for count in counts where count.document != last {
            documents.append(count.document)
            last = count.document
        }
        return QueryMatches(unscored: documents)
    }

    /// The documents of sorted counts, scored as those of one word.
    mutating func scored(_ counts: UnsafeBufferPointer<WordCount>) throws -> QueryMatches {
        var matches = QueryMatches()
        let traced = trace?.document
        trace?.begin()
        guard !counts.isEmpty else {
            _ = exchange?.frequency(0)
            return matches
        }
        guard needsScores else { return Self.unscored(counts) }
        var frequencies = Buffer<NormalizedFrequency>()
        addFrequencies(
            counts, try snapshot.lengthStatistics(), traced, to: &matches.documents, &frequencies)
        matches.scores = scores(of: frequencies)
        trace?.end(documentFrequency: matches.documents.count)
        return matches
    }

    /// The documents of words, scored as those of one.
    mutating func scored(_ sums: consuming TermHits.Sums) throws -> QueryMatches {
        let lengths = try snapshot.lengthStatistics()
        let norms = norms(averages(lengths))
        var documents = Buffer<UInt32>()
        var frequencies = Buffer<NormalizedFrequency>()
        for sums in sums.flushed { sums.append(norms, to: &documents, &frequencies) }
        var matches = QueryMatches()
        matches.documents = documents.withElements { Array($0) }
        sums.memory.withElements { counts in
            if !counts.isEmpty {
                addFrequencies(counts, lengths, nil, to: &matches.documents, &frequencies)
            }
        }
        matches.scores = scores(of: frequencies)
        return matches
    }

    /// The scores of all documents that a word was found in.
    private mutating func scores(of frequencies: borrowing Buffer<NormalizedFrequency>) -> [Double]
    {
        let found = frequencies.count
        let idf = similarity.idf(
            documentFrequency: exchange?.frequency(found) ?? found,
            documentCount: exchange?.known.documentCount ?? snapshot.count)
        let saturation = similarity.saturation
        // All empty arrays share a count, which the initialiser below would write.
        guard found > 0 else { return [] }
        return frequencies.withElements { frequencies in
            Array(unsafeUninitializedCapacity: frequencies.count) { scores, count in
                for place in frequencies.indices {
                    scores.initializeElement(
                        at: place,
                        to: saturation.score(idf: idf, frequency: frequencies[place]))
                }
                count = frequencies.count
            }
        }
    }

    func averages(_ lengths: LengthStatistics) -> [Double] {
        lengths.averages.indices.map {
            exchange?.known.averageLength(of: $0) ?? lengths.average(of: $0)
        }
    }

    func norms(_ averages: [Double]) -> [StringNorm] {
        averages.enumerated().map {
            StringNorm(similarity.field($0.offset), averageLength: $0.element)
        }
    }

    /// Appends the documents of sorted counts, and how often the word stands there.
    mutating func addFrequencies(
        _ counts: UnsafeBufferPointer<WordCount>, _ lengths: LengthStatistics,
        _ traced: UInt32?, to documents: inout [UInt32],
        _ frequencies: inout Buffer<NormalizedFrequency>
    ) {
        let averages = averages(lengths)
        let norms = norms(averages)
        documents.reserveCapacity(documents.count + counts.count)
        var document = counts[0].document
        var frequency = NormalizedFrequency()
        lengths.forEach(counts) { count, length in
            if count.document != document {
                documents.append(document)
                frequencies.append(frequency)
                document = count.document
                frequency = NormalizedFrequency()
            }
            let string = Int(count.string)
            guard string < norms.count else { return }
            frequency.add(
                norms[string].normalized(
                    frequency: Double(count.count), length: Double(length)))
            if traced == document {
                trace?.add(
                    count.string, count: Int(count.count), length: Double(length),
                    average: averages[string])
            }
        }
        documents.append(document)
        frequencies.append(frequency)
    }
}

extension QueryEvaluator.WantedHits {
    /// Which documents alone are to be looked at, if some are.
    var documents: [UInt32]? {
        if case .some(let documents) = self { documents } else { nil }
    }
}

extension Hit {
    /// By document, then in text order.
    static func precedes(_ a: Hit, _ b: Hit) -> Bool {
        (a.document, a.string, a.position) < (b.document, b.string, b.position)
    }
}

extension Array where Element == Hit {
    init(_ buffer: consuming Buffer<Hit>) {
        let copied = buffer.withElements { Array($0) }
        self = copied
    }
}
