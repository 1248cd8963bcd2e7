/// The ways to look for a word, ranked in this order: as it is, as the beginning of words, inside
/// words, with typing errors.
///
/// ```swift
/// let query = Query.matching("duk", [.exact, .prefix, .fuzzy])
/// var parser = index.queryParser
/// parser.options.matchModes = .lenient
/// let results = try index.search("pekin duk", parser: parser)
/// ```
public struct MatchModes: OptionSet, Hashable, Sendable, Codable {
    /// The bits. Stored by applications; never renumber.
    public let rawValue: Int

    /// Creates a set of ways from its bits.
    ///
    /// - Parameter rawValue: the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The word itself, as the index analyses it.
    public static let exact = MatchModes(rawValue: 1)
    /// Words that begin with it.
    public static let prefix = MatchModes(rawValue: 2)
    /// Words that contain it, at any offset.
    public static let infix = MatchModes(rawValue: 4)
    /// Words within a number of edits that depends on its length: none below three characters, one
    /// below six, else two.
    public static let fuzzy = MatchModes(rawValue: 8)
    /// Words that differ from it in one character.
    public static let oneEdit = MatchModes(rawValue: 16)
    /// Words that differ from it in one or two characters.
    public static let twoEdits = MatchModes(rawValue: 32)

    /// All ways: exact, prefix, infix and fuzzy.
    public static let lenient: MatchModes = [.exact, .prefix, .infix, .fuzzy]

    /// The greatest number of edits for a word.
    fileprivate func distance(for word: String) -> Int {
        let usual = contains(.fuzzy) ? Query.usualDistance(of: word) : 0
        return max(usual, contains(.twoEdits) ? 2 : contains(.oneEdit) ? 1 : 0)
    }
}

extension Query {
    /// Objects that any of the queries matches. Matches of an earlier query always rank above those
    /// of later ones only.
    ///
    /// An object that the first query matches keeps its score. One that only a later query matches
    /// scores less than the lowest score further up: a share (1 + s ∕ (1 + |s|)) ∕ 2 of that for a
    /// score of s, or as much less than 1 below it if it is not positive. So scores do not depend
    /// on later queries. If the first query asks for nothing, since it has only stop words, neither
    /// does the whole.
    ///
    /// ```swift
    /// .first(of: [
    ///     .phrase("peking duck"), .near(["peking", "duck"], within: 5),
    ///     .any(of: [.term("peking"), .term("duck")]),
    /// ])
    /// ```
    ///
    /// - Parameter queries: The queries, the most wanted first; with none, no object matches.
    /// - Returns: The query.
    public static func first(of queries: [Query]) -> Query { Query(.first(queries)) }

    /// Objects with a word in one of several ways, an earlier way always above a later one:
    /// ``MatchModes/exact``, ``MatchModes/prefix``, ``MatchModes/infix``, one edit, two edits.
    ///
    /// It is made of ``first(of:)``, so that the scores of several words add up. If the text is not
    /// a single word of letters and digits, its last word may begin a word, all are looked for
    /// inside words, and none with typing errors.
    ///
    /// - Parameters:
    ///   - word: A word.
    ///   - modes: The ways; none count as ``MatchModes/exact``.
    /// - Returns: The query.
    public static func matching(_ word: String, _ modes: MatchModes = .lenient) -> Query {
        let isSimple = word.unicodeScalars.allSatisfy(isLetterOrDigit)
        var ways: [Query] = []
        if modes.contains(.exact) { ways.append(.term(word)) }
        if modes.contains(.prefix) {
            ways.append(isSimple ? .prefix(word) : .phrase(word, lastWordIsPrefix: true))
        }
        if modes.contains(.infix) { ways.append(isSimple ? .infix(word) : .keyword(word)) }
        let distance = isSimple ? modes.distance(for: word) : 0
        if distance > 0 { ways += (1...distance).map { .fuzzy(word, distance: $0) } }
        // What fuzzy modes ask of a word that is too short for them.
        if ways.isEmpty { ways = [.term(word)] }
        return ways.count == 1 ? ways[0] : .first(of: ways)
    }

    /// Of text in scripts without spaces the words are not known before it is analysed.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return QuerySyntax.isAlphanumeric(UInt8(scalar.value)) }
        guard !UnicodeTables.shared.properties(scalar.value).isSpaceless else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber:
            return true
        default: return false
        }
    }

    /// How many typing errors a word may have when nobody says: none in very short words, which
    /// else would match anything.
    static func usualDistance(of word: String) -> Int {
        let count = word.unicodeScalars.count
        return count < 3 ? 0 : count < 6 ? 1 : 2
    }
}

/// Looks for the bare words of a text in several ways.
struct BareWordModes {
    private let modes: MatchModes
    private var room: Int
    private(set) var isExceeded = false

    init(_ options: QueryParser.Options) {
        modes = options.matchModes
        room = max(options.limits.maximumExpandedWords, 0)
    }

    /// What was read as one operand; a word has become what looks for it.
    mutating func applied(to query: Query) -> Query {
        if modes.isEmpty || modes == .exact { return query }
        switch query.node {
        case .term(let word): return matching(word, modes)
        case .any(let parts) where parts.count == 2:
            // A word that may be unfinished.
            guard case .term(let word) = parts[0].node, case .prefix(word) = parts[1].node else {
                return query
            }
            return matching(word, modes.union(.prefix))
        case .boost(let part, let factor): return .joinedBoost(applied(to: part), factor)
        case .constantScore(let part, let score):
            return .joinedConstantScore(applied(to: part), score)
        default: return query
        }
    }

    private mutating func matching(_ word: String, _ modes: MatchModes) -> Query {
        guard room > 0 else {
            isExceeded = true
            return .term(word)
        }
        room -= 1
        return .matching(word, modes)
    }
}
