import Testing

@testable import TextSearch

@Suite("Analysis: stop words")
struct StopWordTests {
    private let folder = Folder()

    @Test("Each list holds distinct single words", arguments: StopWords.availableLanguages)
    func lists(_ code: String) {
        let words = StopWords.language(code).words
        // Serbian is there in two scripts; Vietnamese words differ mostly in what folding leaves
        // out.
        let limits = code == "vi" ? 20...60 : code == "sr" ? 80...240 : 40...120
        #expect(limits.contains(words.count), "\(code): \(words.count)")
        var known: [String: String] = [:]
        for word in words {
            #expect(isSingleWord(word), "\(code): \(word)")
            let folded = folder.fold(word)
            #expect(!folded.isEmpty, "\(code): \(word)")
            #expect(known[folded] == nil, "\(code): \(word) folds as \(known[folded] ?? "")")
            known[folded] = word
        }
    }

    /// Whether the word breaker takes the whole text for one word.
    private func isSingleWord(_ text: String) -> Bool {
        var spans: [WordSpan] = []
        text.withBytes { bytes in
            var breaker = WordBreaker(bytes, from: 0, utf16Offset: 0)
            var fold = PlainFold()
            _ = breaker.scanRegion(folding: &fold) { span, _ in spans.append(span) }
        }
        return spans.count == 1 && spans[0].start == 0 && spans[0].end == text.utf8.count
            && !spans[0].isBigram
    }

    @Test("Function words that fold to content words are left out")
    func leftOut() {
        let content = [
            "ro": "peste", "tr": "su", "sv": "ar", "fr": "mais", "hr": "sto", "da": "har",
            "nb": "skal",
            "pt": "sao", "cs": "byt", "hu": "vagy", "vi": "voi", "ca": "mes", "es": "unas",
            "ar": "على", "de": "ware",
        ]
        for (code, word) in content {
            let folded = StopWords.language(code).words.map { folder.fold($0) }
            #expect(!folded.contains(folder.fold(word)), "\(code): \(word)")
        }
    }

    @Test("Languages are found by their codes")
    func codes() {
        #expect(StopWords.availableLanguages.count >= 24)
        #expect(StopWords.availableLanguages == StopWords.availableLanguages.sorted())
        #expect(StopWords.language("en") == .english)
        #expect(StopWords.english.name == "english-1")
        #expect(StopWords.language("DE").name == "de-1")
        #expect(StopWords.language("no") == .language("nb"))
        #expect(StopWords.language("sr").words.contains("између"))
        #expect(StopWords.language("sr").words.contains("između"))
        for code in ["zh", "ja", "th", "", "xx"] { #expect(StopWords.language(code) == .none) }
        let names = Set(StopWords.availableLanguages.map { StopWords.language($0).name })
        #expect(names.count == StopWords.availableLanguages.count - 1)
    }

    @Test("The lists of several languages are their union")
    func union() {
        let both = StopWords.languages(["fr", "de", "zh", "fr"])
        #expect(both == .languages(["de", "fr"]))
        #expect(both.name == "de-1+fr-1")
        let parts = StopWords.language("de").words + StopWords.language("fr").words
        #expect(Set(both.words) == Set(parts))
        #expect(both.words.count == Set(parts).count)
        #expect(StopWords.languages([]) == .none)
        #expect(StopWords.languages(["zh"]) == .none)
        #expect(StopWords.languages(["en"]) == .english)
        #expect(StopWords.languages(["no", "nb"]) == .language("nb"))
    }
}
