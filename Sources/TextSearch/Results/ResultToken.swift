/// A match of a search in an object's text.
///
/// Matches of a query that overlap or touch are one: it begins in its first word, and its length
/// may reach over further words.
public struct ResultToken: Sendable, Hashable {
    /// The index of the string among the object's strings.
    public let string: Int
    /// The offset of the word in its string, in UTF-16 code units.
    public let word: Int
    /// The ordinal position of the word in its string.
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

    /// Tokens in text order, by place, then shorter ones first. One piece of text is one token, in
    /// however many words of the index it is: parts and wholes of identifiers, beginnings of words,
    /// characters that fold to several letters.
    static func distinct(_ tokens: [ResultToken]) -> [ResultToken] {
        joined(tokens) { $0.start == $1.start && $0.length == $1.length }
    }

    /// Tokens in text order, of which those that overlap or touch are one, as where they are
    /// marked: a name in a script without spaces is found as pairs of its characters, and is shown
    /// and counted as one match.
    static func merged(_ tokens: [ResultToken]) -> [ResultToken] {
        joined(tokens) { $1.start <= $0.start + $0.length }
    }

    /// Tokens in text order; one that belongs to the one before lengthens it.
    private static func joined(
        _ tokens: [ResultToken], where areOne: (ResultToken, ResultToken) -> Bool
    ) -> [ResultToken] {
        var result: [ResultToken] = []
        result.reserveCapacity(tokens.count)
        let sorted = tokens.sorted {
            ($0.string, $0.start, $0.length, $0.wordIndex)
                < ($1.string, $1.start, $1.length, $1.wordIndex)
        }
        for token in sorted {
            if let last = result.last, last.string == token.string, areOne(last, token) {
                let end = max(last.start + last.length, token.start + token.length)
                result[result.count - 1] = ResultToken(
                    string: last.string, word: last.word, wordIndex: last.wordIndex,
                    token: last.token, length: end - last.start,
                    clauses: last.clauses | token.clauses)
                continue
            }
            result.append(token)
        }
        return result
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
