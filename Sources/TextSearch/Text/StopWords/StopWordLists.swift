/// The built-in lists of stop words but the English one: words divided by spaces.
enum StopWordLists {
    /// The words of a language by its ISO 639-1 code; nil when there is no list.
    static func words(_ code: String) -> String? {
        switch code {
        case "ar": arabic
        case "bg": bulgarian
        case "ca": catalan
        case "cs": czech
        case "da": danish
        case "de": german
        case "el": greek
        case "es": spanish
        case "fa": persian
        case "fi": finnish
        case "fr": french
        case "he": hebrew
        case "hi": hindi
        case "hr": croatian
        case "hu": hungarian
        case "id": indonesian
        case "it": italian
        case "nb", "no": norwegian
        case "nl": dutch
        case "pl": polish
        case "pt": portuguese
        case "ro": romanian
        case "ru": russian
        case "sk": slovak
        case "sr": serbian
        case "sv": swedish
        case "tr": turkish
        case "uk": ukrainian
        case "vi": vietnamese
        default: nil
        }
    }

    /// The codes for which there are words.
    static let codes = [
        "ar", "bg", "ca", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "he", "hi", "hr", "hu",
        "id", "it", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sr", "sv", "tr", "uk", "vi",
    ]
}
