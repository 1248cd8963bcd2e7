/// Whether inflected words of a field find one another, and in which languages.
///
/// Words stay indexed as written: keywords, prefixes, infixes and wildcards match the written
/// words. Terms and phrases also match words with the same stem.
///
/// The stem is that of the word as the object writes it, accents included. So whether an object
/// matches depends on its own words alone.
public struct Stemming: Sendable, Hashable {
    /// The languages of the field's text, the most likely first.
    public let languages: [StemmerLanguage]

    /// No stemming: words find only themselves.
    public static let none = Stemming(languages: [])

    /// Text of one language. Words in a script that it is not written with have no stem.
    ///
    /// - Parameter language: the language.
    /// - Returns: The choice.
    public static func language(_ language: StemmerLanguage) -> Stemming {
        Stemming(languages: [language])
    }

    /// Text of several languages. Each word is stemmed in the object's own language
    /// (``IndexedObject/language``) if that uses the word's script, otherwise in the first language
    /// that does.
    ///
    /// - Parameter languages: the languages; the first one of each script counts if the object
    ///   names none.
    /// - Returns: The choice.
    public static func automatic(_ languages: [StemmerLanguage]) -> Stemming {
        var known = Set<StemmerLanguage>()
        return Stemming(languages: languages.filter { known.insert($0).inserted })
    }

    /// One language for each script that libstemmer supports; English for the Latin script.
    public static let automatic = Stemming.automatic([
        .english, .russian, .greek, .arabic, .armenian, .hindi, .tamil, .yiddish,
    ])

    /// What goes into the settings of an index; empty for none.
    var identity: String {
        languages.isEmpty ? "" : "stems \(languages.map(\.identity).joined(separator: ", "))"
    }

    /// The languages that a word may be of.
    func candidates(for script: StemmerScript) -> [StemmerLanguage] {
        languages.filter { $0.scripts.contains(script) }
    }
}

/// The scripts that stemmers tell apart.
enum StemmerScript: Sendable {
    case latin, cyrillic, greek, arabic, armenian, devanagari, tamil, hebrew

    /// The script of a word, by its first letter of any of them.
    init?(of word: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < word.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: word)
            if let script = Self.script(of: scalar) {
                self = script
                return
            }
            index += length
        }
        return nil
    }

    private static func script(of scalar: UInt32) -> StemmerScript? {
        switch scalar {
        case 0x41...0x5a, 0x61...0x7a, 0xc0...0x24f, 0x1e00...0x1eff, 0xff21...0xff5a,
            0xfb00...0xfb06:
            .latin
        case 0x370...0x3ff, 0x1f00...0x1fff: .greek
        case 0x400...0x52f: .cyrillic
        case 0x531...0x587: .armenian
        case 0x5d0...0x5f2, 0xfb1d...0xfb4f: .hebrew
        case 0x620...0x6ff, 0xfb50...0xfdff, 0xfe70...0xfefc: .arabic
        case 0x900...0x97f: .devanagari
        case 0xb80...0xbff: .tamil
        default: nil
        }
    }
}

extension StemmerLanguage {
    /// The scripts that the language is written with, as far as its algorithm knows them.
    var scripts: [StemmerScript] {
        switch self {
        case .arabic: [.arabic]
        case .armenian: [.armenian]
        case .greek: [.greek]
        case .hindi, .nepali: [.devanagari]
        case .russian: [.cyrillic]
        case .serbian: [.latin, .cyrillic]
        case .tamil: [.tamil]
        case .yiddish: [.hebrew]
        default: [.latin]
        }
    }

    /// Stored with stems, from 1: the place among the languages of libstemmer 2.2. Languages that
    /// come later go to the end.
    var storedNumber: UInt8 {
        UInt8(truncatingIfNeeded: (Self.allCases.firstIndex(of: self) ?? 0) + 1)
    }

    init?(storedNumber: UInt8) {
        let index = Int(storedNumber) - 1
        guard Self.allCases.indices.contains(index) else { return nil }
        self = Self.allCases[index]
    }

    /// Articles and particles that run into the next word with an apostrophe, which the algorithm
    /// does not take off.
    var elisions: Set<String> {
        switch self {
        case .french:
            ["l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"]
        case .italian:
            [
                "l", "d", "c", "s", "m", "t", "v", "n", "un", "all", "dall", "dell", "nell", "sull",
                "coll", "gl", "quell", "quest", "bell", "sant", "tutt",
            ]
        case .catalan: ["l", "d", "m", "t", "s", "n"]
        case .irish: ["d", "b", "m"]
        default: []
        }
    }
}
