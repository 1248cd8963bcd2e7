/// The readings of a query text that a search tries in turn, until a page is full.
///
/// ```swift
/// let results = try index.search("runing shoe", steps: .all)          // finds "running shoes"
/// let exact = try index.search("runing shoe", steps: .exact)          // objects with both words
/// ```
///
/// An object found by an earlier step always comes before one that only a later step finds; within
/// a step the ranking decides. By relevance, objects that have up to seven words of the text side
/// by side in their order count twice there, and four times if one of their strings has no
/// other words; with ``exact`` alone they do not. Where the last word may be unfinished, its
/// beginning is enough if it has three letters. Orders by weights alone, by sort keys or by a
/// function end with the first step that finds anything. A search without a page goes on as for
/// one of 20. Every step also finds the objects of the steps before it. Quoted phrases, wildcards,
/// excluded words, filters and the like mean the same in every step.
///
/// ``TextIndexConfiguration/steps`` sets the default. ``SearchResults/steps`` and
/// ``SearchResultItem/matchedBy`` say which steps were taken.
public struct SearchSteps: OptionSet, Hashable, Sendable, Codable {
    /// The bits. Stored by applications; never renumber.
    public let rawValue: Int

    /// Creates a set of steps from its bits.
    ///
    /// - Parameter rawValue: the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Objects with every word as it was typed. This step is always taken. If no other step may be
    /// taken and no object has all words, objects with any of them are returned, with a diagnostic.
    public static let exact = SearchSteps(rawValue: 1)
    /// Other spellings of the words: singular and plural, with and without 's, parts of joined
    /// words, two or three words joined, one word split in two, a letter and a word as they are
    /// joined by a sign (`o connor`), three letters or more as the initials that they are
    /// (`n w a`), a joined word such as `max_value` as its parts side by side, a long number with
    /// other signs in it.
    public static let variants = SearchSteps(rawValue: 2)
    /// The last word as the beginning of a word; with ``variants``, also of a part of a joined
    /// word.
    public static let unfinished = SearchSteps(rawValue: 4)
    /// One typing error in a word of four letters or more, two in a word of eight or more. Words
    /// with digits are not corrected, and no word is corrected to a stop word. With ``variants``, a
    /// word without a correction may be two of three letters or more that are joined, one of them
    /// with an error; so the first four words of a text that no object has are read. With
    /// ``unfinished``, the last word may also be the beginning of a word with one error if it has
    /// five letters or more and no object has it.
    public static let typos = SearchSteps(rawValue: 8)
    /// The words inside longer words.
    public static let insideWords = SearchSteps(rawValue: 16)
    /// All words but one, then half of them, then any, but never a single letter or digit alone. Of
    /// a text of more than five words any will do at once, as they are written. If nothing is
    /// found, any part of the query, a quoted phrase too.
    ///
    /// The parts of a joined word such as `l'amour` count as words. Of a run of a script without
    /// spaces, all pairs of characters but one are enough, then half of them.
    ///
    /// Titles, the first of several fields, come earlier if they have all words but one of three to
    /// seven, and objects have each word: before ``unfinished`` if there is one such title, before
    /// ``typos`` if there are up to eight of three words.
    public static let someWords = SearchSteps(rawValue: 32)

    /// Every step; the default of ``TextIndexConfiguration/steps``.
    public static let all: SearchSteps = [
        .exact, .variants, .unfinished, .typos, .insideWords, .someWords,
    ]

    /// The steps in the order in which they are taken.
    static let inOrder: [SearchSteps] = [
        .exact, .variants, .unfinished, .typos, .insideWords, .someWords,
    ]
}

extension SearchSteps: CustomStringConvertible {
    private static let names = [
        "exact", "variants", "unfinished", "typos", "insideWords", "someWords",
    ]

    /// The names of the steps, in order, separated by commas.
    public var description: String { names.joined(separator: ", ") }

    /// The names of the steps, in order, as the properties of this type are called.
    public var names: [String] {
        zip(Self.inOrder, Self.names).filter { contains($0.0) }.map(\.1)
    }

    /// Creates steps from their names, with ``exact``, which is always taken.
    ///
    /// - Parameter names: the names, as ``names`` returns them, or `all`. Nil if one is unknown.
    public init?(names: some Sequence<some StringProtocol>) {
        var steps = Self.exact
        for name in names {
            guard let step = name == "all" ? .all : Self(named: String(name)) else { return nil }
            steps.formUnion(step)
        }
        self = steps
    }

    /// Creates the step with a name.
    ///
    /// - Parameter name: a name as in ``description``; nil for any other.
    public init?(named name: String) {
        guard let place = Self.names.firstIndex(of: name) else { return nil }
        self = Self.inOrder[place]
    }
}
