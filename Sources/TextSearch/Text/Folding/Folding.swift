/// The differences of writing that an index does not tell apart.
///
/// Whatever is chosen, canonically equivalent texts (é in one piece or in two) are the same, and invisible characters are no
/// part of a word's beginning or end.
public struct Folding: OptionSet, Sendable, Hashable {
    /// Stored in the settings of indexes; never renumber.
    public let rawValue: UInt16

    /// Creates a set from its raw value.
    ///
    /// - Parameter rawValue: the sum of the members' values.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Capital and small letters, by full case folding: ß is ss.
    public static let letterCase = Folding(rawValue: 1 << 0)
    /// Accents and other marks on letters of the Latin, Greek and Cyrillic scripts. Marks that are vowels, as in Devanagari, always
    /// count.
    public static let diacritics = Folding(rawValue: 1 << 1)
    /// Full-width and half-width forms.
    public static let width = Folding(rawValue: 1 << 2)
    /// Ligatures, superscripts, circled numbers and other compatibility forms.
    public static let compatibility = Folding(rawValue: 1 << 3)
    /// Letters that people type plainly though they are letters of their own: ø, đ, ł, œ, þ, æ; variants of Arabic letters.
    public static let letters = Folding(rawValue: 1 << 4)
    /// Typographic apostrophes and the plain one.
    public static let punctuation = Folding(rawValue: 1 << 5)
    /// Hebrew points, Arabic and Syriac vowel signs, tatweel.
    public static let points = Folding(rawValue: 1 << 6)
    /// Soft hyphens, joiners and other characters that are not seen.
    public static let invisible = Folding(rawValue: 1 << 7)

    /// All of them.
    public static let all = Folding(rawValue: 0xff)

    /// What goes into the settings of an index; empty for all.
    var identity: String { self == .all ? "" : ", folding \(rawValue & Self.all.rawValue)" }
}
