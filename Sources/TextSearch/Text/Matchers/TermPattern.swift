/// Which terms a query asks for.
enum TermPattern {
    case exact([UInt8])
    /// A term itself, and those with one of the stems.
    case stemmed([UInt8], [[UInt8]])
    case prefix([UInt8])
    case infix([UInt8])
    /// What a keyword matches: an infix at a place where a token begins.
    case token([UInt8], TokenRule)
    case suffix([UInt8])
    /// A part of a joined word, or the word itself.
    case part([UInt8])
    case fuzzy(FuzzyMatcher)
    case wildcard(WildcardMatcher)
    case regularExpression(RegularExpressionMatcher)

    /// The bytes of the term that match, or nil when it does not.
    func match(_ term: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        switch self {
        case .exact(let bytes), .stemmed(let bytes, _):
            return term.elementsEqual(bytes) ? 0..<term.count : nil
        case .prefix(let bytes): return term.starts(with: bytes) ? 0..<bytes.count : nil
        case .suffix(let bytes):
            guard term.count >= bytes.count,
                term.suffix(bytes.count).elementsEqual(bytes)
            else { return nil }
            return (term.count - bytes.count)..<term.count
        case .infix(let bytes):
            return Self.place(of: bytes, in: term) { _ in true }
        case .token(let bytes, let rule):
            return Self.place(of: bytes, in: term) { rule.allows($0, in: term) }
        case .part(let bytes):
            let rule = TokenRule(partOf: bytes)
            return Self.place(of: bytes, in: term) { rule.allows($0, in: term) }
                ?? (JoinedWord.isWritten(term, together: bytes) ? 0..<term.count : nil)
        case .fuzzy(let matcher): return matcher.matches(term) == nil ? nil : 0..<term.count
        case .wildcard(let matcher): return matcher.matches(term) == nil ? nil : 0..<term.count
        case .regularExpression(let matcher):
            return matcher.matches(term) == nil ? nil : 0..<term.count
        }
    }

    /// The units of work that a comparison with a term takes.
    func work(forBytes count: Int) -> Int {
        switch self {
        case .fuzzy(let matcher): matcher.work(forBytes: count)
        case .wildcard(let matcher): matcher.work(forBytes: count)
        case .regularExpression(let matcher): matcher.work(forBytes: count)
        default: 1
        }
    }

    /// Calls `body` with the other places of a term that match, after the first one: of infixes
    /// alone.
    func forEachFurtherMatch(
        in term: UnsafeBufferPointer<UInt8>, after first: Int, _ body: (Range<Int>) -> Void
    ) {
        let bytes: [UInt8]
        var rule: TokenRule?
        switch self {
        case .infix(let infix): bytes = infix
        case .token(let infix, let tokenRule): (bytes, rule) = (infix, tokenRule)
        case .part(let part): (bytes, rule) = (part, TokenRule(partOf: part))
        default: return
        }
        guard let head = bytes.first, term.count - bytes.count > first else { return }
        for offset in (first + 1)...(term.count - bytes.count)
        where term[offset] == head && term[offset...].starts(with: bytes)
            && rule?.allows(offset, in: term) ?? true
        {
            body(offset..<(offset + bytes.count))
        }
    }

    private static func place(
        of bytes: [UInt8], in term: UnsafeBufferPointer<UInt8>, where isAllowed: (Int) -> Bool
    ) -> Range<Int>? {
        guard !bytes.isEmpty, term.count >= bytes.count else { return nil }
        for offset in 0...(term.count - bytes.count)
        where term[offset...].starts(with: bytes) && isAllowed(offset) {
            return offset..<(offset + bytes.count)
        }
        return nil
    }
}
