/// A language whose inflected words can be reduced to stems, by Snowball's algorithms.
///
/// The raw values are Snowball's names, as libstemmer knows them.
public enum StemmerLanguage: String, CaseIterable, Sendable, Hashable, Codable {
    /// Arabic: stems words in Arabic letters.
    case arabic
    /// Armenian: stems words in Armenian letters.
    case armenian
    /// Basque: stems words in Latin letters.
    case basque
    /// Catalan: stems words in Latin letters.
    case catalan
    /// Danish: stems words in Latin letters.
    case danish
    /// Dutch: stems words in Latin letters.
    case dutch
    /// English, by Porter's newer algorithm.
    case english
    /// Finnish: stems words in Latin letters.
    case finnish
    /// French: stems words in Latin letters.
    case french
    /// German: stems words in Latin letters.
    case german
    /// Modern Greek: stems words in Greek letters.
    case greek
    /// Hindi: stems words in Devanagari letters.
    case hindi
    /// Hungarian: stems words in Latin letters.
    case hungarian
    /// Indonesian: stems words in Latin letters.
    case indonesian
    /// Irish: stems words in Latin letters.
    case irish
    /// Italian: stems words in Latin letters.
    case italian
    /// Lithuanian: stems words in Latin letters.
    case lithuanian
    /// Nepali: stems words in Devanagari letters.
    case nepali
    /// Norwegian (Bokmål): stems words in Latin letters.
    case norwegian
    /// English, by Porter's algorithm of 1980, for comparison with earlier measurements.
    case porter
    /// Portuguese: stems words in Latin letters.
    case portuguese
    /// Romanian: stems words in Latin letters.
    case romanian
    /// Russian: stems words in Cyrillic letters.
    case russian
    /// Serbian, in Latin and in Cyrillic letters; the stems are Latin.
    case serbian
    /// Spanish: stems words in Latin letters.
    case spanish
    /// Swedish: stems words in Latin letters.
    case swedish
    /// Tamil: stems words in Tamil letters.
    case tamil
    /// Turkish: stems words in Latin letters.
    case turkish
    /// Yiddish: stems words in Hebrew letters.
    case yiddish

    /// Creates a language from its ISO 639-1 code.
    ///
    /// - Parameter code: a code of two letters in any case, such as `"en"`; for Norwegian `"no"` or
    ///   `"nb"`.
    public init?(code: String) {
        let code = code.lowercased()
        if code == "nb" {
            self = .norwegian
            return
        }
        guard let language = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = language
    }

    /// The ISO 639-1 code; nil for ``porter``, which is a second algorithm for English.
    public var code: String? {
        switch self {
        case .arabic: "ar"
        case .armenian: "hy"
        case .basque: "eu"
        case .catalan: "ca"
        case .danish: "da"
        case .dutch: "nl"
        case .english: "en"
        case .finnish: "fi"
        case .french: "fr"
        case .german: "de"
        case .greek: "el"
        case .hindi: "hi"
        case .hungarian: "hu"
        case .indonesian: "id"
        case .irish: "ga"
        case .italian: "it"
        case .lithuanian: "lt"
        case .nepali: "ne"
        case .norwegian: "no"
        case .porter: nil
        case .portuguese: "pt"
        case .romanian: "ro"
        case .russian: "ru"
        case .serbian: "sr"
        case .spanish: "es"
        case .swedish: "sv"
        case .tamil: "ta"
        case .turkish: "tr"
        case .yiddish: "yi"
        }
    }
}
