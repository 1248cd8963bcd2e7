/// Finds the terms of a segment that are near enough to a word.
///
/// **Thread safety**: what is made when it is first asked for is guarded; everything else is
/// immutable.
struct NearTerms: Sendable {
    private let parts: [VocabularyPart]
    private let tails = Lazy<TailTable>()
    private let letters = Lazy<LetterFilter>()
    /// What was found of late by going through all terms: a search looks for a word more than once,
    /// and who types a word after another searches for the first again with each letter.
    private let found = RecentCache<FuzzyMatcher.Identity, [Near]>(byteCount: 64 << 10)

    private struct Near: BitwiseCopyable {
        var place: TermPlace
        var edits: Int32
    }

    /// The parts of a vocabulary, in order.
    init(_ parts: [VocabularyPart]) { self.parts = parts }

    /// Calls `body` with each such term, the edits between them, and its place, in order.
    ///
    /// Complexity: as that for other matchers; where the matcher names cases, logarithmic in the
    /// number of terms, and linear in those with the first half of the word and, for the look at a
    /// byte of each, in those with its first character. The first time linear in all of them. For
    /// two edits linear in all of them, few of which are read unless the word has an exact prefix.
    func forEachTerm(
        near matcher: FuzzyMatcher, work: (_ units: Int) throws -> Void = { _ in },
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int, _ place: TermPlace) throws ->
            Void
    ) rethrows {
        guard let cases = matcher.cases else {
            for near in try all(near: matcher, work: work) {
                try parts[Int(near.place.part)].withTerm(Int(near.place.term)) {
                    try body($0, Int(near.edits), near.place)
                }
            }
            return
        }
        let places = places(of: cases)
        try work(places.count)
        var next = 0
        while next < places.count {
            let part = places[next].part
            try parts[Int(part)].withTerms { terms in
                while next < places.count, places[next].part == part {
                    let term = terms[Int(places[next].term)]
                    if next & 1_023 == 0 { try work(1_024) }
                    if let edits = matcher.matches(term) { try body(term, edits, places[next]) }
                    next += 1
                }
            }
        }
    }

    /// The place of a term; nil if there is no such term.
    ///
    /// Complexity: as a look-up in a hash table; the first time linear in the terms.
    func place(of word: UnsafeBufferPointer<UInt8>) -> TermPlace? {
        guard let first = word.first else { return nil }
        let tail = Array(word.dropFirst(TailTable.width(ofCharacter: first)))
        var found: TermPlace?
        tails.get { TailTable(parts) }.forEachTerm(withTail: tail) { place in
            let isWord = parts[Int(place.part)].withTerm(Int(place.term)) {
                $0.elementsEqual(word)
            }
            if isWord { found = place }
        }
        return found
    }

    /// Goes through all terms, where it is not known what is found.
    private func all(
        near matcher: FuzzyMatcher, work: (_ units: Int) throws -> Void
    ) rethrows -> [Near] {
        if let known = found.value(for: matcher.identity) { return known }
        var near: [Near] = []
        func take(_ number: Int, _ term: Int, _ edits: Int) {
            let place = TermPlace(part: UInt32(number), term: UInt32(term))
            near.append(Near(place: place, edits: Int32(edits)))
        }
        if matcher.requiredPrefix.isEmpty {
            // A search whose time is over does not make it.
            if letters.made == nil { try work(parts.reduce(0) { $0 + $1.termCount }) }
            let letters = letters.get { LetterFilter(parts) }
            try letters.forEachTerm(
                near: matcher.letters, distance: matcher.distance, work: work
            ) { number, term in
                let edits = try parts[number].withTerm(term) { bytes in
                    try work(matcher.work(forBytes: bytes.count))
                    return matcher.matches(bytes)
                }
                if let edits { take(number, term, edits) }
            }
        } else {
            for (number, part) in parts.enumerated() {
                try part.forEachTerm(matching: matcher, work: work) { take(number, $2, $1) }
            }
        }
        found.insert(
            near, for: matcher.identity, byteCount: near.count * MemoryLayout<Near>.stride + 64)
        return near
    }

    /// The places of the terms that may be those of some cases, ascending.
    private func places(of cases: FuzzyCases) -> [TermPlace] {
        var found: [TermPlace] = []
        if let first = cases.first {
            let tails = tails.get { TailTable(parts) }
            for tail in [first.replacedTail, first.insertedTail] {
                tails.forEachTerm(withTail: tail) { place in
                    let hasTail = parts[Int(place.part)].withTerms {
                        $0.bytes[TailTable.tail(of: $0, Int(place.term))].elementsEqual(tail)
                    }
                    if hasTail { found.append(place) }
                }
            }
            for term in first.named { append(term, to: &found) }
        }
        append(cases.swapped, to: &found)
        for number in parts(beginningWith: cases.beginning) {
            parts[number].forEachPlace(of: cases) { place in
                found.append(TermPlace(part: UInt32(number), term: UInt32(place)))
            }
        }
        guard found.count > 1 else { return found }
        found.sort { ($0.part, $0.term) < ($1.part, $1.term) }
        var last: TermPlace?
        return found.filter { place in
            defer { last = place }
            return place.part != last?.part || place.term != last?.term
        }
    }

    private func append(_ term: [UInt8], to found: inout [TermPlace]) {
        if let place = term.withUnsafeBufferPointer(place) { found.append(place) }
    }

    /// The parts that may have terms with a beginning.
    private func parts(beginningWith prefix: [UInt8]) -> Range<Int> {
        prefix.withUnsafeBufferPointer { prefix in
            let behind = parts.firstPlace { !$0.begins(notBehind: prefix) }
            let end = (behind..<parts.count).firstPlace { !parts[$0].begins(with: prefix) }
            // The one before may have some at its end.
            return max(behind - 1, 0)..<end
        }
    }
}

extension VocabularyPart {
    /// Calls `body` with the places of the terms that may be those of some cases, but for what is
    /// known of terms with another beginning or ending.
    fileprivate func forEachPlace(of cases: FuzzyCases, _ body: (Int) -> Void) {
        let some = cases.beginning.withUnsafeBufferPointer { places(beginningWith: $0) }
        // Few are compared sooner than they are searched.
        if some.count < Self.fewTerms { return some.forEach(body) }
        let hashes = endings.get { EndingHashes(self) }
        withTerms { terms in
            cases.ending.withUnsafeBufferPointer { ending in
                hashes.forEachTerm(ending: ending, in: some) { place in
                    if terms[place].hasSuffix(ending) { body(place) }
                }
            }
            for place in cases.firstHalf.withUnsafeBufferPointer({ places(beginningWith: $0) })
            where cases.mayMatch(behindFirstHalf: terms[place]) { body(place) }
        }
    }

    private static let fewTerms = 32
}
