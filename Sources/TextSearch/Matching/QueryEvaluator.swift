import Foundation

/// Evaluates a query over one snapshot.
///
/// A part of a query that asks for nothing (a stop word, signs) evaluates to nil: it neither matches nor rules out.
struct QueryEvaluator: ~Copyable {
    let snapshot: Snapshot
    let store: IndexStore
    let analyzer: Analyzer
    let fields: [String]
    let similarity = BM25()
    private(set) var terms: TermHits
    private var lengths: LengthStatistics?
    private var everything: QueryMatches?

    init(
        snapshot: Snapshot, store: IndexStore, analyzer: Analyzer, fields: [String]
    ) {
        self.snapshot = snapshot
        self.store = store
        self.analyzer = analyzer
        self.fields = fields
        terms = TermHits(snapshot: snapshot, store: store)
    }

    /// What the query matches; nil when it asks for nothing: it has only stop words or signs.
    mutating func evaluate(_ query: Query) throws -> QueryMatches? {
        try evaluate(query, in: nil)
    }

    private mutating func evaluate(_ query: Query, in string: UInt32?) throws -> QueryMatches? {
        switch query.node {
        case .everything: return try allDocuments()
        case .nothing: return QueryMatches()
        case .keyword(let text): return try keyword(text, in: string)
        case .term(let text): return try phrase(text, slop: 0, lastIsPrefix: false, in: string)
        case .phrase(let text, let slop, let lastIsPrefix):
            return try phrase(text, slop: slop, lastIsPrefix: lastIsPrefix, in: string)
        case .prefix, .infix, .suffix, .fuzzy, .wildcard, .regularExpression:
            guard let pattern = pattern(of: query.node) else { return nil }
            return try scored(Array(terms.hits(of: pattern, in: string)))
        case .near(let parts, let within, let ordered):
            return try near(parts, within, ordered, in: string)
        case .field(let name, let part):
            guard let index = fields.firstIndex(of: name) else { return QueryMatches() }
            return try evaluate(part, in: UInt32(index))
        default: return try combination(query.node, in: string)
        }
    }

    // MARK: Combinations

    private mutating func combination(
        _ node: Query.Node, in string: UInt32?
    ) throws -> QueryMatches? {
        switch node {
        case .all(let parts): return try all(parts, in: string)
        case .any(let parts):
            let found = try parts.compactMap { try evaluate($0, in: string) }
            return found.isEmpty && !parts.isEmpty ? nil : .union(found)
        case .none(let parts):
            let found = try parts.compactMap { try evaluate($0, in: string) }
            return try allDocuments().subtracting(.union(found))
        case .atLeast(let count, let parts):
            let found = try parts.compactMap { try evaluate($0, in: string) }
            guard count > 0 else { return .union([try allDocuments()] + found) }
            return .union(found, atLeast: count)
        case .boost(let part, let factor):
            return try evaluate(part, in: string)?.mapScores { $0 * factor }
        case .constantScore(let part, let score):
            return try evaluate(part, in: string)?.mapScores { _ in score }
        case .filter(let part): return try evaluate(part, in: string)?.mapScores { _ in 0 }
        case .attribute(let name, let operation):
            return try records { operation.holds(for: $0.attributes[name]) }
        case .weight(let bounds): return try records { bounds.contains(.number($0.weight)) }
        case .identifiers(let identifiers): return try self.identifiers(identifiers)
        default: return QueryMatches()
        }
    }

    private mutating func all(_ parts: [Query], in string: UInt32?) throws -> QueryMatches? {
        var result: QueryMatches?
        var exclusions: [QueryMatches] = []
        for part in parts {
            // What excludes is taken away from the rest instead of from everything.
            if case .none(let unwanted) = part.node {
                exclusions += try unwanted.compactMap { try evaluate($0, in: string) }
                continue
            }
            guard let found = try evaluate(part, in: string) else { continue }
            result = result?.intersection(found) ?? found
        }
        if result == nil {
            if exclusions.isEmpty, !parts.isEmpty { return nil }
            result = try allDocuments()
        }
        return exclusions.reduce(result) { $0?.subtracting($1) }
    }

    private mutating func allDocuments() throws -> QueryMatches {
        if let everything { return everything }
        var matches = QueryMatches()
        snapshot.forEachDocument {
            matches.documents.append($0)
            return true
        }
        matches.scores = [Double](repeating: 0, count: matches.documents.count)
        everything = matches
        return matches
    }

    private mutating func records(
        where isWanted: (ObjectRecord) -> Bool
    ) throws -> QueryMatches {
        var reader = RecordReader(store: store)
        var matches = QueryMatches()
        for document in try allDocuments().documents
        where isWanted(try reader.record(of: document)) {
            matches.documents.append(document)
            matches.scores.append(0)
        }
        return matches
    }

    private func identifiers(_ identifiers: [Data]) throws -> QueryMatches {
        var lookup = IdentifierLookup(store: store)
        var matches = QueryMatches()
        for identifier in identifiers where (1...4096).contains(identifier.count) {
            let found = try Array(identifier).withUnsafeBufferPointer {
                try lookup.document(for: $0, in: snapshot)
            }
            if let found { matches.documents.append(found) }
        }
        matches.documents.sort()
        matches.scores = [Double](repeating: 0, count: matches.documents.count)
        return matches
    }

    // MARK: Words

    private func pattern(of node: Query.Node) -> TermPattern? {
        func folded(_ text: String) -> [UInt8]? {
            let bytes = Array(analyzer.folder.fold(text).utf8)
            return bytes.isEmpty ? nil : bytes
        }
        switch node {
        case .prefix(let text): return folded(text).map { .prefix($0) }
        case .infix(let text): return folded(text).map { .infix($0) }
        case .suffix(let text): return folded(text).map { .suffix($0) }
        case .fuzzy(let text, let distance, let exactPrefix):
            return .fuzzy(
                FuzzyMatcher(
                    analyzer.folder.fold(text), distance: distance, exactPrefix: exactPrefix))
        case .wildcard(let text): return .wildcard(WildcardMatcher(analyzer.folder.fold(text)))
        case .regularExpression(let text):
            return (try? RegularExpressionMatcher(text)).map { .regularExpression($0) }
        default: return nil
        }
    }

    private mutating func keyword(_ text: String, in string: UInt32?) throws -> QueryMatches? {
        let query = try KeywordQuery(text, analyzer: analyzer)
        if query.isEmpty { return try allDocuments() }
        var result: QueryMatches?
        for unit in query.units {
            let found: QueryMatches
            switch unit {
            case .infix(let bytes):
                let rule = TokenRule(minimalLength: analyzer.minimalTokenLength)
                found = try scored(Array(terms.hits(of: .token(bytes, rule), in: string)))
            case .run(let bigrams):
                let words = bigrams.enumerated().map {
                    (offset: $0, pattern: TermPattern.prefix($1))
                }
                found = try sequence(words, slop: 0, in: string)
            }
            result = result?.intersection(found) ?? found
        }
        return result ?? QueryMatches()
    }

    /// The words of a text one after the other; stop words leave gaps.
    private mutating func phrase(
        _ text: String, slop: Int, lastIsPrefix: Bool, in string: UInt32?
    ) throws -> QueryMatches? {
        var scan = QueryWords(text, analyzer: analyzer)
        if lastIsPrefix, let last = scan.words.indices.last {
            scan.words[last].isPrefix = true
        }
        // Only stop words or signs: nothing to ask for.
        guard !scan.words.isEmpty else { return nil }
        // No text holds a phrase of so many words that somebody looks for.
        guard scan.words.count <= KeywordQuery.largestCount else { return QueryMatches() }
        return try sequence(
            scan.words.map { ($0.position, $0.isPrefix ? .prefix($0.bytes) : .exact($0.bytes)) },
            slop: slop, in: string)
    }

    private mutating func sequence(
        _ words: [(offset: Int, pattern: TermPattern)], slop: Int, in string: UInt32?
    ) throws -> QueryMatches {
        var found: [[Hit]] = []
        for word in words {
            let hits = Array(try terms.hits(of: word.pattern, in: string))
            if hits.isEmpty { return QueryMatches() }
            found.append(hits)
        }
        if found.count == 1 { return try scored(found[0]) }
        let groups = Proximity.phrases(found, offsets: words.map(\.offset), slop: slop)
        return try scored(groups)
    }

    private mutating func near(
        _ parts: [Query], _ within: Int, _ ordered: Bool, in string: UInt32?
    ) throws -> QueryMatches? {
        let found = try parts.compactMap { try evaluate($0, in: string)?.hits }
        guard !found.isEmpty else { return nil }
        return try scored(Proximity.near(found, within: within, ordered: ordered))
    }

    // MARK: Scores

    /// A group of words counts once, where its first word stands.
    private mutating func scored(_ groups: [[Hit]]) throws -> QueryMatches {
        let heads = groups.compactMap(\.first)
        var matches = try scored(heads)
        matches.hits = groups.flatMap { $0 }.sorted {
            ($0.document, $0.string, $0.position) < ($1.document, $1.string, $1.position)
        }
        return matches
    }

    /// The documents of sorted hits, scored as those of one word.
    private mutating func scored(_ hits: [Hit]) throws -> QueryMatches {
        var matches = QueryMatches()
        guard !hits.isEmpty else { return matches }
        let lengths = try self.lengths ?? LengthStatistics(snapshot)
        self.lengths = lengths
        var frequencies: [Double] = []
        var start = 0
        while start < hits.count {
            let document = hits[start].document
            var frequency = 0.0
            while start < hits.count, hits[start].document == document {
                let string = hits[start].string
                var count = 0
                while start < hits.count, hits[start].document == document,
                    hits[start].string == string
                {
                    count += 1
                    start += 1
                }
                frequency += similarity.normalized(
                    frequency: count,
                    length: Double(lengths.length(of: document, string: Int(string))),
                    averageLength: lengths.average(of: Int(string)))
            }
            matches.documents.append(document)
            frequencies.append(frequency)
        }
        let idf = similarity.idf(
            documentFrequency: matches.documents.count, documentCount: snapshot.count)
        matches.scores = frequencies.map { similarity.score(idf: idf, frequency: $0) }
        matches.hits = hits
        return matches
    }
}

/// The words of a query's text with their positions, stop words apart.
struct QueryWords {
    struct Word {
        var bytes: [UInt8]
        var position: Int
        var isPrefix = false
    }

    var words: [Word] = []
    var stopWords: [[UInt8]] = []

    init(_ text: String, analyzer: Analyzer) {
        var text = text
        var terms = TermTable(slotBits: 6)
        var scanner = TextScanner()
        var found: [(term: UInt32, isBigram: Bool)] = []
        text.withUTF8 {
            scanner.scan($0, analyzer: analyzer, into: &terms) { word, _ in
                found.append((word.term, word.isBigram))
            }
        }
        for (position, word) in found.enumerated() {
            let bytes = terms.array(Int(word.term & ~TermTable.stopBit))
            if word.term & TermTable.stopBit != 0 {
                stopWords.append(bytes)
                continue
            }
            let followsBigram = position > 0 && found[position - 1].isBigram
            // The single character that ends a run says nothing that its last bigram does not.
            if followsBigram, !word.isBigram { continue }
            words.append(
                Word(
                    bytes: bytes, position: position,
                    isPrefix: SpacelessScript.begins(bytes)))
        }
    }
}

extension Array where Element == Hit {
    init(_ buffer: consuming Buffer<Hit>) {
        let copied = buffer.withElements { $0.map { $0 } }
        self = copied
    }
}
