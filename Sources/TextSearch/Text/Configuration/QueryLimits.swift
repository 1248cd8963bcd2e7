/// How much a query may ask for, so that none costs unbounded time or memory.
///
/// Query text is never refused: what a limit leaves out of it is reported as ``QueryDiagnostic/Kind/limitExceeded``. A typed query beyond
/// ``maximumNesting`` or ``maximumClauses``, and a keyword beyond ``maximumTextLength`` or of more different words than ``maximumClauses``, are refused with
/// ``TextIndexError/Code/limitExceeded``: half of them would be another query. So is a page beyond ``maximumResults``. Negative values count as zero.
///
/// An index's limits are those of ``TextIndexConfiguration/queryLimits``.
public struct QueryLimits: Hashable, Sendable {
    /// How many words, phrases and comparisons a query may have; those of a text after them are left out.
    public var maximumClauses = 1_024

    /// How many words of a text are looked for in several ways, if ``QueryParser/Options/matchModes`` asks for that; those after them are
    /// looked for as they are written. Each way but the exact one may look at the whole vocabulary.
    public var maximumExpandedWords = 32

    /// How many words of the index a prefix, infix, suffix, wildcard, regular expression, word with typing errors or word of a keyword may
    /// stand for. Of more the first ones in order are looked for: ``SearchResults/isComplete`` is false then. Nothing is found where the
    /// others would rule objects out. Words of removed objects count until the space is reclaimed.
    ///
    /// Memory for the words is about 100 bytes for each. `.max` for all that there are. The searches of keywords that promise all results, such as
    /// ``TextIndex/searchResults(forKeyword:options:)``, have no such limit.
    public var maximumExpansions = 250_000

    /// How many parentheses of a text may be open at once; deeper ones are read as text. More than 100 count as 100.
    public var maximumDepth = 100

    /// How many queries of a typed query may lie within one another. More than 400 count as 400, which fit on the stacks of all threads.
    public var maximumNesting = 400

    /// How many bytes of UTF-8 are read; the rest of the text is left out.
    public var maximumTextLength = 1 << 20

    /// How many bytes of UTF-8 a word or pattern of a text may have; the rest of it is left out.
    public var maximumWordLength = 1_024

    /// How far a page of results may reach: `offset` and `limit` together. More are refused with ``TextIndexError/Code/limitExceeded``. Where all results
    /// are asked for, one by one, there is no such limit.
    public var maximumResults = Int.max

    /// How many bytes of memory one search may hold beyond the caches of its index: 128 MB. From three quarters of that on nothing more is looked for:
    /// ``SearchResults/isComplete`` is false then, and a diagnostic says why. Where even what was found takes more, ``TextIndexError/Code/limitExceeded`` is thrown. `.max` for
    /// no limit.
    public var memory = 128 << 20

    /// How many matches of an object are found where they are shown: 1,000, the first ones in its text. ``SearchResultItem/hasMoreMatches`` says that there are more. Fewer are
    /// found where a page has so many objects that all of them would take half of ``memory``.
    public var maximumMatchesPerItem = 1_000

    /// How many diagnostics are kept; the first ones are.
    public var maximumDiagnostics = 100

    /// The default limits.
    public init() {}
}

extension QueryLimits {
    /// The greatest depth that is taken, of text and of typed queries: what goes over a query does so by recursion.
    static let deepestText = 100
    static let deepest = 400

    var depth: Int { min(max(maximumDepth, 0), Self.deepestText) }
    var nesting: Int { min(max(maximumNesting, 0), Self.deepest) }
    var textLength: Int { max(maximumTextLength, 0) }
    var clauses: Int { max(maximumClauses, 0) }
    var memoryBytes: Int { max(memory, 0) }
    var expansions: Int { max(maximumExpansions, 0) }

    /// Refuses a page that reaches too far.
    func check(limit: Int, offset: Int) throws {
        let (end, overflow) = max(limit, 0).addingReportingOverflow(max(offset, 0))
        guard max(maximumResults, 0) < Int.max, overflow || end > max(maximumResults, 0) else {
            return
        }
        throw TextIndexError(
            .limitExceeded,
            "The page reaches beyond \(max(maximumResults, 0)) results (maximumResults).")
    }
}
