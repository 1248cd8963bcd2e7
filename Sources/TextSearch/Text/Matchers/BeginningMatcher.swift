/// Matches terms that begin with a word but for one edit: *restaurant* for *restuar*.
///
/// The first character is the word's, and so is the last one of the beginning, unless the last two
/// are swapped: otherwise all terms with one letter less would do.
struct BeginningMatcher: TermMatcher {
    private let word: [UInt8]
    /// The bytes of the first character.
    let requiredPrefix: [UInt8]

    /// Makes a matcher of a word, folded as the terms are.
    init(_ word: String) {
        self.word = Array(word.utf8)
        requiredPrefix = Array(word.unicodeScalars.prefix(1).map(String.init).joined().utf8)
    }

    func matches(_ term: UnsafeBufferPointer<UInt8>) -> Int? {
        beginning(of: term) == nil ? nil : 1
    }

    /// How many bytes of a term are the word but for one edit; nil where it has none, or begins
    /// with the word itself.
    ///
    /// If two words are one edit apart, that edit can be where they first differ. Complexity:
    /// linear in the word.
    func beginning(of term: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 0
        while place < word.count, place < term.count, word[place] == term[place] { place += 1 }
        guard place < word.count else { return nil }
        while place > 0, word[place] & 0xc0 == 0x80 { place -= 1 }
        guard place >= requiredPrefix.count else { return nil }
        let next = place + Self.length(word[place])
        /// Whether the term has some bytes of the word at a place.
        func has(_ bytes: Range<Int>, at start: Int) -> Bool {
            guard start + bytes.count <= term.count else { return false }
            for offset in 0..<bytes.count
            where term[start + offset] != word[bytes.lowerBound + offset] { return false }
            return true
        }
        /// Where the term has the rest of the word that begins at an offset.
        func end(ofWordFrom offset: Int, at start: Int) -> Int? {
            let rest = min(offset, word.count)..<word.count
            return has(rest, at: start) ? start + rest.count : nil
        }
        if place < term.count {
            let after = place + Self.length(term[place])
            if next < word.count {
                let second = min(next + Self.length(word[next]), word.count)
                let behind = place + second - next
                if has(next..<second, at: place), has(place..<next, at: behind),
                    let end = end(ofWordFrom: second, at: second)
                {
                    return end
                }
                if let end = end(ofWordFrom: next, at: after) { return end }
            }
            if let end = end(ofWordFrom: place, at: after) { return end }
        }
        let isDoubled = word[..<place].suffix(next - place) == word[place..<min(next, word.count)]
        return next < word.count || isDoubled ? end(ofWordFrom: next, at: place) : nil
    }

    /// The bytes of the character that begins with a byte.
    private static func length(_ first: UInt8) -> Int {
        first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    }
}
