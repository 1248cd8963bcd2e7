extension QueryLexer {
    /// Reads a word: up to whitespace or a parenthesis, whatever else is in it.
    mutating func lexWord(mayHaveName: Bool) {
        let start = position
        var word = WordReader()
        var mayHaveName = mayHaveName
        while !text.isBoundary(position) {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\\") where text.isEscape(at: position, beginsWord: word.isEmpty):
                let end = position + 1 + text.scalarLength(at: position + 1)
                word.append(text.bytes[position + 1..<end], isEscaped: true)
                position = end
                continue
            case UInt8(ascii: "*"): word.appendWildcard(.any, byte)
            case UInt8(ascii: "?"): word.appendWildcard(.one, byte)
            case UInt8(ascii: ":") where mayHaveName && !word.isEmpty:
                // Only the first colon can name a field; looking at each would take quadratic time.
                mayHaveName = false
                if !word.hasWildcard, lexNamed(word.text, from: start) { return }
                word.append(byte)
            case UInt8(ascii: "~"), UInt8(ascii: "^"):
                if !word.isEmpty, finishWithSuffix(word, from: start) { return }
                word.append(byte)
            default: word.append(byte)
            }
            position += 1
        }
        finish(word, .none, from: start)
    }

    /// Ends a word with `~1`, `~2/3`, `^2` or both if that is what stands here.
    private mutating func finishWithSuffix(_ word: WordReader, from start: Int) -> Bool {
        let suffixStart = position
        let isFuzzy = text[position] == UInt8(ascii: "~") && !word.hasWildcard
        var distance: (value: Int, range: Range<Int>)?
        var exactPrefix: (value: Int, range: Range<Int>)?
        if isFuzzy {
            position += 1
            distance = readInteger()
            if text[position] == UInt8(ascii: "/") {
                position += 1
                exactPrefix = readInteger()
            }
        }
        let suffix = readScoreSuffix()
        guard text.isBoundary(position), position > suffixStart else {
            position = suffixStart
            return false
        }
        guard isFuzzy else {
            finish(word, suffix, from: start)
            return true
        }
        let text = limited(word.bytes, start..<suffixStart)
        let query = Query.fuzzy(
            text,
            distance: distance.map { clamped($0, to: Query.maximumFuzzyDistance) }
                ?? MatchModes.usualDistance(of: text),
            exactPrefix: exactPrefix.map { clamped($0, to: Query.maximumSlop) } ?? 0)
        appendOperand(suffix.applied(to: query), from: start)
        return true
    }

    private mutating func finish(_ word: WordReader, _ suffix: ScoreSuffix, from start: Int) {
        let range = start..<position
        if word.hasWildcard, let query = word.wildcards(limitedTo: options.limits).query {
            if word.byteCount > options.limits.maximumWordLength { _ = limited(word.bytes, range) }
            return appendOperand(suffix.applied(to: query), from: start)
        }
        var isPlain = !word.hasEscape && !word.hasWildcard
        if case .none = suffix {} else { isPlain = false }
        if isPlain, let keyword = keyword(word.text) { return append(keyword, from: start) }
        if !word.hasEscape, QuerySyntax.isPunctuation(word.text), !isWord(word.text) {
            diagnostics.append(.ignored, range, "Signs without a word or operand are left out.")
            return dropPrefixes()
        }
        let text = limited(word.bytes, range)
        var query = Query.term(text)
        if isPlain, options.lastWordIsPrefix, position == self.text.count {
            query = .any(of: [query, .prefix(text)])
        }
        appendOperand(suffix.applied(to: query), from: start)
    }

    /// `AND`, `OR` and `NOT`, where no sign or name claims them as words.
    private func keyword(_ word: String) -> QueryToken.Kind? {
        switch tokens.last?.kind {
        case .must, .mustNot, .field, .attribute: return nil
        default: break
        }
        switch word {
        case "AND": return .and
        case "OR": return .or
        case "NOT": return .not
        default: return nil
        }
    }
}

/// The bytes of a word without its backslashes, and where its wildcards are.
struct WordReader {
    private(set) var bytes: [UInt8] = []
    private(set) var hasEscape = false
    private var wildcards: [(offset: Int, piece: WildcardWord.Piece)] = []

    var isEmpty: Bool { bytes.isEmpty }
    var byteCount: Int { bytes.count }
    var hasWildcard: Bool { !wildcards.isEmpty }

    /// The word with its wildcards as plain characters.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ scalar: ArraySlice<UInt8>, isEscaped: Bool) {
        bytes.append(contentsOf: scalar)
        hasEscape = true
    }

    mutating func appendWildcard(_ piece: WildcardWord.Piece, _ byte: UInt8) {
        wildcards.append((bytes.count, piece))
        bytes.append(byte)
    }

    /// The pieces of the word, as many as fit into the limit.
    func wildcards(limitedTo limits: QueryLimits) -> WildcardWord {
        var end = min(bytes.count, max(limits.maximumWordLength, 0))
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        var word = WildcardWord()
        var start = 0
        for (offset, piece) in wildcards where offset < end {
            word.append(.literal(String(decoding: bytes[start..<offset], as: UTF8.self)))
            word.append(piece)
            start = offset + 1
        }
        if start < end {
            word.append(.literal(String(decoding: bytes[start..<end], as: UTF8.self)))
        }
        return word
    }
}
