internal import Foundation

/// A text with wild cards, and how much two texts may differ to be the same.
struct StringPattern: Hashable, Sendable, Codable {
    /// A piece of a pattern.
    enum Piece: Hashable, Sendable, Codable {
        case character(UInt32)
        /// Exactly one character.
        case one
        /// Any number of characters.
        case any
    }

    var pieces: [Piece]
    /// Upper and lower case are the same.
    var ignoresCase = false
    /// Letters with and without accents are the same.
    var ignoresAccents = false
    /// Whole words of a value are compared, wherever they are in it. A capital behind a small
    /// letter begins a word.
    var matchesWords = false
    /// Each word of the pattern is compared with the words of a value, in any order. A pattern
    /// without words matches nothing.
    var matchesTokens = false

    /// Whether it is one text exactly.
    var exactText: String? {
        guard !ignoresCase, !ignoresAccents, !matchesWords, !matchesTokens else { return nil }
        var text = String.UnicodeScalarView()
        for piece in pieces {
            guard case .character(let value) = piece, let scalar = Unicode.Scalar(value) else {
                return nil
            }
            text.append(scalar)
        }
        return String(text)
    }

    /// The text for people, with a backslash before what is no wild card.
    var text: String {
        var text = String.UnicodeScalarView()
        for piece in pieces {
            switch piece {
            case .one: text.append("?")
            case .any: text.append("*")
            case .character(let value):
                guard let scalar = Unicode.Scalar(value) else { continue }
                if scalar == "*" || scalar == "?" || scalar == "\\" { text.append("\\") }
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// Compares values with the pattern, which is brought into their form once.
    struct Matcher {
        private let pattern: StringPattern
        /// One pattern, or one for each word.
        private let parts: [[Piece]]

        init(_ pattern: StringPattern) {
            self.pattern = pattern
            var pieces: [Piece] = []
            var text = String.UnicodeScalarView()
            func fold() {
                pieces += pattern.folded(String(text)).map { .character($0.value) }
                text.removeAll()
            }
            for piece in pattern.pieces {
                if case .character(let value) = piece, let scalar = Unicode.Scalar(value) {
                    text.append(scalar)
                } else {
                    fold()
                    pieces.append(piece)
                }
            }
            fold()
            parts = pattern.matchesTokens ? Self.words(pieces) : [pieces]
        }

        private static func words(_ pieces: [Piece]) -> [[Piece]] {
            pieces.split { piece in
                guard case .character(let value) = piece, let scalar = Unicode.Scalar(value) else {
                    return false
                }
                return !StringPattern.isOfWord(scalar)
            }.map(Array.init)
        }

        /// Complexity: the product of both lengths; with words, for each word that the match may
        /// begin at.
        func matches(_ value: String) -> Bool {
            if pattern.matchesTokens {
                let scalars = pattern.folded(value)
                let words = StringPattern.words(scalars)
                return !parts.isEmpty
                    && parts.allSatisfy { part in
                        words.contains { StringPattern.matches(part, scalars[$0]) }
                    }
            }
            guard pattern.matchesWords else {
                return StringPattern.matches(parts[0], pattern.folded(value)[...])
            }
            let (scalars, words) = pattern.foldedWords(value)
            for (place, first) in words.enumerated() {
                for last in words[place...] {
                    let stretch = scalars[first.lowerBound..<last.upperBound]
                    if StringPattern.matches(parts[0], stretch) { return true }
                }
            }
            return false
        }
    }

    /// The scalars to compare.
    private func folded(_ text: String) -> [Unicode.Scalar] {
        var text = normalized(text)
        if ignoresCase { text = text.lowercased() }
        let scalars = Array(text.unicodeScalars)
        return ignoresAccents ? scalars.filter { !Self.isMark($0) } : scalars
    }

    /// The scalars to compare, and the words in them.
    private func foldedWords(
        _ text: String
    ) -> (scalars: [Unicode.Scalar], words: [Range<Int>]) {
        var scalars: [Unicode.Scalar] = []
        var words: [Range<Int>] = []
        var start: Int?
        var isBehindSmallLetter = false
        for scalar in normalized(text).unicodeScalars {
            let isOfWord = Self.isOfWord(scalar)
            let beginsWord = isBehindSmallLetter && scalar.properties.isUppercase
            if let begun = start, beginsWord || !isOfWord {
                words.append(begun..<scalars.count)
                start = nil
            }
            if isOfWord { start = start ?? scalars.count }
            if !Self.isMark(scalar) { isBehindSmallLetter = scalar.properties.isLowercase }
            scalars += folded(scalar)
        }
        if let start { words.append(start..<scalars.count) }
        return (scalars, words)
    }

    /// As `lowercased()` has it, which takes one scalar after the other, too.
    private func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let scalars =
            ignoresCase ? Array(scalar.properties.lowercaseMapping.unicodeScalars) : [scalar]
        return ignoresAccents ? scalars.filter { !Self.isMark($0) } : scalars
    }

    /// One form, so that it does not count how a letter is written.
    private func normalized(_ text: String) -> String {
        ignoresAccents
            ? text.decomposedStringWithCanonicalMapping : text.precomposedStringWithCanonicalMapping
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass != .notReordered
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar)
    }

    private static func words(_ scalars: [Unicode.Scalar]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for (place, scalar) in scalars.enumerated() {
            if isOfWord(scalar) {
                start = start ?? place
            } else if let begun = start {
                words.append(begun..<place)
                start = nil
            }
        }
        if let start { words.append(start..<scalars.count) }
        return words
    }

    /// Whether a pattern matches all of a text; the last wild card gives back what it took too
    /// much.
    private static func matches(_ pattern: [Piece], _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        var (place, offset) = (0, text.startIndex)
        var retry: (place: Int, offset: Int)?
        while offset < text.endIndex {
            if place < pattern.count {
                switch pattern[place] {
                case .any:
                    retry = (place, offset)
                    place += 1
                    continue
                case .one:
                    (place, offset) = (place + 1, offset + 1)
                    continue
                case .character(let value) where value == text[offset].value:
                    (place, offset) = (place + 1, offset + 1)
                    continue
                case .character: break
                }
            }
            guard let last = retry else { return false }
            retry = (last.place, last.offset + 1)
            (place, offset) = (last.place + 1, last.offset + 1)
        }
        return pattern[place...].allSatisfy { $0 == .any }
    }
}
