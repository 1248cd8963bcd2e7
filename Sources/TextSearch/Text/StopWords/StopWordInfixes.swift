/// The stop words that lists are made of: folded, of three letters or more. Shorter ones stand in so many terms that it would take a tenth of the time of indexing.
struct StopWordInfixes: Sendable {
    /// The shortest first, as these stand in the most terms.
    let words: [[UInt8]]
    /// One more than the number of the first word of each place, which is that of its first bytes; and of the next one of the same place.
    private var firsts: [UInt16]
    private var nexts: [UInt16]

    private static let placeBits: UInt32 = 12
    /// Letters, and bytes, of the shortest word.
    private static let shortest = 3
    /// More words than this are not taken: each takes memory for its list.
    private static let mostWords = 256
    /// Where a token begins is asked, not how long it is: any of the words is long enough for a rule that allows it itself.
    private static let rule = TokenRule(minimalLength: 1)

    init(_ words: [[UInt8]]) {
        self.words = Array(
            Set(words.filter { Self.letterCount(of: $0) >= Self.shortest }).sorted {
                $0.count != $1.count
                    ? $0.count < $1.count : $0.lexicographicallyPrecedes($1)
            }.prefix(Self.mostWords))
        firsts = Array(repeating: 0, count: 1 << Self.placeBits)
        nexts = Array(repeating: 0, count: self.words.count)
        for (number, word) in self.words.enumerated() {
            let place = word.withUnsafeBufferPointer { Self.place(of: $0, at: 0) }
            nexts[number] = firsts[place]
            firsts[place] = UInt16(number + 1)
        }
    }

    /// Letters of a keyword: a rule that asks for no more allows it wherever a token begins.
    static func letterCount(of word: [UInt8]) -> Int {
        String(decoding: word, as: UTF8.self).unicodeScalars.count
    }

    @inline(__always)
    private static func place(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
        let first =
            UInt32(bytes[offset]) << 16 | UInt32(bytes[offset &+ 1]) << 8
            | UInt32(bytes[offset &+ 2])
        return Int((first &* 0x9e37_79b1) >> (32 - placeBits))
    }

    /// Whether a word is one of them.
    func contains(_ word: [UInt8]) -> Bool {
        guard word.count >= Self.shortest else { return false }
        var next = word.withUnsafeBufferPointer { firsts[Self.place(of: $0, at: 0)] }
        while next > 0 {
            if words[Int(next) - 1] == word { return true }
            next = nexts[Int(next) - 1]
        }
        return false
    }

    /// Calls `body` with the number of each word that a term holds, for each place where a token may begin with it.
    ///
    /// Complexity: linear in the term, and in the words with the same first bytes.
    @inline(__always)
    func forEach(in term: UnsafeBufferPointer<UInt8>, _ body: (Int) -> Void) {
        guard term.count >= Self.shortest, !words.isEmpty else { return }
        firsts.withUnsafeBufferPointer { firsts in
            for offset in 0...(term.count &- Self.shortest) {
                var next = firsts[Self.place(of: term, at: offset)]
                while next > 0 {
                    let number = Int(next) - 1
                    next = nexts[number]
                    if stands(number, at: offset, in: term), Self.rule.allows(offset, in: term) {
                        body(number)
                    }
                }
            }
        }
    }
}

extension StopWordInfixes {
    private func stands(
        _ number: Int, at offset: Int, in term: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        words[number].withUnsafeBufferPointer { word in
            guard word.count <= term.count &- offset else { return false }
            for place in word.indices where word[place] != term[offset &+ place] { return false }
            return true
        }
    }
}
