/// The terms of a segment that match a pattern, in term order.
///
/// The work of looking for them is counted by the clock, and when the time is over, `SearchEnded`
/// is thrown.
struct PatternTerms {
    let stems: StoredStems
    var clock: SearchClock

    /// Calls `body` with each matching term of a flushed segment, the bytes of it that match, and
    /// the documents that alone count, relative to the segment; nil for all.
    ///
    /// `place` is where the vocabulary has the term; nil where it was not asked, so that the
    /// segment need not have it.
    ///
    /// Complexity: logarithmic in the vocabulary for words and prefixes; linear in it for others,
    /// where those that hold a text are looked for by a filter, wildcards and regular expressions
    /// among them.
    func forEach(
        of pattern: TermPattern, in segment: FlushedSegment,
        _ body: (
            _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ place: TermPlace?,
            _ documents: [UInt32]?
        ) throws -> Void
    ) throws {
        switch pattern {
        case .exact, .stemmed:
            for term in try named(by: pattern, { try stems.terms(of: $0, segment: segment.number) })
            {
                try term.bytes.withUnsafeBufferPointer {
                    try body($0, 0..<$0.count, nil, term.documents)
                }
            }
        case .prefix(let prefix): try forEach(beginningWith: prefix, segment, body)
        case .infix(let infix): try forEach(holding: infix, segment, nil, body)
        case .token(let infix, let rule):
            try forEach(holding: infix, segment, rule, body)
        case .part(let bytes): try forEach(with: bytes, segment, body)
        case .fuzzy(let matcher):
            try segment.nearTerms().forEachTerm(near: matcher, work: clock.work) {
                term, _, place in
                try body(term, 0..<term.count, place, nil)
            }
        case .wildcard(let matcher): try forEach(matching: matcher, segment, body)
        case .regularExpression(let matcher): try forEach(matching: matcher, segment, body)
        case .suffix:
            for (number, part) in try segment.vocabulary().enumerated() {
                try clock.work(part.termCount)
                try part.forEachTerm(where: { _ in true }) { term, place in
                    if let match = pattern.match(term) {
                        let place = TermPlace(part: UInt32(number), term: UInt32(place))
                        try body(term, match, place, nil)
                    }
                }
            }
        }
    }

    /// Texts of so many bytes are looked for before a matcher is asked, and beginnings of so many
    /// leave few terms by themselves.
    private static let shortestText = 2

    /// What all terms that match hold, where they are found by it sooner than by their beginning.
    private static func text(for matcher: some TermMatcher) -> [UInt8]? {
        matcher.requiredPrefix.count < shortestText && matcher.requiredText.count >= shortestText
            ? matcher.requiredText : nil
    }

    private func forEach(
        matching matcher: some TermMatcher, _ segment: FlushedSegment,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>, TermPlace?, [UInt32]?) throws -> Void
    ) throws {
        if let text = Self.text(for: matcher) {
            try FlushedTermList(segment, holding: text, nil, clock: clock).forEach {
                term, place, _ in
                try clock.work(matcher.work(forBytes: term.count))
                if matcher.matches(term) != nil { try body(term, 0..<term.count, place, nil) }
            }
            return
        }
        for (number, part) in try segment.vocabulary().enumerated() {
            try part.forEachTerm(matching: matcher, work: clock.work) { term, _, place in
                try body(
                    term, 0..<term.count, TermPlace(part: UInt32(number), term: UInt32(place)),
                    nil)
            }
        }
    }

    /// Calls `body` with each matching term of a segment.
    func forEach(
        of pattern: TermPattern, in segment: SegmentReader,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        switch segment {
        case .flushed(let segment):
            try forEach(of: pattern, in: segment) { term, _, _, _ in try body(term) }
        case .memory(let placed):
            try forEach(of: pattern, in: placed.segment) { _, term, _, _ in try body(term) }
        }
    }

    /// Calls `body` with the numbers of the matching terms of a memory segment, and the documents
    /// that alone count; nil for all.
    func forEach(
        of pattern: TermPattern, in segment: MemorySegment,
        _ body: (
            _ term: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
            _ documents: [UInt32]?
        ) throws -> Void
    ) throws {
        switch pattern {
        case .exact, .stemmed:
            for term in named(by: pattern, { segment.stems.terms(of: $0) }) {
                try term.bytes.withUnsafeBufferPointer { bytes in
                    let (number, isFound) = segment.terms.place(of: bytes)
                    if isFound { try body(number, bytes, 0..<bytes.count, term.documents) }
                }
            }
        case .infix(let infix): try forEach(holding: infix, segment, nil, body)
        case .token(let infix, let rule): try forEach(holding: infix, segment, rule, body)
        case .prefix(let prefix):
            let first = prefix.withUnsafeBufferPointer { segment.terms.place(of: $0).term }
            for term in first..<segment.terms.count {
                let isOn = try segment.terms.withTerm(term) { bytes in
                    guard bytes.starts(with: prefix) else { return false }
                    try clock.work(1)
                    try body(term, bytes, 0..<prefix.count, nil)
                    return true
                }
                guard isOn else { return }
            }
        case .wildcard(let matcher): try forEach(matching: matcher, pattern, segment, body)
        case .regularExpression(let matcher):
            try forEach(matching: matcher, pattern, segment, body)
        case .part, .suffix, .fuzzy: try forEachTerm(of: pattern, segment, body)
        }
    }

    private func forEach(
        matching matcher: some TermMatcher, _ pattern: TermPattern, _ segment: MemorySegment,
        _ body: (Int, UnsafeBufferPointer<UInt8>, Range<Int>, [UInt32]?) throws -> Void
    ) throws {
        guard let text = Self.text(for: matcher) else {
            return try forEachTerm(of: pattern, segment, body)
        }
        try forEach(holding: text, segment, nil) { term, bytes, _, documents in
            try clock.work(matcher.work(forBytes: bytes.count))
            if matcher.matches(bytes) != nil { try body(term, bytes, 0..<bytes.count, documents) }
        }
    }

    /// Compares each term of a memory segment with a pattern.
    private func forEachTerm(
        of pattern: TermPattern, _ segment: MemorySegment,
        _ body: (Int, UnsafeBufferPointer<UInt8>, Range<Int>, [UInt32]?) throws -> Void
    ) throws {
        for term in 0..<segment.terms.count {
            try segment.terms.withTerm(term) { bytes in
                try clock.work(pattern.work(forBytes: bytes.count))
                if let match = pattern.match(bytes) { try body(term, bytes, match, nil) }
            }
        }
    }

    private func forEach(
        holding infix: [UInt8], _ segment: MemorySegment, _ rule: TokenRule?,
        _ body: (Int, UnsafeBufferPointer<UInt8>, Range<Int>, [UInt32]?) throws -> Void
    ) throws {
        var last = -1
        try segment.terms.forEach(holding: infix, rule) { term, bytes, offset in
            guard term != last else { return }
            // Those between were looked through, too.
            try clock.work(term - last)
            last = term
            try body(term, bytes, offset..<(offset + infix.count), nil)
        }
    }

    /// The terms that a pattern names itself or by their stems.
    private func named(
        by pattern: TermPattern, _ stems: ([UInt8]) throws -> [StemList.Term]
    ) rethrows -> [StemList.Term] {
        switch pattern {
        case .exact(let bytes): return [StemList.Term(bytes: bytes)]
        case .stemmed(let bytes, let keys):
            // The word itself counts wherever it is.
            var found: [[UInt8]: [UInt32]?] = [bytes: .none]
            for term in try keys.flatMap(stems) {
                found[term.bytes] =
                    found[term.bytes].map { StemList.union($0, term.documents) } ?? term.documents
            }
            return found.map { StemList.Term(bytes: $0.key, documents: $0.value) }
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        default: return []
        }
    }

    private func forEach(
        beginningWith prefix: [UInt8], _ segment: FlushedSegment,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>, TermPlace?, [UInt32]?) throws -> Void
    ) throws {
        try prefix.withUnsafeBufferPointer { bytes in
            try segment.forEachRange(beginningWith: bytes) { part, number, places in
                try part.forEachTerm(in: places) { term, place in
                    try body(
                        term, 0..<prefix.count,
                        TermPlace(part: UInt32(number), term: UInt32(place)), nil)
                }
            }
        }
    }

    /// The terms of which a text is a part, and the text itself.
    private func forEach(
        with part: [UInt8], _ segment: FlushedSegment,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>, TermPlace?, [UInt32]?) throws -> Void
    ) throws {
        try clock.work(64)
        let joined = try segment.joinedTerms()
        try part.withUnsafeBufferPointer { part in
            let runs = JoinedWord.longestRuns(of: part)
            guard joined.isWhole, let run = runs.first else {
                let rule = TokenRule(partOf: Array(part))
                return try forEach(holding: Array(part), segment, rule, body)
            }
            // What has signs is among the joined terms itself.
            var own = run.count == part.count ? try segment.nearTerms().place(of: part) : nil
            func takeOwn() throws {
                if let place = own { try body(part, 0..<part.count, place, nil) }
                own = nil
            }
            try joined.forEachTerm(with: part, runs: runs, work: clock.work) {
                term, place, match in
                if let ownPlace = own, ownPlace.precedes(place) { try takeOwn() }
                try clock.work(1)
                try body(term, match, place, nil)
            }
            try takeOwn()
        }
    }

    /// A term that holds `infix` at several allowed places counts once, at the first.
    private func forEach(
        holding infix: [UInt8], _ segment: FlushedSegment, _ rule: TokenRule?,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>, TermPlace?, [UInt32]?) throws -> Void
    ) throws {
        try FlushedTermList(segment, holding: infix, rule, clock: clock).forEach {
            term, place, offset in
            try body(term, offset..<(offset + infix.count), place, nil)
        }
    }
}
