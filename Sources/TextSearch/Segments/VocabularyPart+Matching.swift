/// A byte string that is looked for inside terms, and what it asks of groups of them.
struct InfixNeedle: Sendable {
    let bytes: [UInt8]
    /// Rows of a `GramFilter`; none for a single byte.
    let rows: [Int]
    /// Whether a term may hold it: none has the byte that stands between them.
    let isPossible: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isPossible = !bytes.contains(0)
        rows = bytes.withUnsafeBufferPointer { GramFilter.rows(of: $0) }
    }
}

/// Finds terms by what they look like.
extension VocabularyPart {
    /// Calls `body` with the number of the term, its range in `all`, the bytes of the part, and the offset in it, for every place at which
    /// `needle` stands, ascending. Only terms whose numbers are among `wanted` are looked at.
    ///
    /// Complexity: linear in the number of terms, sixteen at a time, and in the bytes of those that may hold it.
    @inline(__always)
    func forEachMatch(
        of needle: InfixNeedle, in all: UnsafeBufferPointer<UInt8>, among wanted: Range<Int>,
        _ body: (_ number: Int, _ term: Range<Int>, _ offset: Int) -> Void
    ) {
        guard needle.isPossible else { return }
        needle.bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count > 1 else {
                return forEachMatch(of: bytes, in: all, numbers: wanted, body)
            }
            let size = GramFilter.groupSize
            let filter = grams.get { GramFilter(all, starts: starts) }
            filter.forEachRun(of: needle.rows, from: wanted.lowerBound / size) { groups in
                let numbers = (groups.lowerBound * size)..<min(groups.upperBound * size, termCount)
                let clamped = numbers.clamped(to: wanted)
                if !clamped.isEmpty {
                    forEachMatch(of: bytes, in: all, numbers: clamped, body)
                }
                return numbers.upperBound < wanted.upperBound
            }
        }
    }

    /// The same for neighbouring terms, all of which are looked at.
    @inline(__always)
    private func forEachMatch(
        of needle: UnsafeBufferPointer<UInt8>, in all: UnsafeBufferPointer<UInt8>,
        numbers: Range<Int>, _ body: (_ number: Int, _ term: Range<Int>, _ offset: Int) -> Void
    ) {
        let lower = Int(starts[numbers.lowerBound])
        let bytes = UnsafeBufferPointer(
            rebasing: all[lower..<Int(starts[numbers.upperBound])])
        var number = numbers.lowerBound
        starts.withUnsafeBufferPointer { starts in
            InfixScan.forEachPlace(of: needle, in: bytes) { place in
                let place = place &+ lower
                while Int(starts[number &+ 1]) <= place { number &+= 1 }
                let start = Int(starts[number])
                body(number, start..<(Int(starts[number &+ 1]) &- 1), place &- start)
            }
        }
    }

    /// Calls `body` with each term that a matcher takes, the edits between them, and its number, in order.
    ///
    /// Complexity: linear in the number of terms that begin as the matcher demands; those that share a beginning with which none matches are
    /// passed over unread.
    func forEachTerm(
        matching matcher: some TermMatcher,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int, _ number: Int) throws -> Void
    ) rethrows {
        let places = matcher.requiredPrefix.withUnsafeBufferPointer {
            $0.isEmpty ? 0..<termCount : self.places(beginningWith: $0)
        }
        try bytes.withUnsafeBufferPointer { bytes in
            var term = places.lowerBound
            while term < places.upperBound {
                let candidate = UnsafeBufferPointer(rebasing: bytes[range(of: term)])
                var deadEnd = Int.max
                if let edits = matcher.matches(candidate, deadEnd: &deadEnd) {
                    try body(candidate, edits, term)
                }
                term += 1
                while term < places.upperBound, Int(shared[term]) >= deadEnd { term += 1 }
            }
        }
    }

    /// Calls `body` with each term that is near enough to a word, the edits between them, and its number, in order.
    ///
    /// Complexity: as that for other matchers; where the matcher names cases, linear in the terms of these.
    func forEachTerm(
        near matcher: FuzzyMatcher,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int, _ number: Int) throws -> Void
    ) rethrows {
        guard let cases = matcher.cases else {
            return try forEachTerm(matching: matcher, body)
        }
        let candidates = places(of: cases)
        try bytes.withUnsafeBufferPointer { bytes in
            for place in candidates {
                let term = UnsafeBufferPointer(rebasing: bytes[range(of: place)])
                if let edits = matcher.matches(term) { try body(term, edits, place) }
            }
        }
    }

    /// The places of the terms that may be those of some cases, ascending.
    private func places(of cases: FuzzyCases) -> [Int] {
        var found: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            for edit in cases.edits {
                // Each beginning is that of the next one, too.
                let range = edit.beginning.withUnsafeBufferPointer { places(beginningWith: $0) }
                // Few are compared sooner than they are searched.
                if range.count < Self.fewTerms { return found.append(contentsOf: range) }
                let length = edit.end.bytes.count
                forEachMatch(of: edit.end, in: bytes, among: range) { number, term, offset in
                    if offset + length == term.count { found.append(number) }
                }
                let swapped = edit.swapped.withUnsafeBufferPointer { number(of: $0) }
                if let swapped { found.append(swapped) }
            }
            found += cases.beginning.withUnsafeBufferPointer { places(beginningWith: $0) }
        }
        found.sort()
        var last = -1
        return found.filter { place in
            defer { last = place }
            return place != last
        }
    }

    private static let fewTerms = 32
}
