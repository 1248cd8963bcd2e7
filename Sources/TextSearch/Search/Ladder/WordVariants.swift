/// Other spellings of a typed word that some object has.
///
/// The rules for number and the possessive are those of English; a spelling counts only if the
/// index has it, so that they do little harm elsewhere.
struct WordVariants {
    /// More ways to split a word are not tried.
    private static let mostSplits = 2
    /// So many corrections of a word are looked for in joined words.
    private static let mostCorrections = 3
    /// Of shorter words no beginnings are corrected.
    private static let shortestBeginning = 5
    /// Digits of a number that may be written with signs in it, at the least and at most.
    private static let shortestNumber = 6
    private static let longestNumber = 20
    /// Letters of a word that may be written without signs, at the least.
    private static let shortestWhole = 4
    /// Pieces of such a number, the ways to cut it that are looked for, and those that are tried at
    /// a time.
    private static let mostPieces = 6
    private static let mostCuts = 16
    private static let mostOpenCuts = 256
    /// Of longer words no joined or split forms are looked for.
    static let longestWord = 48

    /// The states that are searched: one, or those of several indexes.
    let sources: [(snapshot: Snapshot, store: IndexStore)]
    let clock: SearchClock
    /// Adds what other indexes know, where some are searched elsewhere.
    let exchange: WordExchange?
    let analyzer: Analyzer
    private let folder: Folder
    private var known: [[UInt8]: Int] = [:]
    private var joinedParts: [[JoinedParts]]?

    init(
        _ sources: [(snapshot: Snapshot, store: IndexStore)], _ analyzer: Analyzer,
        _ clock: SearchClock, exchange: WordExchange? = nil
    ) {
        self.sources = sources
        self.clock = clock
        self.exchange = exchange
        self.analyzer = analyzer
        folder = analyzer.analyses[0].folder
    }

    /// In how many objects a word occurs, as it is written.
    mutating func frequency(of word: String) throws -> Int {
        try frequency(ofTerm: Array(folder.fold(word).utf8))
    }

    private mutating func frequency(ofTerm term: [UInt8]) throws -> Int {
        if term.isEmpty { return 0 }
        if let count = known[term] { return count }
        var count = try ownFrequency(ofTerm: term)
        if let exchange {
            count = exchange.frequency(of: String(decoding: term, as: UTF8.self), count)
        }
        known[term] = count
        return count
    }

    /// The parts of joined words, by index and segment.
    mutating func parts() throws -> [[JoinedParts]] {
        if let joinedParts { return joinedParts }
        let made = try sources.map { try $0.snapshot.joinedParts() }
        joinedParts = made
        return made
    }

    /// Whether a word occurs, or is a part of a joined word.
    mutating func isKnown(_ word: String) throws -> Bool {
        let term = Array(folder.fold(word).utf8)
        let isWord = try frequency(ofTerm: term) > 0
        // Who asks others asks for all at once.
        if isWord, exchange == nil { return true }
        let isPart = try isOwnPart(term)
        guard let exchange else { return isPart }
        return exchange.isPart(String(decoding: term, as: UTF8.self), isPart) || isWord
    }

    /// The spellings of one word that the index has, the word itself apart.
    mutating func spellings(of word: String) throws -> [String] {
        try rememberedWords("spellings \(word)") { try $0.findSpellings(of: word) }
    }

    private mutating func findSpellings(of word: String) throws -> [String] {
        var found: [String] = []
        for spelling in Self.spellings(of: word)
        where spelling != word && !found.contains(spelling) {
            if try isKnown(spelling) { found.append(spelling) }
        }
        return found
    }

    /// What several words of one piece of text, as of `978-0-8065` or `1/2`, are in one: digits
    /// alone, and a fraction that the index has.
    mutating func numbers(of text: String) throws -> [String] {
        if let number = Self.number(text) { return [number] }
        // As fractions of one sign are folded.
        let fraction = text.replacing("/", with: "\u{2044}")
        let isFraction = text.filter { !($0.isASCII && $0.isNumber) } == "/"
        return try isFraction && frequency(of: fraction) > 0 ? [fraction] : []
    }

    /// What a word with signs in it, as `1,000,000` or `max_value`, is without them. Apostrophes
    /// are those of ``spellings(of:)``.
    func wholes(of word: String) -> [String] {
        if let number = Self.number(word) { return [number] }
        let letters = word.filter(\.isLetter)
        guard word.utf8.count <= Self.longestWord, letters.count < word.count,
            letters.count >= Self.shortestWhole,
            !word.contains(where: { $0.isNumber || $0 == "'" || $0 == "’" })
        else { return [] }
        return [letters]
    }

    /// The digits of a long number that has signs in it.
    private static func number(_ text: String) -> String? {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        guard digits.count < text.count, isLongNumber(digits),
            text.allSatisfy({ $0.isASCII && $0.isNumber || "-–./ ,'’".contains($0) })
        else { return nil }
        return digits
    }

    /// Whether a word is a number that may be written with signs in it.
    static func isLongNumber(_ word: String) -> Bool {
        (shortestNumber...longestNumber).contains(word.count)
            && word.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// The ways to cut a long number into those that the index has, as it is written with signs in
    /// it; those of the fewest pieces.
    mutating func pieces(ofNumber word: String) throws -> [[String]] {
        guard Self.isLongNumber(word) else { return [] }
        let digits = Array(word)
        // By where a piece begins, the ends at which it is known.
        var ends: [[Int]] = []
        for start in digits.indices {
            try clock.work(digits.count)
            ends.append(
                try (start + 1...digits.count).filter {
                    try frequency(of: String(digits[start..<$0])) > 0
                })
        }
        var found: [[String]] = []
        var open: [[Int]] = [[0]]
        for _ in 0..<Self.mostPieces where found.count < Self.mostCuts {
            var longer: [[Int]] = []
            for cuts in open {
                for end in ends[cuts[cuts.count - 1]] {
                    if end < digits.count {
                        if longer.count < Self.mostOpenCuts { longer.append(cuts + [end]) }
                    } else if cuts.count > 1 {
                        let all = cuts + [end]
                        found.append(zip(all, all.dropFirst()).map { String(digits[$0..<$1]) })
                    }
                }
            }
            open = longer
        }
        return Array(found.prefix(Self.mostCuts))
    }

    /// The word that several make together, if the index has it.
    mutating func joined(_ words: [String]) throws -> String? {
        let word = words.joined()
        return try word.utf8.count <= Self.longestWord && frequency(of: word) > 0 ? word : nil
    }

    /// The word that several make together if signs of joined words are left out.
    mutating func joinedWithSigns(_ words: [String]) throws -> String? {
        let word = words.joined()
        return try word.utf8.count <= Self.longestWord && isKnown(word) ? word : nil
    }

    /// The ways to split a word into two that the index has, those with the more frequent halves
    /// first; letters and digits are split from each other.
    mutating func splits(of word: String) throws -> [[String]] {
        try remembered("splits \(word)") { try $0.findSplits(of: word) }
    }

    private mutating func findSplits(of word: String) throws -> [[String]] {
        guard word.utf8.count <= Self.longestWord else { return [] }
        if word.contains(where: \.isNumber) { return try splitsAtDigits(of: word) }
        guard word.allSatisfy(\.isLetter) else { return [] }
        var found: [(halves: (String, String), frequency: Int)] = []
        for end in word.indices.dropFirst() {
            let (a, b) = (String(word[..<end]), String(word[end...]))
            guard a.count + b.count >= 4 else { continue }
            let isFirst = try isKnown(a)
            guard isFirst || exchange != nil, try isKnown(b), isFirst else { continue }
            found.append(((a, b), min(try frequency(of: a), try frequency(of: b))))
        }
        // A single letter is a half only where nothing else is.
        found.sort {
            let (a, b) = (Self.shorter($0.halves) > 1, Self.shorter($1.halves) > 1)
            return a != b ? a : $0.frequency > $1.frequency
        }
        return found.prefix(Self.mostSplits).map { [$0.halves.0, $0.halves.1] }
    }

    /// *covid* and *19* of *covid19*, *wi*, *fi* and *6* of *wifi6*, where the index has all of
    /// them.
    private mutating func splitsAtDigits(of word: String) throws -> [[String]] {
        var runs: [String] = []
        var previous: Bool?
        for character in word {
            let isDigit = character.isASCII && character.isNumber
            guard isDigit || character.isLetter else { return [] }
            if isDigit == previous {
                runs[runs.count - 1].append(character)
            } else {
                runs.append(String(character))
            }
            previous = isDigit
        }
        guard (2...Self.mostPieces).contains(runs.count) else { return [] }
        var pieces: [String]? = []
        for run in runs {
            let isWord = try isKnown(run)
            // Who asks others asks for all at once.
            let split = isWord && exchange == nil ? nil : try splits(of: run).first
            if isWord {
                pieces?.append(run)
            } else if let split {
                pieces?.append(contentsOf: split)
            } else if exchange == nil {
                return []
            } else {
                pieces = nil
            }
        }
        return pieces.map { [$0] } ?? []
    }

    private static func shorter(_ halves: (String, String)) -> Int {
        min(halves.0.count, halves.1.count)
    }

    /// The nearest words, and parts of joined words, that the index has for one that it does not
    /// have: by edits, then the more frequent ones.
    mutating func corrections(
        of word: String, within distance: Int, most: Int = mostCorrections
    ) throws -> [String] {
        try rememberedWords("corrections \(distance) \(most) \(word)") {
            try $0.findCorrections(of: word, within: distance, most: most)
        }
    }

    private mutating func findCorrections(
        of word: String, within distance: Int, most: Int
    ) throws -> [String] {
        func isMeant(_ word: String) -> Bool { !analyzer.stopWords.contains(Array(word.utf8)) }
        let near = try terms(near: word, distance)
        var found: [(word: String, edits: Int, frequency: Int)] = []
        for (word, edits) in near where edits > 0 && isMeant(word) {
            let frequency = try frequency(of: word)
            if frequency > 0 { found.append((word, edits, frequency)) }
        }
        let words = Set(found.map(\.word))
        for (part, edits) in try parts(near: word, distance)
        where !words.contains(part) && isMeant(part) {
            found.append((part, edits, 0))
        }
        found.sort { ($0.edits, -$0.frequency, $0.word) < ($1.edits, -$1.frequency, $1.word) }
        return found.prefix(most).map(\.word)
    }

    /// Whether a word is nearly a stop word, which is never meant by it.
    mutating func isNearStopWord(_ word: String, _ distance: Int) throws -> Bool {
        try !remembered("stop words \(distance) \(word)") {
            try $0.clock.work($0.analyzer.stopWords.members.count)
            let matcher = FuzzyMatcher($0.folder.fold(word), distance: distance)
            let isNear = $0.analyzer.stopWords.members.contains { stopWord in
                stopWord.withUnsafeBufferPointer { matcher.matches($0) ?? 0 } > 0
            }
            return isNear ? [[word]] : []
        }.isEmpty
    }

    /// The beginnings of words that are one edit from a word, unless it has few letters: those that
    /// are frequent words themselves first, then the longer ones.
    mutating func beginnings(near word: String) throws -> [String] {
        guard word.count >= Self.shortestBeginning, !word.contains(where: \.isNumber),
            !WordPieces.isRun(word)
        else { return [] }
        return try rememberedWords("beginnings \(word)") { try $0.findBeginnings(near: word) }
    }

    private mutating func findBeginnings(near word: String) throws -> [String] {
        let text = folder.fold(word)
        let matcher = BeginningMatcher(text)
        var near: [String: Int] = [:]
        for source in sources.indices {
            for beginning in try sources[source].snapshot.beginnings(near: text, clock) {
                let word = String(decoding: beginning, as: UTF8.self)
                if try near[word] == nil && isLiving(beginning: beginning, matcher, in: source) {
                    near[word] = 1
                }
            }
        }
        if let exchange { near = exchange.beginnings(near: text, near) }
        var found: [(word: String, frequency: Int)] = []
        for beginning in near.keys {
            found.append((beginning, try frequency(of: beginning)))
        }
        found.sort {
            (-$0.frequency, -$0.word.count, $0.word) < (-$1.frequency, -$1.word.count, $1.word)
        }
        return found.prefix(Self.mostCorrections).map(\.word)
    }

    /// The terms near a word, with their edits.
    private func terms(near word: String, _ distance: Int) throws -> [String: Int] {
        let text = folder.fold(word)
        let matcher = FuzzyMatcher(text, distance: distance)
        var near: [String: Int] = [:]
        for (snapshot, _) in sources {
            for (term, edits) in try snapshot.terms(near: matcher, clock) {
                near[String(decoding: term, as: UTF8.self)] = edits
            }
        }
        return exchange?.terms(near: text, distance, near) ?? near
    }

    /// The parts of joined words near a word, with their edits.
    private mutating func parts(near word: String, _ distance: Int) throws -> [String: Int] {
        let text = folder.fold(word)
        let matcher = FuzzyMatcher(text, distance: distance)
        var near: [String: Int] = [:]
        for parts in try parts().joined() {
            var found: [(part: [UInt8], edits: Int)] = []
            try parts.forEach(near: matcher, work: { try clock.work($0) }) {
                found.append(($0, $1))
            }
            for (part, edits) in found {
                let word = String(decoding: part, as: UTF8.self)
                if try near[word] == nil && isOwnPart(part) { near[word] = edits }
            }
        }
        return exchange?.parts(near: text, distance, near) ?? near
    }
}
