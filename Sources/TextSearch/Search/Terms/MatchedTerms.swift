/// The terms of a snapshot that a keyword matches, and where in them.
struct MatchedTerms: ~Copyable {
    /// The bytes of the matched terms, one after the other.
    private(set) var bytes = Buffer<UInt8>()
    private(set) var terms = Buffer<Term>()
    /// The patterns that may match a term at several places, by the parts of the query that they
    /// are.
    private(set) var infixes: [UInt32: TermPattern] = [:]

    /// The bytes of memory held.
    var byteCount: Int { bytes.byteCount + terms.byteCount }

    struct Term: BitwiseCopyable {
        /// Where the term's bytes are.
        var start: UInt32
        var length: UInt16
        /// The offset of the match in the term, and how many bytes match.
        var offset: UInt16
        var matched: UInt16
        /// Which part of a query it was found for, and in how many living documents of its segment.
        var part: UInt32 = 0
        var documentCount: UInt32 = 0
    }

    /// Takes a term and gives its number.
    mutating func append(
        _ term: UnsafeBufferPointer<UInt8>, offset: Int, matched: Int, part: UInt32 = 0
    ) -> UInt32 {
        let number = UInt32(terms.count)
        var start = UInt32(bytes.count)
        if let last = terms.isEmpty ? nil : terms[terms.count - 1], Int(last.length) == term.count,
            isLast(term, last)
        {
            start = last.start
        } else {
            bytes.append(contentsOf: term)
        }
        terms.append(
            Term(
                start: start, length: UInt16(clamping: term.count),
                offset: UInt16(clamping: offset), matched: UInt16(clamping: matched), part: part))
        return number
    }

    /// Notes what a part of a query looks for.
    mutating func begin(_ pattern: TermPattern, part: UInt32) {
        switch pattern {
        case .infix, .token, .part: infixes[part] = pattern
        default: break
        }
    }

    /// Where else than at its first place a matched term matches.
    borrowing func furtherMatches(of number: Int) -> [Range<Int>] {
        guard !infixes.isEmpty, let pattern = infixes[terms[number].part] else { return [] }
        var further: [Range<Int>] = []
        withTerm(number) { term, match in
            pattern.forEachFurtherMatch(in: term, after: Int(match.offset)) { further.append($0) }
        }
        return further
    }

    /// Notes in how many documents a term was found.
    mutating func setDocumentCount(_ count: UInt32, of number: UInt32) {
        terms[Int(number)].documentCount = count
    }

    private borrowing func isLast(_ term: UnsafeBufferPointer<UInt8>, _ last: Term) -> Bool {
        bytes.withElements {
            TermOrder.compare(
                UnsafeBufferPointer(
                    rebasing: $0[Int(last.start)..<(Int(last.start) + Int(last.length))]), term)
                == 0
        }
    }

    @inline(__always)
    borrowing func withTerm<R, E: Error>(
        _ number: Int, _ body: (UnsafeBufferPointer<UInt8>, Term) throws(E) -> R
    ) throws(E) -> R {
        let term = terms[number]
        return try bytes.withElements { (bytes) throws(E) in
            try body(
                UnsafeBufferPointer(
                    rebasing: bytes[Int(term.start)..<(Int(term.start) + Int(term.length))]),
                term)
        }
    }
}

/// One place where a keyword matches.
struct Hit: BitwiseCopyable {
    var document: UInt32
    var string: UInt32
    var position: UInt32
    /// The matched term, in `MatchedTerms`.
    var term: UInt32
    /// For a run: how many words after `position` it ends, and the term of that word.
    var span: UInt32 = 0
    var lastTerm: UInt32 = 0
}
