/// Finds the words of a query that are nowhere in an index, and the nearest that are.
struct UnknownWords: ~Copyable {
    /// Words beyond these are not reported: each takes a look at the whole vocabulary.
    static let largestWordCount = 8
    static let largestSuggestionCount = 5
    /// Of more terms within the same number of edits, the first ones are compared.
    private static let largestCandidateCount = 1_000

    private let snapshot: Snapshot
    private let stems: StoredStems
    private var counter: TermCounter
    /// Where it is over, `SearchEnded` is thrown.
    private let clock: SearchClock

    /// Whether parts of joined words count as words, as they are found by such.
    private let knowsParts: Bool

    init(
        snapshot: Snapshot, store: IndexStore, clock: SearchClock, knowsParts: Bool = false
    ) {
        self.knowsParts = knowsParts
        self.snapshot = snapshot
        self.clock = clock
        stems = StoredStems(store: store)
        counter = TermCounter(snapshot: snapshot, store: store, clock: clock)
    }

    /// The diagnostics of a query that was run; `text` is what it was read from, `known` are terms
    /// that it met.
    mutating func diagnostics(
        of query: Query, text: String?, fields: [String], known: borrowing MatchedTerms
    ) throws -> [QueryDiagnostic] {
        var words = WordList(fields: fields, analyzer: snapshot.analyzer)
        words.add(query.withoutLowBonuses(snapshot.analyzer), in: nil)
        let met = known.found(among: Set(words.words.joined().map(\.bytes)))
        var found: [QueryDiagnostic] = []
        for readings in words.words where found.count < Self.largestWordCount {
            if try isKnown(readings, met) { continue }
            let word = readings[0]
            let suggestions = try suggestions(for: word.bytes)
            found.append(
                QueryDiagnostic(
                    kind: .unknownWord, utf8Range: words.range(of: word.bytes, in: text),
                    message: suggestions.isEmpty
                        ? "No object has this word." : "No object has this word, but similar ones.",
                    suggestions: suggestions))
        }
        return found
    }

    /// Whether some object has the word as one of the analyses reads it.
    private mutating func isKnown(
        _ readings: [QueryWords.Word], _ met: Set<[UInt8]>
    ) throws -> Bool {
        for word in readings where met.contains(word.bytes) { return true }
        for word in readings where try isKnown(word) { return true }
        return false
    }

    /// Whether some object has the word or one of its stems.
    mutating func isKnown(_ word: QueryWords.Word) throws -> Bool {
        if try counter.count(word.bytes).documents > 0 { return true }
        if try knowsParts && isPart(word.bytes) { return true }
        for stem in word.stems {
            var terms: Set<[UInt8]> = []
            for segment in snapshot.segments {
                let found = try segment.terms(ofStem: stem, stems)
                if note(found, segment.documents.lowerBound, into: &terms) { return true }
            }
            for term in terms where try counter.count(term).documents > 0 { return true }
        }
        return false
    }

    private mutating func isPart(_ word: [UInt8]) throws -> Bool {
        let patterns = PatternTerms(stems: stems, clock: clock)
        var joined: Set<[UInt8]> = []
        for segment in snapshot.segments {
            try patterns.forEach(of: .part(word), in: segment) { joined.insert(Array($0)) }
        }
        for term in joined where try counter.count(term).documents > 0 { return true }
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

    /// Whether some object has a word that begins with this.
    mutating func beginsWord(_ prefix: [UInt8]) throws -> Bool {
        var walk = try VocabularyWalk(snapshot, from: prefix)
        while let term = walk.next(), term.starts(with: prefix) {
            try clock.work(8)
            if try counter.count(term).documents > 0 { return true }
        }
        return false
    }

    // MARK: Suggestions

    /// A term near to a word, and how many edits are between them.
    struct Candidate {
        var term: [UInt8]
        var distance: Int
    }

    /// The nearest terms: by edits, then by the number of objects that have them, then in order.
    private mutating func suggestions(for word: [UInt8]) throws -> [String] {
        let text = String(decoding: word, as: UTF8.self)
        // Something of the word must stay.
        let distance = min(text.unicodeScalars.count - 1, Query.maximumFuzzyDistance)
        guard distance > 0 else { return [] }
        let matcher = FuzzyMatcher(text, distance: distance)
        let candidates = try candidates(matcher)
        var suggestions: [String] = []
        for edits in 1...distance where suggestions.count < Self.largestSuggestionCount {
            var counted: [(term: [UInt8], documents: Int)] = []
            for candidate in candidates.filter({ $0.distance == edits }).prefix(
                Self.largestCandidateCount)
            {
                let documents = try counter.count(candidate.term).documents
                if documents > 0 { counted.append((candidate.term, documents)) }
            }
            counted.sort {
                $0.documents != $1.documents
                    ? $0.documents > $1.documents : $0.term.lexicographicallyPrecedes($1.term)
            }
            suggestions += counted.prefix(Self.largestSuggestionCount - suggestions.count).map {
                String(decoding: $0.term, as: UTF8.self)
            }
        }
        return suggestions
    }

    /// The terms that a matcher takes, in order; dead documents may be the only ones that have
    /// them.
    func candidates(_ matcher: FuzzyMatcher) throws -> [Candidate] {
        let distances = try snapshot.terms(near: matcher, clock)
        return distances.map { Candidate(term: $0.key, distance: $0.value) }.sorted {
            $0.term.lexicographicallyPrecedes($1.term)
        }
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

    init(fields: [String], analyzer: Analyzer) {
        self.fields = fields
        self.analyzer = analyzer
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
