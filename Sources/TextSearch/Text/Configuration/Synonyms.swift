/// Words that stand for each other in queries.
///
/// They are applied to the terms and phrases of a query when it runs, so changing them needs no new
/// index. Texts searched in a field are compared as that field's analysis reads them: in a field of
/// code `unitedKingdom` is "united kingdom". Texts searched in all strings are compared as
/// ``TextIndexConfiguration/analysis`` reads them, whatever the analyses of fields.
///
/// ```swift
/// var configuration = TextIndexConfiguration()
/// configuration.synonyms = [
///     .equivalent("car", "automobile", "motor car"),
///     .replacing("uk", with: "united kingdom", "great britain"),
/// ]
/// ```
///
/// **Thread safety**: a value.
public struct Synonyms: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// A set of words that stand for each other, or words and what else to search for.
    public struct Rule: Sendable, Hashable {
        /// What is looked up in queries: each one word or several.
        let sources: [String]
        /// What is looked for besides.
        let targets: [String]

        /// Each of the texts also finds the others.
        ///
        /// - Parameter texts: texts of one or more words.
        /// - Returns: The rule.
        public static func equivalent(_ texts: String...) -> Rule {
            Rule(sources: texts, targets: texts)
        }

        /// A text also finds others, which do not find it.
        ///
        /// - Parameters:
        ///   - text: a text of one or more words.
        ///   - others: texts of one or more words.
        /// - Returns: The rule.
        public static func replacing(_ text: String, with others: String...) -> Rule {
            Rule(sources: [text], targets: others)
        }
    }

    let rules: [Rule]

    /// No synonyms: words find only themselves.
    public static let none = Synonyms([])

    /// Creates synonyms.
    ///
    /// - Parameter rules: the rules.
    public init(_ rules: [Rule]) { self.rules = rules }

    /// Creates synonyms.
    ///
    /// - Parameter elements: the rules.
    public init(arrayLiteral elements: Rule...) { rules = elements }

    /// Reads synonyms from text, one rule a line: words that stand for each other, separated by
    /// commas, or `a, b => c, d` for words and what they also find. Empty lines and what follows
    /// `#` are ignored.
    ///
    /// - Parameter text: the text of a file.
    /// - Throws: ``TextIndexError`` with `.invalidArgument`, which names the line, if a line has no
    ///   rule.
    public init(parsing text: String) throws {
        var rules: [Rule] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let content = line.prefix { $0 != "#" }
            if content.allSatisfy(\.isWhitespace) { continue }
            let sides = content.split(separator: "=>", omittingEmptySubsequences: false).map(
                Self.texts)
            switch sides.count {
            case 1 where sides[0].count > 1:
                rules.append(Rule(sources: sides[0], targets: sides[0]))
            case 2 where !sides[0].isEmpty && !sides[1].isEmpty:
                rules.append(Rule(sources: sides[0], targets: sides[1]))
            default:
                throw TextIndexError(
                    .invalidArgument,
                    """
                    Line \(number + 1) of the synonyms says nothing: write words that stand for each other with \
                    commas between them, or "words => what they also find".
                    """)
            }
        }
        self.rules = rules
    }

    private static func texts(_ side: Substring) -> [String] {
        side.split(separator: ",").map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        .filter { !$0.isEmpty }
    }
}
