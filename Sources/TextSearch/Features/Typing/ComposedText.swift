/// A text with the part that an input method still composes.
struct ComposedText {
    /// The text without it.
    let finished: String
    /// What it is looked for by: nil where it has no words.
    let query: Query?

    /// `marked` is the part that is composed; the rest of a word that it stands in belongs to it,
    /// where words have spaces between them.
    init(_ text: String, marked: Range<String.Index>) {
        var lower = max(min(marked.lowerBound, text.endIndex), text.startIndex)
        var upper = max(min(marked.upperBound, text.endIndex), lower)
        if lower < upper {
            if let first = text[lower..<upper].first, Self.isOfSpacedWord(first) {
                while lower > text.startIndex,
                    Self.isOfSpacedWord(text[text.index(before: lower)])
                {
                    lower = text.index(before: lower)
                }
            }
            if let last = text[lower..<upper].last, Self.isOfSpacedWord(last) {
                while upper < text.endIndex, Self.isOfSpacedWord(text[upper]) {
                    upper = text.index(after: upper)
                }
            }
        }
        finished = lower < upper ? "\(text[..<lower]) \(text[upper...])" : text
        let parts = text[lower..<upper].split(whereSeparator: \.isWhitespace)
            .compactMap(Self.query)
        query = parts.isEmpty ? nil : NormalForm.all(parts)
    }

    /// A word is the beginning of one; in scripts without spaces it may stand anywhere, without the
    /// letters that wait to become one of its characters (the k of とうk).
    private static func query(_ part: Substring) -> Query? {
        guard part.unicodeScalars.contains(where: SpacelessScript.has) else {
            return part.contains { $0.isLetter || $0.isNumber } ? .prefix(String(part)) : nil
        }
        var scalars = part.unicodeScalars
        while let last = scalars.last, last.isASCII, last.properties.isAlphabetic {
            scalars.removeLast()
        }
        return .infix(String(String.UnicodeScalarView(scalars)))
    }

    private static func isOfSpacedWord(_ character: Character) -> Bool {
        (character.isLetter || character.isNumber)
            && !character.unicodeScalars.contains(where: SpacelessScript.has)
    }
}
