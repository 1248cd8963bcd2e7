/// The terms of a flushed segment that hold a byte string, in term order, with the places in them.
struct FlushedTermList {
    private let parts: [VocabularyPart]
    private var matches: [Match] = []

    private struct Match {
        var part: Int
        var term: Int
        var range: Range<Int>
        var offset: Int
    }

    /// Scans the vocabulary.
    ///
    /// Complexity: linear in it, as ``VocabularyPart/forEachMatch(of:in:_:)`` is.
    init(
        _ segment: FlushedSegment, holding needle: [UInt8], _ rule: TokenRule, prefixOnly: Bool
    ) throws {
        parts = try segment.vocabulary()
        let needle = InfixNeedle(needle)
        for (place, part) in parts.enumerated() {
            part.bytes.withUnsafeBufferPointer { all in
                part.forEachMatch(of: needle, in: all) {
                    number, range, offset in
                    let term = UnsafeBufferPointer(rebasing: all[range])
                    guard !prefixOnly || offset == 0, rule.allows(offset, in: term) else {
                        return
                    }
                    matches.append(
                        Match(part: place, term: number, range: range, offset: offset))
                }
            }
        }
    }

    /// Calls `body` once for each term.
    func forEachDistinctTerm(
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ place: TermPlace) throws -> Void
    ) rethrows {
        try forEachMatch { term, place, _, isNew in
            if isNew { try body(term, place) }
        }
    }

    /// Calls `body` with each match; `isNewTerm` is false for another place in the same term.
    func forEachMatch(
        _ body: (
            _ term: UnsafeBufferPointer<UInt8>, _ place: TermPlace, _ offset: Int,
            _ isNewTerm: Bool
        ) throws -> Void
    ) rethrows {
        var last = TermPlace(part: .max, term: 0)
        for match in matches {
            let part = parts[match.part]
            let place = TermPlace(part: UInt32(match.part), term: UInt32(match.term))
            let isNew = place.part != last.part || place.term != last.term
            last = place
            try part.bytes.withUnsafeBufferPointer {
                try body(
                    UnsafeBufferPointer(rebasing: $0[match.range]), place, match.offset, isNew)
            }
        }
    }
}
