/// Other spellings of a typed word that some object has.
///
/// The rules for number and the possessive are those of English; a spelling counts only if the index has it, so that they do little harm elsewhere.
struct WordVariants {
    /// More ways to split a word are not tried.
    private static let mostSplits = 2
    /// So many corrections of a word are looked for in joined words.
    private static let mostCorrections = 3
    /// Of longer words no joined or split forms are looked for.
    private static let longestWord = 48

    /// The states that are searched: one, or those of several indexes.
    private let sources: [(snapshot: Snapshot, store: IndexStore)]
    private let clock: SearchClock
    private let folder: Folder
    private var known: [[UInt8]: Int] = [:]

    init(
        _ sources: [(snapshot: Snapshot, store: IndexStore)], _ analyzer: Analyzer,
        _ clock: SearchClock
    ) {
        self.sources = sources
        self.clock = clock
        folder = analyzer.analyses[0].folder
    }

    /// In how many objects a word occurs, as it is written.
    mutating func frequency(of word: String) throws -> Int {
        let term = Array(folder.fold(word).utf8)
        if term.isEmpty { return 0 }
        if let count = known[term] { return count }
        var count = 0
        for (snapshot, store) in sources {
            var terms = TermHits(snapshot: snapshot, store: store, clock: clock)
            count += try TermPostings(term, snapshot, store, &terms).documentFrequency
        }
        known[term] = count
        return count
    }

    /// The spellings of one word that the index has, the word itself apart.
    mutating func spellings(of word: String) throws -> [String] {
        var found: [String] = []
        for spelling in Self.spellings(of: word)
        where spelling != word && !found.contains(spelling) {
            if try frequency(of: spelling) > 0 { found.append(spelling) }
        }
        return found
    }

    /// The word that two words make together, if the index has it.
    mutating func joined(_ a: String, _ b: String) throws -> String? {
        guard a.utf8.count + b.utf8.count <= Self.longestWord else { return nil }
        let word = a + b
        return try frequency(of: word) > 0 ? word : nil
    }

    /// The ways to split a word into two that the index has, those with the more frequent halves first.
    mutating func splits(of word: String) throws -> [(String, String)] {
        guard word.utf8.count <= Self.longestWord, word.allSatisfy(\.isLetter) else { return [] }
        var found: [(halves: (String, String), frequency: Int)] = []
        for end in word.indices.dropFirst() {
            let (a, b) = (String(word[..<end]), String(word[end...]))
            guard a.count + b.count >= 4 else { continue }
            let first = try frequency(of: a)
            guard first > 0 else { continue }
            let second = try frequency(of: b)
            if second > 0 { found.append(((a, b), min(first, second))) }
        }
        // A single letter is a half only where nothing else is.
        found.sort {
            let (a, b) = (Self.shorter($0.halves) > 1, Self.shorter($1.halves) > 1)
            return a != b ? a : $0.frequency > $1.frequency
        }
        return found.prefix(Self.mostSplits).map(\.halves)
    }

    private static func shorter(_ halves: (String, String)) -> Int {
        min(halves.0.count, halves.1.count)
    }

    /// The nearest words that the index has for one that it does not have: by edits, then the more frequent ones.
    mutating func corrections(of word: String, within distance: Int) throws -> [String] {
        let matcher = FuzzyMatcher(folder.fold(word), distance: distance)
        var near: [[UInt8]: Int] = [:]
        for (snapshot, _) in sources {
            near.merge(try snapshot.terms(near: matcher, clock)) { edits, _ in edits }
        }
        var found: [(word: String, edits: Int, frequency: Int)] = []
        for (term, edits) in near where edits > 0 {
            let word = String(decoding: term, as: UTF8.self)
            let frequency = try frequency(of: word)
            if frequency > 0 { found.append((word, edits, frequency)) }
        }
        found.sort { ($0.edits, -$0.frequency, $0.word) < ($1.edits, -$1.frequency, $1.word) }
        return found.prefix(Self.mostCorrections).map(\.word)
    }

    // MARK: Rules

    /// Spellings that would mean the same.
    private static func spellings(of word: String) -> [String] {
        let lower = word.lowercased().replacing("’", with: "'")
        var found: [String] = []
        if lower.hasSuffix("'s") || lower.hasSuffix("s'") {
            found += numbers(of: String(lower.dropLast(2)))
        }
        if lower.contains("'") { found.append(lower.replacing("'", with: "")) }
        guard lower.allSatisfy(\.isLetter), lower.count > 2 else { return found }
        found += numbers(of: lower)
        // dont, theyre, ill: the apostrophe is before the last letters.
        for ending in ["t", "s", "d", "m", "re", "ve", "ll"] where lower.hasSuffix(ending) {
            found.append(lower.dropLast(ending.count) + "'" + ending)
        }
        return found
    }

    /// The word, its plural and its singular, as far as endings tell.
    private static func numbers(of word: String) -> [String] {
        var found = [word]
        if word.hasSuffix("ies"), word.count > 4 { found.append(word.dropLast(3) + "y") }
        if word.hasSuffix("es"), word.count > 4 { found.append(String(word.dropLast(2))) }
        if word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 {
            found.append(String(word.dropLast()))
        }
        if word.hasSuffix("y"), word.count > 2 { found.append(word.dropLast() + "ies") }
        if !word.hasSuffix("s") || word.hasSuffix("ss") {
            found += [word + "s", word + "es"]
        }
        return found
    }
}
