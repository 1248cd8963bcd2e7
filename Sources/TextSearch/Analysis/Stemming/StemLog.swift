/// The stems of the words of a segment being built.
///
/// Each distinct written word comes once, or a few times: duplicates go when the list is made.
struct StemLog {
    /// The language of the object whose text is scanned.
    var language: StemmerLanguage? {
        didSet { if language != oldValue { noted = [] } }
    }
    private var stemmers: [StemmerLanguage: Stemmer] = [:]
    private var folded = FoldedWord()
    /// For each analysis the terms whose stems were noted, for text of `language`.
    private var noted: [[Bool]] = []
    private(set) var pairs: [StemList.Pair] = []

    var isEmpty: Bool { pairs.isEmpty }
    /// Roughly.
    var byteCount: Int { pairs.count * 64 }

    /// Whether words are those of a query, which may be of any of the languages.
    var isQuery = false

    @inline(__always)
    func isNoted(_ term: Int, _ analysis: Int) -> Bool {
        analysis < noted.count && term < noted[analysis].count && noted[analysis][term]
    }

    mutating func note(_ term: Int, _ analysis: Int) {
        while analysis >= noted.count { noted.append([]) }
        let count = noted[analysis].count
        if term >= count {
            noted[analysis] += [Bool](repeating: false, count: term + 1 - count + count / 2)
        }
        noted[analysis][term] = true
    }

    /// Notes the stem of a word that gave a term.
    mutating func add(
        _ word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer,
        term: UnsafeBufferPointer<UInt8>
    ) {
        var candidates = Self.candidates(for: word, analysis)
        if !isQuery, let chosen = candidates.first(where: { $0 == language }) ?? candidates.first {
            candidates = [chosen]
        }
        for candidate in candidates {
            guard let key = key(of: word, candidate, analysis) else { continue }
            pairs.append(StemList.Pair(key: key, term: Array(term)))
        }
    }

    /// The folded stems of a word by their languages.
    mutating func stems(
        of word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer, asQuery: Bool
    ) -> [StemmerLanguage: String] {
        var languages = Self.candidates(for: word, analysis)
        if !asQuery {
            languages = Array(
                (languages.filter { $0 == language } + languages.prefix(1)).prefix(1))
        }
        var stems: [StemmerLanguage: String] = [:]
        for language in languages {
            if let key = key(of: word, language, analysis) {
                stems[language] = String(decoding: key.dropFirst(), as: UTF8.self)
            }
        }
        return stems
    }

    private static func candidates(
        for word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer
    ) -> [StemmerLanguage] {
        guard let script = StemmerScript(of: word) else { return [] }
        return analysis.stemming.candidates(for: script)
    }

    /// The stem, behind the number of its language. No stemmer where the installed library knows none: opening the index has refused that.
    private mutating func key(
        of word: UnsafeBufferPointer<UInt8>, _ language: StemmerLanguage, _ analysis: FieldAnalyzer
    ) -> [UInt8]? {
        guard let stemmer = stemmers[language] ?? (try? Stemmer(language)) else { return nil }
        stemmers[language] = stemmer
        let rest = Self.withoutElision(word, language)
        stemmer.stem(word: rest, folder: analysis.folder, into: &folded)
        guard !folded.bytes.isEmpty else { return nil }
        return [language.storedNumber] + folded.bytes.lazy.filter { $0 != 0 }
    }

    /// What follows an apostrophe behind an article, as in l'homme.
    private static func withoutElision(
        _ word: UnsafeBufferPointer<UInt8>, _ language: StemmerLanguage
    ) -> UnsafeBufferPointer<UInt8> {
        let elisions = language.elisions
        guard !elisions.isEmpty else { return word }
        for index in 1..<max(min(word.count, 7), 1) {
            let length: Int
            if word[index] == 0x27 {
                length = 1
            } else if word[index] == 0xe2, index + 2 < word.count, word[index + 1] == 0x80,
                word[index + 2] == 0x99
            {
                length = 3
            } else {
                continue
            }
            // The articles are ASCII: a letter of theirs is in lower case with this bit set.
            let head = String(decoding: word[0..<index].map { $0 | 0x20 }, as: UTF8.self)
            guard index + length < word.count, elisions.contains(head) else { return word }
            return UnsafeBufferPointer(rebasing: word[(index + length)...])
        }
        return word
    }
}
