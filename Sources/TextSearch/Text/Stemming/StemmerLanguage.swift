/// A language whose inflected words can be reduced to stems, by Snowball's algorithms.
///
/// The raw values are Snowball's names, as libstemmer knows them.
public enum StemmerLanguage: String, CaseIterable, Sendable, Hashable, Codable {
    /// Arabic.
    case arabic
    /// Armenian.
    case armenian
    /// Basque.
    case basque
    /// Catalan.
    case catalan
    /// Danish.
    case danish
    /// Dutch.
    case dutch
    /// English, by Porter's newer algorithm.
    case english
    /// Finnish.
    case finnish
    /// French.
    case french
    /// German.
    case german
    /// Modern Greek.
    case greek
    /// Hindi.
    case hindi
    /// Hungarian.
    case hungarian
    /// Indonesian.
    case indonesian
    /// Irish.
    case irish
    /// Italian.
    case italian
    /// Lithuanian.
    case lithuanian
    /// Nepali.
    case nepali
    /// Norwegian, Bokmål.
    case norwegian
    /// English, by Porter's algorithm of 1980, for comparison with what was measured with it.
    case porter
    /// Portuguese.
    case portuguese
    /// Romanian.
    case romanian
    /// Russian.
    case russian
    /// Serbian, in Latin and in Cyrillic letters; the stems are Latin.
    case serbian
    /// Spanish.
    case spanish
    /// Swedish.
    case swedish
    /// Tamil.
    case tamil
    /// Turkish.
    case turkish
    /// Yiddish.
    case yiddish

    /// The language of an ISO 639-1 code.
    ///
    /// - Parameter code: a code of two letters in any case, such as `"en"`; for Norwegian `"no"` or `"nb"`.
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
