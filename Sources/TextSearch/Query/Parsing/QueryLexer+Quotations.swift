extension QueryLexer {
    /// Reads a phrase; one that is never closed goes on to the end of the text.
    mutating func lexPhrase() {
        let start = position
        position += text.quoteLength(at: position)
        var bytes: [UInt8] = []
        var endsInStar = false
        var isClosed = false
        while position < text.count {
            let quote = text.quoteLength(at: position)
            if quote > 0 {
                position += quote
                isClosed = true
                break
            }
            var length = 1
            endsInStar = text[position] == UInt8(ascii: "*")
            if text.isEscape(at: position) {
                position += 1
                length = text.scalarLength(at: position)
            }
            bytes.append(contentsOf: text.bytes[position..<position + length])
            position += length
        }
        if !isClosed {
            diagnostics.append(
                .unbalancedQuote, start..<position,
                "The quotation is not closed: all that follows is the phrase.")
        }
        var lastIsPrefix = endsInStar && bytes.count > 1
        if lastIsPrefix { bytes.removeLast() }
        if !isClosed, options.lastWordIsPrefix, !bytes.isEmpty { lastIsPrefix = true }
        finishPhrase(bytes, lastIsPrefix: lastIsPrefix, from: start)
    }

    private mutating func finishPhrase(_ bytes: [UInt8], lastIsPrefix: Bool, from start: Int) {
        let suffixStart = position
        var slop = 0
        if text[position] == UInt8(ascii: "~"), QuerySyntax.isDigit(text[position + 1]) {
            position += 1
            let number = readInteger()
            if text.isBoundary(position) || text[position] == UInt8(ascii: "^") {
                slop = number.map { clamped($0, to: Query.maximumSlop) } ?? 0
            } else {
                position = suffixStart
            }
        }
        let suffix = readScoreSuffix()
        guard !bytes.isEmpty else {
            diagnostics.append(.ignored, start..<position, "A quotation of nothing is left out.")
            return dropPrefixes()
        }
        // A phrase has several words: it may be as long as the text.
        let phrase = Query.phrase(
            String(decoding: bytes, as: UTF8.self), slop: slop, lastWordIsPrefix: lastIsPrefix)
        appendOperand(suffix.applied(to: phrase), from: start)
    }

    /// Reads `/pattern/`, if that is what stands here: without whitespace, and nothing after it.
    mutating func lexRegularExpression() -> Bool {
        let start = position
        var end = position + 1
        while end < text.count, text[end] != UInt8(ascii: "/"), text.whitespaceLength(at: end) == 0
        {
            end += 1
        }
        guard end < text.count, text[end] == UInt8(ascii: "/"), end > start + 1,
            text.isBoundary(end + 1) || text[end + 1] == UInt8(ascii: "^")
        else { return false }
        guard let query = regularExpression(text.string(start + 1..<end), start..<end + 1) else {
            return false
        }
        position = end + 1
        let suffix = readScoreSuffix()
        appendOperand(suffix.applied(to: query), from: start)
        return true
    }

    /// The query of a pattern, or nil and a diagnostic.
    mutating func regularExpression(_ pattern: String, _ range: Range<Int>) -> Query? {
        do {
            try RegularExpressionMatcher.check(pattern)
            return .regularExpression(pattern)
        } catch {
            diagnostics.append(
                .invalidPattern, range, "Read as text, not as a pattern: \(error.message)")
            return nil
        }
    }
}
