/// A match of a search in an object's text.
public struct ResultToken: Sendable, Hashable {
    /// The index of the string among the object's strings.
    public let string: Int
    /// The offset of the word in its string, in UTF-16 code units.
    public let word: Int
    /// The ordinal position of the word in its string; of several words in a row that are one
    /// match, that of the first.
    public let wordIndex: Int
    /// The offset of the match in the word, in UTF-16 code units.
    public let token: Int
    /// The length of the match in UTF-16 code units.
    public let length: Int
    /// The clauses of the query that match here, as bits of their numbers modulo 64; no part of
    /// equality.
    var clauses: UInt64 = 0

    /// Whether two tokens are the same match.
    public static func == (a: ResultToken, b: ResultToken) -> Bool {
        (a.string, a.word, a.wordIndex, a.token, a.length)
            == (b.string, b.word, b.wordIndex, b.token, b.length)
    }

    /// Feeds the match to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(string)
        hasher.combine(word)
        hasher.combine(wordIndex)
        hasher.combine(token)
        hasher.combine(length)
    }
}

extension ResultToken {
    /// Where it begins in its string, in UTF-16 code units.
    private var start: Int { word + token }

    private var end: Int { start + length }

    /// Tokens in text order, by place, then shorter ones first, each with the term that it is a
    /// match of.
    ///
    /// One piece of text is one token, in however many words of the index it is: parts and wholes
    /// of identifiers, beginnings of words, characters that fold to several letters. Words in a row
    /// that overlap, as the pairs of characters of 北京大学 do, are one token, too.
    static func distinct(_ tokens: [(token: ResultToken, term: UInt32)]) -> [ResultToken] {
        var result: [ResultToken] = []
        result.reserveCapacity(tokens.count)
        let sorted = tokens.sorted {
            let (a, b) = ($0.token, $1.token)
            return (a.string, a.start, a.length, a.wordIndex)
                < (b.string, b.start, b.length, b.wordIndex)
        }
        var previous: (token: ResultToken, term: UInt32)?
        for next in sorted {
            let token = next.token
            defer { previous = next }
            guard let last = previous, last.token.string == token.string else {
                result.append(token)
                continue
            }
            let isSame = last.token.start == token.start && last.token.length == token.length
            // The same term again is another match.
            let goesOn =
                last.term != next.term && last.token.wordIndex + 1 == token.wordIndex
                && token.start < last.token.end
            guard isSame || goesOn else {
                result.append(token)
                continue
            }
            result[result.count - 1].take(token)
        }
        return result
    }

    /// Grows to the end of another one.
    private mutating func take(_ other: ResultToken) {
        self = ResultToken(
            string: string, word: word, wordIndex: wordIndex, token: token,
            length: max(end, other.end) - start, clauses: clauses | other.clauses)
    }

    /// Where a hit lies in its string, by the record of its document.
    init(
        _ hit: Hit, _ matched: borrowing MatchedTerms, _ record: inout ObjectRecord
    ) throws {
        let (word, match) = try Self.location(hit.position, hit.term, hit, matched, &record)
        var end = word + match.upperBound
        if hit.span > 0 {
            let (last, tail) = try Self.location(
                hit.position + hit.span, hit.lastTerm, hit, matched, &record)
            end = last + tail.upperBound
        }
        self.init(
            string: Int(hit.string), word: word, wordIndex: Int(hit.position),
            token: match.lowerBound, length: end - word - match.lowerBound,
            clauses: 1 << UInt64(matched.terms[Int(hit.term)].part & 63))
    }

    /// Where other bytes of a hit's term lie.
    init(
        _ hit: Hit, bytes: Range<Int>, _ matched: borrowing MatchedTerms,
        _ record: inout ObjectRecord
    ) throws {
        let (word, match) = try IndexStore.translating(.objects) {
            try matched.withTerm(Int(hit.term)) { term, _ in
                try record.location(
                    string: Int(hit.string), word: Int(hit.position), term: term, bytes: bytes)
            }
        }
        self.init(
            string: Int(hit.string), word: word, wordIndex: Int(hit.position),
            token: match.lowerBound, length: match.count,
            clauses: 1 << UInt64(matched.terms[Int(hit.term)].part & 63))
    }

    private static func location(
        _ position: UInt32, _ term: UInt32, _ hit: Hit, _ matched: borrowing MatchedTerms,
        _ record: inout ObjectRecord
    ) throws -> (word: Int, match: Range<Int>) {
        try IndexStore.translating(.objects) {
            try matched.withTerm(Int(term)) { bytes, term in
                try record.location(
                    string: Int(hit.string), word: Int(position), term: bytes,
                    bytes: Int(term.offset)..<(Int(term.offset) + Int(term.matched)))
            }
        }
    }
}

extension QueryLimits {
    /// How many matches of each of so many objects are shown.
    func matches(ofEachOf count: Int) -> Int {
        let room = memoryBytes / 2 / MemoryLayout<ResultToken>.stride / max(count, 1)
        return min(max(maximumMatchesPerItem, 0), max(room, 16))
    }
}
