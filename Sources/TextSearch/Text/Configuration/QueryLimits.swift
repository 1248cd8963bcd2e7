/// How much a query may ask for, so that no query takes unbounded time or memory.
///
/// Query text is never refused: what exceeds a limit is left out, and reported as
/// ``QueryDiagnostic/Kind/limitExceeded``. A typed query beyond ``maximumNesting`` or
/// ``maximumClauses`` is refused with ``TextIndexError/Code/limitExceeded``, since half of it would
/// be another query. So is a keyword beyond ``maximumTextLength`` or with more different words than
/// ``maximumClauses``, and a page beyond ``maximumResults``. Negative values count as zero.
///
/// The limits of an index are ``TextIndexConfiguration/queryLimits``.
public struct QueryLimits: Hashable, Sendable {
    /// How many words, phrases and comparisons a query may have; 1,024 by default. Further ones of
    /// a text are left out.
    public var maximumClauses = 1_024

    /// How many words of a text are looked for in several ways, if
    /// ``QueryParser/Options/matchModes`` asks for that; 32 by default. Further words are looked
    /// for as they are written. Each way but the exact one may scan the whole vocabulary.
    public var maximumExpandedWords = 32

    /// How many words of the index a prefix, infix, suffix, wildcard, regular expression, word with
    /// typing errors or word of a keyword may stand for; 250,000 by default. If there are more, the
    /// first ones in order are looked for, and ``SearchResults/isComplete`` is false. Nothing is
    /// found if the others would exclude objects. Words of removed objects count until their space
    /// is reclaimed.
    ///
    /// Each word takes about 100 bytes of memory. `.max` sets no limit. Keyword searches that
    /// promise all results, such as ``TextIndex/searchResults(forKeyword:options:)``, have none.
    public var maximumExpansions = 250_000

    /// How many parentheses of a text may be open at once; 100 by default and at most. Deeper ones
    /// are read as text.
    public var maximumDepth = 100

    /// How deep the queries of a typed query may be nested; 400 by default and at most, which fits
    /// on the stacks of all threads. A debug build takes 100 at most, since its functions need more
    /// of the stack.
    public var maximumNesting = 400

    /// How many bytes of UTF-8 of a text are read; 1 MB by default. The rest is left out.
    public var maximumTextLength = 1 << 20

    /// How many bytes of UTF-8 a word or pattern of a text may have; 1,024 by default. The rest of
    /// it is left out.
    public var maximumWordLength = 1_024

    /// How far a page of results may reach, `offset` and `limit` together; unlimited by default.
    /// Pages beyond it are refused with ``TextIndexError/Code/limitExceeded``. Calls that give all
    /// results one by one have no such limit.
    public var maximumResults = Int.max

    /// How many bytes of memory a search may hold beyond the caches of its index; 128 MB by
    /// default. From three quarters of that on nothing more is looked for,
    /// ``SearchResults/isComplete`` is false, and a diagnostic says why. If what was found takes
    /// more, ``TextIndexError/Code/limitExceeded`` is thrown. `.max` sets no limit.
    public var memory = 128 << 20

    /// How many matches of an object are found to be shown, the first ones in its text; 1,000 by
    /// default. ``SearchResultItem/hasMoreMatches`` says whether there are more. Fewer are found if
    /// a page has so many objects that all of them would take half of ``memory``.
    public var maximumMatchesPerItem = 1_000

    /// How many diagnostics are kept, the first ones; 100 by default.
    public var maximumDiagnostics = 100

    /// Creates limits with the defaults of the properties.
    public init() {}
}

extension QueryLimits {
    /// The greatest depth that is taken, of text and of typed queries: what goes over a query does
    /// so by recursion.
    static let deepestText = 100
    #if DEBUG
        static let deepest = 100
    #else
        static let deepest = 400
    #endif

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
