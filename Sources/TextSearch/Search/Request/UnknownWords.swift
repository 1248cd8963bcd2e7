/// Finds the words of a query that are nowhere in an index, or in several, and the nearest that
/// are.
struct UnknownWords: ~Copyable {
    /// Words beyond these are not reported: each takes a look at the whole vocabulary.
    static let largestWordCount = 8
    /// Of more terms within the same number of edits, the first ones are compared.
    private static let largestCandidateCount = 1_000

    private let sources: [WordSource]
    private let analyzer: Analyzer
    /// Where it is over, `SearchEnded` is thrown.
    private let clock: SearchClock
    private let findings: WordFindings

    /// Creates a search for words in one state of an index.
    init(
        snapshot: Snapshot, store: IndexStore, clock: SearchClock, knowsParts: Bool = false,
        _ findings: WordFindings = WordFindings()
    ) {
        self.init(
            [(snapshot, store)], snapshot.analyzer, clock: clock, knowsParts: knowsParts, findings)
    }

    /// Creates a search for words in the states of several indexes that analyse alike.
    ///
    /// - Parameters:
    ///   - sources: the states.
    ///   - analyzer: how they analyse text.
    ///   - clock: how long it may take.
    ///   - knowsParts: whether parts of joined words count as words, as they are found by such.
    ///   - findings: what was found instead of words.
    init(
        _ sources: [(snapshot: Snapshot, store: IndexStore)], _ analyzer: Analyzer,
        clock: SearchClock, knowsParts: Bool, _ findings: WordFindings
    ) {
        self.findings = findings
        self.sources = sources.map { WordSource($0, clock, knowsParts: knowsParts) }
        self.analyzer = analyzer
        self.clock = clock
    }

    /// The diagnostics of a query that was run; `text` is what it was read from, `known` are terms
    /// that it met.
    func diagnostics(
        of query: Query, text: String?, fields: [String], known: borrowing MatchedTerms
    ) throws -> [QueryDiagnostic] {
        try unknown(of: query, text: text, fields: fields, known: known).map(\.diagnostic)
    }

    /// The words of a query that are nowhere, up to so many, with the terms near them.
    func unknown(
        of query: Query, text: String?, fields: [String], known: borrowing MatchedTerms,
        most: Int = largestWordCount
    ) throws -> [UnknownWord] {
        var words = WordList(fields: fields, analyzer: analyzer, without: findings.otherForms)
        words.add(query.withoutLowBonuses(analyzer), in: nil)
        let met = known.found(among: Set(words.words.joined().map(\.bytes)))
        var found: [UnknownWord] = []
        for readings in words.words where found.count < most {
            if try isKnown(readings, met) { continue }
            let word = readings[0].bytes
            found.append(
                UnknownWord(
                    word: word, range: words.range(of: word, in: text), near: try near(word),
                    isCorrected: findings.areCorrected))
        }
        return found
    }

    /// Whether some object has the word as one of the analyses reads it.
    private func isKnown(_ readings: [QueryWords.Word], _ met: Set<[UInt8]>) throws -> Bool {
        for word in readings where met.contains(word.bytes) { return true }
        for word in readings where try isKnown(word) { return true }
        return false
    }

    /// Whether some object has the word or one of its stems.
    func isKnown(_ word: QueryWords.Word) throws -> Bool {
        try sources.contains { try $0.isKnown(word) }
    }

    /// Whether some object has a word that begins with this.
    func beginsWord(_ prefix: [UInt8]) throws -> Bool {
        try sources.contains { try $0.beginsWord(prefix) }
    }

    // MARK: Suggestions

    /// A term near to a word, and how many edits are between them.
    struct Candidate {
        var term: [UInt8]
        var distance: Int
    }

    /// The terms near a word that some object has, as far as the word is corrected by a search: all
    /// of one edit and, if these are too few to suggest, all of two. None is a stop word.
    private func near(_ word: [UInt8]) throws -> [UnknownWord.Near] {
        let text = String(decoding: word, as: UTF8.self)
        let distance = StepLadder.distance(for: text)
        guard distance > 0 else { return [] }
        let candidates = try candidates(FuzzyMatcher(text, distance: distance))
        // Each is counted in each index.
        let most = max(Self.largestCandidateCount / max(sources.count, 1), 64)
        var near: [UnknownWord.Near] = []
        for edits in 1...distance where near.count < UnknownWord.mostSuggestions {
            for candidate in candidates.filter({ $0.distance == edits }).prefix(most) {
                let objects = try sources.reduce(0) { try $0 + $1.count(candidate.term) }
                guard objects > 0 else { continue }
                near.append(.init(term: candidate.term, edits: edits, objects: objects))
            }
        }
        return near
    }

    /// The terms that a matcher takes, in order, without stop words; dead documents may be the only
    /// ones that have them.
    func candidates(_ matcher: FuzzyMatcher) throws -> [Candidate] {
        var distances: [[UInt8]: Int] = [:]
        for source in sources {
            let found = try source.snapshot.terms(near: matcher, clock)
            // Most often there is one.
            if distances.isEmpty {
                distances = found
            } else {
                distances.merge(found) { min($0, $1) }
            }
        }
        return distances.map { Candidate(term: $0.key, distance: $0.value) }
            .filter { !analyzer.isLowValue(String(decoding: $0.term, as: UTF8.self)) }
            .sorted { $0.term.lexicographicallyPrecedes($1.term) }
    }
}

/// The words of one state of an index.
private final class WordSource {
    let snapshot: Snapshot
    private let stems: StoredStems
    private var counter: TermCounter
    private let clock: SearchClock
    private let knowsParts: Bool

    init(
        _ source: (snapshot: Snapshot, store: IndexStore), _ clock: SearchClock, knowsParts: Bool
    ) {
        snapshot = source.snapshot
        stems = StoredStems(store: source.store)
        counter = TermCounter(snapshot: source.snapshot, store: source.store, clock: clock)
        self.clock = clock
        self.knowsParts = knowsParts
    }

    /// How many objects have a term.
    func count(_ term: [UInt8]) throws -> Int { try counter.count(term).documents }

    func isKnown(_ word: QueryWords.Word) throws -> Bool {
        if try count(word.bytes) > 0 { return true }
        if try knowsParts && isPart(word.bytes) { return true }
        for stem in word.stems {
            var terms: Set<[UInt8]> = []
            for segment in snapshot.segments {
                let found = try segment.terms(ofStem: stem, stems)
                if note(found, segment.documents.lowerBound, into: &terms) { return true }
            }
            for term in terms where try count(term) > 0 { return true }
        }
        return false
    }

    private func isPart(_ word: [UInt8]) throws -> Bool {
        let patterns = PatternTerms(stems: stems, clock: clock)
        var joined: Set<[UInt8]> = []
        for segment in snapshot.segments {
            try patterns.forEach(of: .part(word), in: segment) { joined.insert(Array($0)) }
        }
        for term in joined where try count(term) > 0 { return true }
        return false
    }

    /// Notes the terms that have a stem in all of their documents; whether one has it in another
    /// document that is alive.
    private func note(
        _ found: [StemList.Term], _ first: UInt32, into terms: inout Set<[UInt8]>
    ) -> Bool {
        for term in found {
            guard let documents = term.documents else {
                terms.insert(term.bytes)
                continue
            }
            if documents.contains(where: { !snapshot.dead.contains(first &+ $0) }) { return true }
        }
        return false
    }

    func beginsWord(_ prefix: [UInt8]) throws -> Bool {
        var walk = try VocabularyWalk(snapshot, from: prefix)
        while let term = walk.next(), term.starts(with: prefix) {
            try clock.work(8)
            if try count(term) > 0 { return true }
        }
        return false
    }
}

/// The words that a query asks for as they are, each once, in order.
private struct WordList {
    /// A query of more words is looked at no further.
    private static let largestCount = 1_024

    let fields: [String]
    let analyzer: Analyzer
    /// Each as the index's analyses read it.
    private(set) var words: [[QueryWords.Word]] = []
    private var seen: Set<[UInt8]> = []

    init(fields: [String], analyzer: Analyzer, without words: [String]) {
        self.fields = fields
        self.analyzer = analyzer
        for analysis in analyzer.analyses {
            for word in words { seen.insert(Array(analysis.folder.fold(word).utf8)) }
        }
    }

    mutating func add(_ query: Query, in string: UInt32?) {
        guard words.count < Self.largestCount else { return }
        switch query.node {
        case .term(let text), .phrase(let text, _, false), .exactly(let text):
            add(text, isWhole: true, string)
        case .phrase(let text, _, true): add(text, isWhole: false, string)
        case .field(let name, let part):
            guard let index = fields.firstIndex(of: name) else { return }
            add(part, in: UInt32(index))
        // What nobody has is no news where it is not wanted.
        case .none: break
        default: for part in query.children { add(part, in: string) }
        }
    }

    private mutating func add(_ text: String, isWhole: Bool, _ string: UInt32?) {
        var readings: [Int: [QueryWords.Word]] = [:]
        for (analysis, _) in analyzer.analyses(of: string) {
            var read = QueryWords(text, analysis: analysis)
            if !isWhole { read.makeLastPrefix() }
            for word in read.words { readings[word.position, default: []].append(word) }
        }
        for (_, words) in readings.sorted(by: { $0.key < $1.key })
        where !words.contains(where: \.isPrefix) && seen.insert(words[0].bytes).inserted {
            self.words.append(words)
        }
    }

    /// Where a word first stands in the text; nowhere when there is none, or when signs stand in
    /// it.
    func range(of word: [UInt8], in text: String?) -> Range<Int> {
        guard var text else { return 0..<0 }
        var found: Range<Int>?
        let folders = analyzer.analyses.map(\.folder)
        text.withUTF8 { bytes in
            UnicodeTokenizer().forEachWord(inBytes: bytes) { range, _ in
                guard found == nil else { return }
                let part = String(decoding: bytes[range], as: UTF8.self)
                if folders.contains(where: { $0.fold(part).utf8.elementsEqual(word) }) {
                    found = range
                }
            }
        }
        return found ?? 0..<0
    }
}

extension MatchedTerms {
    /// Those of `wanted` that were found in some document.
    borrowing func found(among wanted: Set<[UInt8]>) -> Set<[UInt8]> {
        let lengths = Set(wanted.map(\.count))
        var found: Set<[UInt8]> = []
        for number in 0..<terms.count {
            let term = terms[number]
            guard term.documentCount > 0, lengths.contains(Int(term.length)) else { continue }
            let bytes = withTerm(number) { bytes, _ in Array(bytes) }
            if wanted.contains(bytes) { found.insert(bytes) }
        }
        return found
    }
}
