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
    func distance(for word: String) -> Int {
        let usual = contains(.fuzzy) ? Self.usualDistance(of: word) : 0
        return max(usual, contains(.twoEdits) ? 2 : contains(.oneEdit) ? 1 : 0)
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
        case .boost(let part, let factor): return NormalForm.boost(applied(to: part), factor)
        case .constantScore(let part, let score):
            return NormalForm.constantScore(applied(to: part), score)
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
