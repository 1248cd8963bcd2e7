/// The terms of flushed segments that hold a byte string, in term order, with the places in them.
struct FlushedTermList {
    private var bytes: [UInt8] = []
    private var matches: [Match] = []

    private struct Match {
        var start: Int
        var length: Int
        var offset: Int
    }

    /// Scans the vocabularies.
    ///
    /// Complexity: linear in them, as ``VocabularyPart/forEachMatch(of:in:_:)`` is.
    init(
        _ segments: [FlushedSegment], holding needle: [UInt8], _ rule: TokenRule, prefixOnly: Bool
    ) throws {
        for segment in segments {
            for part in try segment.vocabulary() {
                part.bytes.withUnsafeBufferPointer { all in
                    needle.withUnsafeBufferPointer { needle in
                        part.forEachMatch(of: needle, in: all) { range, offset in
                            let term = UnsafeBufferPointer(rebasing: all[range])
                            guard !prefixOnly || offset == 0, rule.allows(offset, in: term)
                            else { return }
                            matches.append(
                                Match(start: bytes.count, length: term.count, offset: offset))
                            bytes.append(contentsOf: term)
                        }
                    }
                }
            }
        }
        if segments.count > 1 { sort() }
    }

    private mutating func sort() {
        bytes.withUnsafeBufferPointer { bytes in
            matches.sort { a, b in
                let order = TermOrder.compare(
                    bytes, a.start..<(a.start + a.length), b.start..<(b.start + b.length))
                return order == 0 ? a.offset < b.offset : order < 0
            }
        }
    }

    /// Calls `body` once for each term.
    func forEachDistinctTerm(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        try forEachMatch { term, _, isNew in
            if isNew { try body(term) }
        }
    }

    /// Calls `body` with each match; `isNewTerm` is false for another place in the same term.
    func forEachMatch(
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ offset: Int, _ isNewTerm: Bool) throws
            -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            var previous: Range<Int>?
            for match in matches {
                let range = match.start..<(match.start + match.length)
                let isNew = previous.map { TermOrder.compare(bytes, $0, range) != 0 } ?? true
                try body(UnsafeBufferPointer(rebasing: bytes[range]), match.offset, isNew)
                previous = range
            }
        }
    }
}
