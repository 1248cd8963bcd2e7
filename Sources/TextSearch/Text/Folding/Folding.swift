/// The differences in writing that an index ignores.
///
/// In every case canonically equivalent texts (é as one scalar or two) are the same, and invisible
/// characters neither begin nor end a word.
public struct Folding: OptionSet, Sendable, Hashable {
    /// The bits; stored in the settings of indexes, so never renumber.
    public let rawValue: UInt16

    /// Creates a set from its raw value.
    ///
    /// - Parameter rawValue: the sum of the members' values.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Capital and small letters, by full case folding: ß equals ss.
    public static let letterCase = Folding(rawValue: 1 << 0)
    /// Accents and other marks on letters of the Latin, Greek and Cyrillic scripts. Marks that are
    /// vowels, as in Devanagari, always count.
    public static let diacritics = Folding(rawValue: 1 << 1)
    /// Full-width and half-width forms of characters.
    public static let width = Folding(rawValue: 1 << 2)
    /// Ligatures, superscripts, circled numbers and other compatibility forms.
    public static let compatibility = Folding(rawValue: 1 << 3)
    /// Letters that people replace by plain ones though they are letters of their own: ø, đ, ł, œ,
    /// þ, æ; variants of Arabic letters.
    public static let letters = Folding(rawValue: 1 << 4)
    /// Typographic apostrophes and the plain one.
    public static let punctuation = Folding(rawValue: 1 << 5)
    /// Hebrew points, Arabic and Syriac vowel signs, tatweel.
    public static let points = Folding(rawValue: 1 << 6)
    /// Soft hyphens, joiners and other invisible characters.
    public static let invisible = Folding(rawValue: 1 << 7)

    /// All of these differences; the default.
    public static let all = Folding(rawValue: 0xff)

    /// What goes into the settings of an index; empty for all.
    var identity: String { self == .all ? "" : ", folding \(rawValue & Self.all.rawValue)" }
}
