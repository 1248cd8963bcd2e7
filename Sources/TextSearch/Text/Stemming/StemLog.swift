/// The stems of the words of a segment being built, or of a query.
///
/// A term may be written in several ways with different stems: *resume* and *résumé*. Most terms
/// are written as they are, so that nothing has to be kept for an occurrence: its stem is that of
/// the term, which is noted once. An occurrence that is written otherwise, and has another stem,
/// has a *variant*, whose number goes along with it into the log of words (`WordLog.variants`).
struct StemLog {
    /// The language of the object whose text is scanned.
    var language: StemmerLanguage? {
        didSet {
            guard language != oldValue else { return }
            let number = oldValue?.storedNumber ?? 0
            others[number] = plain
            plain = others.removeValue(forKey: language?.storedNumber ?? 0) ?? []
        }
    }
    /// Whether words are those of a query, which may be of any of the languages.
    var isQuery = false
    /// Of the last word that was folded: the number of its variant, 0 for none.
    var variant: UInt32 = 0

    private var stemmers: [StemmerLanguage: Stemmer] = [:]
    private var folded = FoldedWord()
    /// Each stem and a term that has it, once or a few times.
    private(set) var pairs: [StemPair] = []
    /// For each analysis and term, in text of `language`: the number of its pair as it is written
    /// itself, from 1; 0 where it was not met so, `.max` where it has no stem.
    private var plain: [[UInt32]] = []
    /// The same in text of other languages, by their stored numbers; 0 for text of none.
    private var others: [UInt8: [[UInt32]]] = [:]
    /// The numbers of variants, and the pair of each, from 1; 0 where it has no stem.
    private var numbers: [Variant: UInt32] = [:]
    private var variants: [UInt32] = [0]

    private struct Variant: Hashable {
        var term: Int
        var key: [UInt8]?
    }

    var isEmpty: Bool { pairs.isEmpty }
    var hasVariants: Bool { variants.count > 1 }
    /// Whether the stem of a term depends on the string that it is in.
    var hasSeveralReadings: Bool {
        (Array(others.values) + [plain]).joined().count { !$0.isEmpty } > 1
    }

    // MARK: Words of an object

    @inline(__always)
    func isNoted(_ term: Int, _ analysis: Int) -> Bool { plainPair(term, analysis) != 0 }

    @inline(__always)
    private func plainPair(_ term: Int, _ analysis: Int) -> UInt32 {
        guard analysis < plain.count, term < plain[analysis].count else { return 0 }
        return plain[analysis][term]
    }

    /// The place in `pairs` of an occurrence of a term; nil where it has no stem.
    func pair(
        of term: Int, variant: UInt32, _ analysis: Int, _ language: UInt8
    ) -> Int? {
        if variant > 0 {
            return variants[Int(variant)] == 0 ? nil : Int(variants[Int(variant)]) - 1
        }
        let isCurrent = language == self.language?.storedNumber ?? 0
        guard let all = isCurrent ? plain : others[language], analysis < all.count,
            term < all[analysis].count, case let pair = all[analysis][term],
            pair != 0, pair != .max
        else { return nil }
        return Int(pair) - 1
    }

    /// Notes the stem of a word that gave a term; `variant` is then that of the word.
    mutating func note(
        _ word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer,
        term: UnsafeBufferPointer<UInt8>, number: Int
    ) {
        variant = 0
        if isQuery { return addAll(word, analysis, term) }
        if word.elementsEqual(term) {
            if !isNoted(number, analysis.number) {
                notePlain(chosenKey(of: term, analysis), term, number, analysis.number)
            }
            return
        }
        let key = chosenKey(of: word, analysis)
        let known = plainPair(number, analysis.number)
        let plainKey: [UInt8]?
        switch known {
        case 0: plainKey = chosenKey(of: term, analysis)
        case .max: plainKey = nil
        default: plainKey = pairs[Int(known) - 1].key
        }
        if key == plainKey {
            if known == 0 { notePlain(key, term, number, analysis.number) }
            return
        }
        let name = Variant(term: number, key: key)
        if let known = numbers[name] {
            variant = known
            return
        }
        if let key { pairs.append(StemPair(key: key, term: Array(term))) }
        variants.append(key == nil ? 0 : UInt32(pairs.count))
        variant = UInt32(variants.count - 1)
        numbers[name] = variant
    }

    private mutating func notePlain(
        _ key: [UInt8]?, _ term: UnsafeBufferPointer<UInt8>, _ number: Int, _ analysis: Int
    ) {
        while analysis >= plain.count { plain.append([]) }
        let count = plain[analysis].count
        if number >= count {
            plain[analysis] += [UInt32](repeating: 0, count: number + 1 - count + count / 2)
        }
        if let key { pairs.append(StemPair(key: key, term: Array(term))) }
        plain[analysis][number] = key == nil ? .max : UInt32(pairs.count)
    }

    /// The stem of a word in the language that it is of.
    private mutating func chosenKey(
        of word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer
    ) -> [UInt8]? {
        let candidates = Self.candidates(for: word, analysis)
        return (candidates.first { $0 == language } ?? candidates.first).flatMap {
            key(of: word, $0, analysis)
        }
    }

    // MARK: Words of a query

    private mutating func addAll(
        _ word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer,
        _ term: UnsafeBufferPointer<UInt8>
    ) {
        for candidate in Self.candidates(for: word, analysis) {
            guard let key = key(of: word, candidate, analysis) else { continue }
            pairs.append(StemPair(key: key, term: Array(term)))
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

    /// The stem, behind the number of its language. No stemmer where the installed library knows
    /// none: opening the index has refused that.
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
