/// What a typed word is made of, where objects may have it written apart.
struct WordPieces {
    /// More parts of a joined word are not looked for, nor those of a longer one.
    private static let mostParts = 6
    private static let longestWord = 96
    /// Of a longer run the first pieces say enough.
    private static let longestRun = 32

    /// The words side by side that a joined word may be written as: *max* and *value*, and also
    /// *python* and *3.11* beside *python3* and *11*.
    private(set) var rows: [[String]] = []
    /// The parts of a joined word that say something by themselves: no letters, digits or words of
    /// little value.
    private(set) var parts: [String] = []
    /// The words, mostly pairs of characters, by which a run of a script without spaces is indexed.
    private(set) var run: [String] = []

    init(_ word: String, _ analyzer: Analyzer) {
        if Self.isRun(word) {
            let found = QueryWords(word, analysis: analyzer.analyses[0]).words
            if found.count > 1 {
                run = found.prefix(Self.longestRun).map {
                    String(decoding: $0.bytes, as: UTF8.self)
                }
            }
            return
        }
        guard word.utf8.count <= Self.longestWord,
            word.contains(where: { !$0.isLetter && !$0.isNumber })
        else { return }
        let term = Array(analyzer.analyses[0].folder.fold(word).utf8)
        term.withUnsafeBufferPointer { term in
            var cuts: [Range<Int>] = []
            JoinedWord.forEachRun(of: term) {
                if JoinedWord.isPart($0, of: term) { cuts.append($0) }
            }
            let plain = Self.words(cuts, term)
            let withNumbers = Self.words(Self.keepingNumbers(cuts, term), term)
            rows = (plain == withNumbers ? [plain] : [plain, withNumbers]).filter {
                (2...Self.mostParts).contains($0.count)
            }
            guard (2...Self.mostParts).contains(withNumbers.count) else { return }
            parts = withNumbers.filter {
                !Query.isLetter($0) && !analyzer.stopWords.contains(Array($0.utf8))
            }
        }
    }

    /// Whether a word is of a script without spaces.
    static func isRun(_ word: String) -> Bool {
        word.unicodeScalars.contains(where: SpacelessScript.has)
    }

    private static func words(
        _ ranges: [Range<Int>], _ term: UnsafeBufferPointer<UInt8>
    ) -> [String] {
        ranges.map { String(decoding: term[$0], as: UTF8.self) }
    }

    /// Parts with those put together that are the digits of one number, as of *1.10.2*; letters
    /// beside a number are parts of their own.
    private static func keepingNumbers(
        _ parts: [Range<Int>], _ term: UnsafeBufferPointer<UInt8>
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place < parts.count {
            var end = place
            while end + 1 < parts.count, QuerySyntax.isDigit(term[parts[end].upperBound - 1]),
                QuerySyntax.isDigit(term[parts[end + 1].lowerBound])
            {
                end += 1
            }
            if end == place {
                found.append(parts[place])
            } else {
                let (first, last) = (parts[place], parts[end])
                let before = term[first].reversed().prefix(while: QuerySyntax.isDigit).count
                let after = term[last].prefix(while: QuerySyntax.isDigit).count
                let number = (first.upperBound - before)..<(last.lowerBound + after)
                let (head, tail) = (
                    first.lowerBound..<number.lowerBound, number.upperBound..<last.upperBound
                )
                found += [head, number, tail].filter { !$0.isEmpty }
            }
            place = end + 1
        }
        return found
    }
}
