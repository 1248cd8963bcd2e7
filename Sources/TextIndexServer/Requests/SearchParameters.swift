import Foundation
import TextIndexInterface
import TextSearch

/// How a text is read.
enum ReadingMode: String, CaseIterable, Sendable {
    /// As query text.
    case query
    /// As query text, words also as beginnings of words, inside words and with typing errors, in
    /// that order.
    case lenient
    /// As keywords: parts of words.
    case keyword
}

/// The longest names and texts that requests may hold; longer ones are mistakes.
enum Longest {
    static let name = 256
    static let identifier = 8192
    /// Of query texts, which sessions and cursors keep.
    static let query = 65_536
    /// Values of a typed query, each of which takes a while to decode.
    static let typedQuery = 20_000
}

/// What to search for, and in which way.
struct SearchParameters: Sendable {
    var text: String?
    var query: Query?
    var mode = ReadingMode.query
    /// How far to go where a page is not full; nil: as far as the index is set to.
    var steps: SearchSteps?
    /// Whether the word at the end of the text may be unfinished.
    var lastWordIsPrefix = false
    var field: String?
    /// The field to look in, if one is named.
    var fields: [String] { field.map { [$0] } ?? [] }
    var filter: String?
    var ranking: Ranking?
    /// Whether objects come higher that were chosen before for the same query.
    var learned = false
    /// The only object to look at.
    var identifier: Data?
    /// Attributes that the request names, which the texts may compare.
    var attributes: [String] = []

    /// Reads the parameters that all searches have.
    init(_ arguments: inout Arguments) throws {
        text = try arguments.text("q", upTo: Longest.query)
        query = arguments.query()
        let mode = try arguments.choice("mode", ReadingMode.self)
        self.mode = mode ?? .query
        steps = try arguments.text("steps", upTo: Longest.name).map { text in
            guard let choice = StepsChoice(argument: text) else {
                throw Problem.invalid("steps", "steps must be \(StepsChoice.expectation).")
            }
            return choice.steps
        }
        lastWordIsPrefix = try arguments.bool("lastWordIsPrefix")
        field = try arguments.text("field", upTo: Longest.name)
        filter = try arguments.text("filter", upTo: Longest.query)
        identifier = try arguments.identifier()
        learned = try arguments.bool("learned")
        let rank = try arguments.choice("rank", RankingChoice.self)
        ranking = rank?.ranking
        if let text = try arguments.text("sort", upTo: 16 * Longest.name) {
            guard rank == nil else { throw Problem.invalid("sort", "Give sort or rank, not both.") }
            guard let sort = SortChoice(argument: text) else {
                throw Problem.invalid(
                    "sort",
                    "sort must be attributes, weight and relevance, between commas, each with :asc or :desc."
                )
            }
            ranking = .sorted(by: sort.keys)
            attributes = sort.attributes
        }
        guard (text == nil) != (query == nil) else {
            throw Problem.invalid("q", "Give a text as q, or a typed query in a body.")
        }
        guard query == nil || mode == nil && steps == nil && !lastWordIsPrefix else {
            throw Problem.invalid(
                mode != nil ? "mode" : steps != nil ? "steps" : "lastWordIsPrefix",
                "This is for texts: a typed query says itself how each of its words is looked for.")
        }
    }

    /// What results are ordered by, and by what when the request does not say.
    func ranking(_ usual: Ranking) -> Ranking {
        let ranking = ranking ?? usual
        return learned ? ranking.learning() : ranking
    }

    /// Reads the text.
    func textParser(_ served: ServedIndex<some Any>) -> QueryParser {
        var parser = parser(served)
        parser.options.matchModes = mode == .lenient ? .lenient : .exact
        parser.options.steps = steps
        parser.options.lastWordIsPrefix = lastWordIsPrefix
        return parser
    }

    /// Reads texts: names of attributes that the request tells are known.
    private func parser(_ served: ServedIndex<some Any>) -> QueryParser {
        var parser = served.parser
        guard !attributes.isEmpty else { return parser }
        let (names, known) = (Set(attributes), parser.isAttribute)
        parser.isAttribute = { names.contains($0) || known($0) }
        return parser
    }

    /// What must match besides.
    func filter(_ served: ServedIndex<some Any>) -> Query? {
        let parsed = filter.map { parser(served).parse($0).query }
        guard let identifier else { return parsed }
        let alone = Query.identifiers([identifier])
        return parsed.map { .all(of: [$0, alone]) } ?? alone
    }

    func check(_ served: ServedIndex<some Any>) throws { try served.check(field: field) }
}

/// Which part of the results to give, and what of it.
struct PageParameters: Sendable {
    var limit: Int
    var offset: Int
    var facets: [FacetChoice]
    var facetLimit: Int
    var facetHits: Int
    var minimumScore: Double?

    init(_ arguments: inout Arguments, _ limits: ServerLimits) throws {
        limit = try arguments.int("limit", in: 0...limits.pageLength) ?? min(10, limits.pageLength)
        offset = try arguments.int("offset", in: 0...limits.reach) ?? 0
        facets = try arguments.facets()
        facetLimit = try arguments.int("facetLimit", in: 0...limits.pageLength) ?? 10
        facetHits = try arguments.int("facetHits", in: 0...limits.pageLength) ?? 0
        guard facets.count * facetLimit * facetHits <= limits.reach else {
            throw Problem.invalid(
                "facetHits",
                "facetHits times facetLimit, of all facets, must be \(limits.reach) at most.")
        }
        minimumScore = try arguments.number("minimumScore")
    }
}

extension Arguments {
    /// What is to be counted.
    mutating func facets() throws -> [FacetChoice] {
        try texts("facet", upTo: 16).map { text in
            guard text.utf8.count <= 16 * Longest.name, let facet = FacetChoice(argument: text)
            else {
                throw Problem.invalid("facet", "facet must begin with the name of an attribute.")
            }
            return facet
        }
    }
}

/// What offsets count.
enum OffsetUnit: String, CaseIterable, Sendable {
    /// UTF-16 code units, as in JavaScript, Java and C#.
    case utf16
    /// Unicode scalars, as in Python and Rust's `chars`.
    case scalars
    /// Bytes of UTF-8, as in Go and C.
    case utf8

    func range(_ range: Range<String.Index>, in text: some StringProtocol) -> (Int, Int) {
        switch self {
        case .utf16: (text.utf16.count(upTo: range.lowerBound), text.utf16.count(in: range))
        case .scalars:
            (
                text.unicodeScalars.count(upTo: range.lowerBound),
                text.unicodeScalars.count(in: range)
            )
        case .utf8: (text.utf8.count(upTo: range.lowerBound), text.utf8.count(in: range))
        }
    }
}

extension Collection {
    fileprivate func count(upTo index: Index) -> Int { distance(from: startIndex, to: index) }
    fileprivate func count(in range: Range<Index>) -> Int {
        distance(from: range.lowerBound, to: range.upperBound)
    }
}

/// What to show of a hit.
struct ShowingParameters: Sendable {
    var snippets: Int
    var snippetWords: Int
    /// How many highlights of each string to list.
    var highlights: Int
    var unit: OffsetUnit
    var explains: Bool
    var texts: Bool

    /// Whether texts of objects are read for it.
    var wantsText: Bool { snippets > 0 || highlights > 0 || texts }

    init(_ arguments: inout Arguments) throws {
        snippets = try arguments.int("snippets", in: 0...100) ?? 2
        snippetWords = try arguments.int("snippetWords", in: 1...1000) ?? 24
        highlights = try arguments.int("highlights", in: 0...100_000) ?? 0
        unit = try arguments.choice("units", OffsetUnit.self) ?? .utf16
        explains = try arguments.bool("explain")
        texts = try arguments.bool("texts")
    }
}
