/// Reads what people type as a ``Query``.
///
/// Every text is a query. Nothing throws, and what is no valid syntax is read as words, with a
/// diagnostic. Parsing takes time and memory linear in the length of the text.
///
/// | text | meaning |
/// |---|---|
/// | `peking duck` | both words |
/// | `"peking duck"`, `"peking duck"~2`, `"peking du*"` | a phrase, with slop, with a begun word |
/// | `title:duck`, `title:(a b)` | in a field |
/// | `+a -b`, `a AND b`, `a OR b`, `NOT b`, `(a b)` | operators, upper case only |
/// | `pre*`, `*infix*`, `*fix`, `wo?d`, `w*d` | parts of words |
/// | `word~1`, `word~2/3`, `word~` | typing errors: one, two after 3 exact characters, by length |
/// | `/colou?rs?/` | a regular expression over words |
/// | `word^2`, `(a b)^0.5`, `word^=1` | a boost, a constant score |
/// | `stars:>3`, `stars:[1 TO 5}`, `tag:!=red`, `tag:=*` | attributes |
/// | `tag:red`; `tag:=red`, `tag:=(red "dark blue")` | ignoring case and accents; exactly |
/// | `@near/3(a b)`, `@ordered/3(a b)`, `@atleast/2(a b c)` | functions |
/// | `title:@exactly("the whale")` | a field that is the text as a whole |
/// | `@filter(a)`, `@keyword("a b")`, `@part("a")` | more functions |
/// | `@first(duck duck* duck~1)` | any of them, objects with earlier ones first |
/// | `@weight:>2`, `@identifiers(0x0a 0x0b)` | weights, identifiers |
/// | `@wildcard("a*")`, `@regex("a b")` | patterns as functions |
/// | `*`, `@nothing()` | everything, nothing |
/// | `\*` | a sign as text; before a letter or digit a backslash is text itself |
///
/// A text without any word or condition means everything if it is blank, otherwise itself as a
/// word.
///
/// A search for a text takes `AND` and `NOT` for words where the text is all in capitals or only
/// excludes a word. Where nothing is found, it also takes for text `NOT` and a minus before a word,
/// and wildcards inside words.
///
/// ```swift
/// let parser = QueryParser(fields: ["title", "method"])
/// let query = parser.parse("title:duck -peking").query
/// ```
///
/// **Thread safety.** A parser is a value; parsing changes nothing.
public struct QueryParser: Sendable {
    /// How words without an operator between them are combined.
    public enum DefaultOperator: String, Hashable, Sendable, Codable {
        /// Objects must match all of them.
        case all
        /// One match is enough; more score higher. `+a b` requires a, and b adds to the score.
        case any
    }

    /// How a parser reads a text.
    public struct Options: Hashable, Sendable {
        /// How words without an operator between them are combined; all must match by default.
        public var defaultOperator = DefaultOperator.all
        /// Whether a word that ends the text may be unfinished, as while typing; false by default.
        /// Then the first step takes it for the beginning of words, too, and further steps are
        /// those of any text. Of objects that only have a beginning ``SearchResultItem/matchedBy``
        /// is `.unfinished`.
        public var lastWordIsPrefix = false
        /// The ways to look for bare words that are not excluded: those without wildcards or `~`,
        /// outside of quotations and `@near`. Exact by default.
        public var matchModes = MatchModes.exact
        /// The steps that a search for the text may take; nil, the default, for
        /// ``TextIndexConfiguration/steps``. If any of several words is enough, only the first step
        /// is taken.
        public var steps: SearchSteps?
        /// The limits of the text and its query.
        public var limits = QueryLimits()

        /// Creates options with the defaults of the properties.
        public init() {}
    }

    /// The field names that are recognised before a colon. Other names are text.
    public var fields: Set<String>
    /// Whether a name is that of an attribute, for `name:>3`.
    ///
    /// If a name is both, comparisons use the attribute and everything else the field.
    public var isAttribute: @Sendable (String) -> Bool
    /// Whether a word has little value, as stop words have. Beside other words it adds to the score
    /// if it is found, and is not required. By default no word is; ``TextIndex/queryParser`` knows
    /// the stop words of its index. A word in a field, or with a sign, a boost or an operator,
    /// counts as any other.
    public var isLowValue: @Sendable (String) -> Bool = { _ in false }
    /// Whether symbols without a letter or digit are a word, as `#` is if the index keeps symbols.
    /// By default they are not, and are left out; ``TextIndex/queryParser`` knows what its index
    /// holds.
    public var isWord: @Sendable (String) -> Bool = { _ in false }
    /// The options for reading a text.
    public var options: Options

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - fields: The names of the fields.
    ///   - options: How a text is read.
    ///   - isAttribute: Whether a name is that of an attribute.
    public init(
        fields: some Sequence<String> = [String](), options: Options = Options(),
        isAttribute: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.fields = Set(fields)
        self.options = options
        self.isAttribute = isAttribute
    }

    /// Parses a text into a query.
    ///
    /// Complexity: O(*n*) in the length of the text, up to ``QueryLimits/maximumTextLength``.
    ///
    /// - Parameter text: Any text.
    /// - Returns: A query in normal form, with diagnostics.
    public func parse(_ text: String) -> ParsedQuery { parsed(lexed(text)) }

    /// A text in pieces.
    func lexed(_ text: String) -> QueryLexer {
        var bytes = Array(text.utf8)
        let limit = max(options.limits.maximumTextLength, 0)
        let isCut = bytes.count > limit
        if isCut {
            var end = limit
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        var lexer = QueryLexer(
            bytes, fields: fields, isAttribute: isAttribute, isWord: isWord, options: options)
        if isCut {
            lexer.diagnostics.append(
                .limitExceeded, bytes.count..<text.utf8.count,
                "Longer than \(limit) bytes: the rest of the text is left out.")
        }
        lexer.run()
        return lexer
    }

    /// The query of the pieces of a text.
    func parsed(_ lexer: QueryLexer) -> ParsedQuery {
        var resolver = QueryTokenResolver(lexer)
        let tokens = resolver.run()
        if tokens.isEmpty {
            let query = wholeText(lexer)
            return ParsedQuery(query: query, diagnostics: resolver.diagnostics)
        }
        var builder = QueryBuilder(options, isLowValue: isLowValue, isWord: isWord)
        let query = builder.build(tokens)
        if builder.hasTooManyWords {
            resolver.diagnostics.append(
                .limitExceeded, 0..<lexer.text.count,
                "Only the first \(max(options.limits.maximumExpandedWords, 0)) words are looked for in several ways."
            )
        }
        return ParsedQuery(query: query, diagnostics: resolver.diagnostics)
    }

    /// What a text without any operand means.
    private func wholeText(_ lexer: QueryLexer) -> Query {
        var lexer = lexer
        let text = lexer.text
        var start = 0
        while case let length = text.whitespaceLength(at: start), length > 0 { start += length }
        guard start < text.count else { return .everything }
        let word = lexer.limited(Array(text.bytes[start...]), start..<text.count)
        return word.isEmpty ? .nothing : .term(word)
    }
}

/// A query and how its text was read.
public struct ParsedQuery: Hashable, Sendable {
    /// The query, in normal form.
    public let query: Query
    /// What was read differently than it may have been meant.
    public let diagnostics: QueryDiagnostics
}
