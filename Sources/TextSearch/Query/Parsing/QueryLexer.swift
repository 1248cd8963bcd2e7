/// Cuts query text into tokens in one pass.
///
/// Whatever cannot be understood is text: there is no error. Each attempt to read something longer
/// (a quotation, a range, a number) gives up at a character from which the next attempt starts, so
/// that the whole takes time linear in the length of the text.
struct QueryLexer {
    let text: QueryText
    let fields: Set<String>
    let isAttribute: @Sendable (String) -> Bool
    /// Whether signs alone are a word.
    let isWord: (String) -> Bool
    let options: QueryParser.Options

    var position = 0
    var tokens: [QueryToken] = []
    var diagnostics: QueryDiagnostics
    /// The number of operands, with those that were too many.
    private(set) var clauseCount = 0

    init(
        _ bytes: [UInt8], fields: Set<String>, isAttribute: @escaping @Sendable (String) -> Bool,
        isWord: @escaping (String) -> Bool, options: QueryParser.Options
    ) {
        self.isWord = isWord
        text = QueryText(bytes: bytes)
        self.fields = fields
        self.isAttribute = isAttribute
        self.options = options
        diagnostics = QueryDiagnostics(limit: options.limits.maximumDiagnostics)
    }

    mutating func run() {
        // A sign after anything else is one of the text, as in "stop()-Methode".
        var mayBeSign = true
        while position < text.count {
            let space = text.whitespaceLength(at: position)
            if space > 0 {
                position += space
                mayBeSign = true
                continue
            }
            let start = position
            switch text[position] {
            case UInt8(ascii: "("):
                position += 1
                append(.open(.plain), from: start)
            case UInt8(ascii: ")"):
                position += 1
                let suffix = readScoreSuffix()
                append(.close(suffix), from: start)
            case UInt8(ascii: "+") where mayBeSign && signActs(at: position):
                position += 1
                append(.must, from: start)
            case UInt8(ascii: "-") where mayBeSign && signActs(at: position):
                position += 1
                append(.mustNot, from: start)
            default: lexOperand(mayHaveName: true)
            }
            mayBeSign = text[position - 1] == UInt8(ascii: "(")
        }
    }

    /// A sign acts on an operand that follows at once; several signs in a row are text.
    private func signActs(at position: Int) -> Bool {
        let next = text[position + 1]
        return next != UInt8(ascii: ")") && next != UInt8(ascii: "+") && next != UInt8(ascii: "-")
            && text.whitespaceLength(at: position + 1) == 0 && position + 1 < text.count
    }

    mutating func lexOperand(mayHaveName: Bool) {
        if text.quoteLength(at: position) > 0 {
            lexPhrase()
        } else if text[position] == UInt8(ascii: "/"), lexRegularExpression() {
        } else if text[position] == UInt8(ascii: "@"), lexFunction() {
        } else {
            lexWord(mayHaveName: mayHaveName)
        }
    }

    // MARK: Tokens

    mutating func append(_ kind: QueryToken.Kind, from start: Int) {
        tokens.append(QueryToken(kind: kind, range: start..<position))
    }

    /// Adds an operand that ends here, unless there are too many.
    mutating func appendOperand(_ query: Query, from start: Int) {
        clauseCount += 1
        let limit = options.limits.clauses
        guard clauseCount <= limit else {
            if clauseCount == limit + 1 {
                diagnostics.append(
                    .limitExceeded, start..<text.count,
                    "More than \(limit) clauses: the words from here on are left out.")
            }
            return dropPrefixes()
        }
        append(.operand(query), from: start)
    }

    /// Makes a word of `AND` or `NOT`, and says whether there may be one more.
    mutating func makeWord(of place: Int) -> Bool {
        guard clauseCount < options.limits.clauses else { return false }
        clauseCount += 1
        tokens[place].kind = .operand(.term(text.string(tokens[place].range)))
        return true
    }

    /// Removes the signs and names that were to act on an operand that is left out.
    mutating func dropPrefixes() {
        while let last = tokens.last {
            switch last.kind {
            case .must, .mustNot, .field, .attribute: tokens.removeLast()
            default: return
            }
        }
    }

    // MARK: Pieces

    /// Reads `^2` or `^=2`, or nothing.
    mutating func readScoreSuffix() -> ScoreSuffix {
        guard text[position] == UInt8(ascii: "^") else { return .none }
        let isConstant = text[position + 1] == UInt8(ascii: "=")
        let start = position + (isConstant ? 2 : 1)
        var end = start
        while QuerySyntax.isDigit(text[end]) || ".eE+-".utf8.contains(text[end]) { end += 1 }
        // Longer than any number is long; this also keeps repeated attempts cheap.
        guard end - start <= 32, text.isBoundary(end), text[start] != UInt8(ascii: "-"),
            let value = AttributeText.number(text.string(start..<end))
        else { return .none }
        if value > Query.maximumBoost {
            diagnostics.append(
                .clamped, start..<end, "The greatest boost is \(Int(Query.maximumBoost)).")
        }
        position = end
        return isConstant ? .constant(value) : .boost(value)
    }

    /// Reads digits, or nothing; very large numbers come out as some large number.
    mutating func readInteger() -> (value: Int, range: Range<Int>)? {
        let start = position
        var value = 0
        while QuerySyntax.isDigit(text[position]) {
            if value < 1_000_000 { value = value * 10 + Int(text[position] - 48) }
            position += 1
        }
        return position > start ? (value, start..<position) : nil
    }

    /// The number, or the greatest possible and a diagnostic.
    mutating func clamped(_ number: (value: Int, range: Range<Int>), to maximum: Int) -> Int {
        if number.value > maximum {
            diagnostics.append(.clamped, number.range, "The greatest number here is \(maximum).")
        }
        return min(number.value, maximum)
    }

    /// Cuts what is too long at a character.
    mutating func limited(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        var end = bytes.count
        if end > max(options.limits.maximumWordLength, 0) {
            end = max(options.limits.maximumWordLength, 0)
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            diagnostics.append(
                .limitExceeded, range,
                "Longer than \(options.limits.maximumWordLength) bytes: the rest is left out.")
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
