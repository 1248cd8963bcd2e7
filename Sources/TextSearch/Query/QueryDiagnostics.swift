/// A remark on how a query text was read.
public struct QueryDiagnostic: Hashable, Sendable {
    /// The kind of a remark. Later versions may add more.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// A stable name of the kind.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A quotation mark is never closed; the rest of the text is the phrase.
        public static let unbalancedQuote = Kind(rawValue: "unbalancedQuote")
        /// A parenthesis has no partner, or too many are open; it is read as text.
        public static let unbalancedParenthesis = Kind(rawValue: "unbalancedParenthesis")
        /// `AND`, `OR` or `NOT` without an operand, or a sign with nothing to act on; read as text.
        public static let misplacedOperator = Kind(rawValue: "misplacedOperator")
        /// A name before a colon is neither a field nor an attribute, so both are read as text. In
        /// a typed query: the index does not have the field, and what is asked of it matches
        /// nothing.
        public static let unknownField = Kind(rawValue: "unknownField")
        /// A comparison, range, number or function that cannot be understood; read as text.
        public static let malformed = Kind(rawValue: "malformed")
        /// A regular expression that cannot be compiled. It is read as text, or matches nothing if
        /// it cannot be text.
        public static let invalidPattern = Kind(rawValue: "invalidPattern")
        /// Symbols alone, or parentheses around nothing; left out. A query of nothing else matches
        /// nothing.
        public static let ignored = Kind(rawValue: "ignored")
        /// A number out of its range; the nearest valid one is used.
        public static let clamped = Kind(rawValue: "clamped")
        /// A limit of ``QueryLimits`` cut something off.
        public static let limitExceeded = Kind(rawValue: "limitExceeded")
        /// A minus leaves out the objects with a word of up to three characters or a number, which
        /// may be pasted text. In quotation marks it is searched for.
        public static let minusExcludes = Kind(rawValue: "minusExcludes")
        /// `AND` and `NOT` were read as words: the text is all in capitals or only excludes a word,
        /// or no object matches with `NOT` as an operator.
        public static let operatorReadAsText = Kind(rawValue: "operatorReadAsText")
    }

    /// The kind of the remark, for programs.
    public let kind: Kind
    /// The range in the text, in UTF-8 code units.
    public let utf8Range: Range<Int>
    /// What happened and how it was handled, for people. It does not repeat the text.
    public let message: String
    /// Words of the index to search for instead, the likeliest first; see ``Kind/unknownWord``.
    public let suggestions: [String]

    /// Creates a remark on a range of a query text.
    ///
    /// - Parameters:
    ///   - kind: The kind of the remark.
    ///   - utf8Range: The range in the text, in UTF-8 code units.
    ///   - message: A sentence for people.
    ///   - suggestions: Words of the index to search for instead.
    public init(
        kind: Kind, utf8Range: Range<Int>, message: String, suggestions: [String] = []
    ) {
        self.suggestions = suggestions
        self.kind = kind
        self.utf8Range = utf8Range
        self.message = message
    }

    /// The range in the text that was parsed; nil if the text is too short to be that one.
    ///
    /// Complexity: O(*n*) in the length of the text for strings bridged from elsewhere, else O(1).
    public func range(in text: String) -> Range<String.Index>? {
        text.range(ofUTF8: utf8Range)
    }
}

extension QueryDiagnostic: CustomStringConvertible {
    /// The kind, the range, the message and the suggestions on one line.
    public var description: String {
        "\(kind.rawValue) at \(utf8Range.lowerBound)..<\(utf8Range.upperBound): \(message)"
            + (suggestions.isEmpty ? "" : " Nearest: \(suggestions.joined(separator: ", ")).")
    }
}

/// The diagnostics of one query text, in the order in which they were found.
public struct QueryDiagnostics: Hashable, Sendable, RandomAccessCollection {
    private var diagnostics: [QueryDiagnostic] = []
    private let limit: Int

    /// How many more diagnostics there were than ``QueryLimits/maximumDiagnostics``.
    public private(set) var omittedCount = 0

    /// Creates a collection without diagnostics.
    ///
    /// - Parameter limit: How many diagnostics are kept.
    public init(limit: Int = QueryLimits().maximumDiagnostics) { self.limit = Swift.max(limit, 0) }

    /// Adds a diagnostic, or only counts it once the limit is reached. Complexity: O(1) amortised.
    public mutating func append(_ diagnostic: QueryDiagnostic) {
        if diagnostics.count < limit {
            diagnostics.append(diagnostic)
        } else {
            omittedCount += 1
        }
    }

    /// The position of the first diagnostic.
    public var startIndex: Int { 0 }
    /// The position after the last diagnostic.
    public var endIndex: Int { diagnostics.count }
    /// The diagnostic at a position.
    public subscript(position: Int) -> QueryDiagnostic { diagnostics[position] }

    /// Removes the diagnostics of a kind.
    mutating func removeAll(_ kind: QueryDiagnostic.Kind) {
        diagnostics.removeAll { $0.kind == kind }
    }

    mutating func append(_ kind: QueryDiagnostic.Kind, _ range: Range<Int>, _ message: String) {
        append(QueryDiagnostic(kind: kind, utf8Range: range, message: message))
    }
}
