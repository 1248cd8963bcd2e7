/// The rules of English for number and the possessive, and those of signs.
extension WordVariants {
    /// Spellings that would mean the same.
    static func spellings(of word: String) -> [String] {
        let lower = word.lowercased().replacing("’", with: "'")
        var found: [String] = []
        if lower.hasSuffix("'s") || lower.hasSuffix("s'") {
            found += numbers(of: String(lower.dropLast(2)))
        }
        found += writtenTogether(lower)
        if lower.contains("'") { found.append(lower.replacing("'", with: "")) }
        guard lower.allSatisfy(\.isLetter), lower.count > 2 else { return found }
        found += numbers(of: lower)
        // dont, theyre, ill: the apostrophe is before the last letters.
        for ending in ["t", "s", "d", "m", "re", "ve", "ll"] where lower.hasSuffix(ending) {
            found.append(lower.dropLast(ending.count) + "'" + ending)
        }
        return found
    }

    /// The Arabic article, which is written with its word, and the tones of emoji.
    private static func writtenTogether(_ word: String) -> [String] {
        guard let first = word.unicodeScalars.first else { return [] }
        if (0x0620...0x064A).contains(first.value) {
            let article = "\u{627}\u{644}"
            if word.hasPrefix(article) {
                let rest = String(word.unicodeScalars.dropFirst(2))
                return rest.unicodeScalars.count > 1 ? [rest] : []
            }
            return word.unicodeScalars.count > 1 ? [article + word] : []
        }
        guard first.properties.isEmojiModifierBase, word.unicodeScalars.count == 1 else {
            return []
        }
        return (0x1F3FB...0x1F3FF).compactMap { Unicode.Scalar($0).map { word + String($0) } }
    }

    /// The word, its plural and its singular, as far as endings tell.
    private static func numbers(of word: String) -> [String] {
        var found = [word]
        if word.hasSuffix("ies"), word.count > 4 { found.append(word.dropLast(3) + "y") }
        // A plural in "ies" is that of a word in "y" or "ie", never of one in "i".
        if word.hasSuffix("es"), !word.hasSuffix("ies"), word.count > 4 {
            found.append(String(word.dropLast(2)))
        }
        if word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 {
            found.append(String(word.dropLast()))
        }
        if word.hasSuffix("y"), word.count > 2 { found.append(word.dropLast() + "ies") }
        if !word.hasSuffix("s") || word.hasSuffix("ss") {
            found.append(word + "s")
            if !word.hasSuffix("i") { found.append(word + "es") }
        }
        return found
    }
}
