/// How much of a query text is understood, so that no text costs unbounded time or memory.
///
/// What a limit leaves out is reported as ``QueryDiagnostic/Kind/limitExceeded``, never dropped
/// silently. Negative values count as zero.
public struct QueryLimits: Hashable, Sendable {
    /// How many words, phrases and comparisons a text may have; those after them are left out.
    public var maximumClauses = 1_024

    /// How many words of a text are looked for in several ways, if ``QueryParser/Options/matchModes`` asks for that; those after them are
    /// looked for as they are written. Each way but the exact one may look at the whole vocabulary.
    public var maximumExpandedWords = 32

    /// How many parentheses may be open at once; deeper ones are read as text.
    public var maximumDepth = 100

    /// How many bytes of UTF-8 are read; the rest of the text is left out.
    public var maximumTextLength = 1 << 20

    /// How many bytes of UTF-8 a word or pattern may have; the rest of it is left out.
    public var maximumWordLength = 1_024

    /// How many diagnostics are kept; the first ones are.
    public var maximumDiagnostics = 100

    /// The default limits.
    public init() {}
}
