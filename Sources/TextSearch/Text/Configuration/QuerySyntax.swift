/// Which characters mean something in query text.
enum QuerySyntax {
    /// Straight and typographic double quotes: keyboards put in the latter by themselves.
    static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x22, 0x201C...0x201F, 0xFF02: return true
        default: return false
        }
    }

    static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Whether a text is nothing but punctuation and controls, which no index has words for.
    static func isPunctuation(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII { return !isAlphanumeric(UInt8(truncatingIfNeeded: scalar.value)) }
            switch scalar.properties.generalCategory {
            case .dashPunctuation, .openPunctuation, .closePunctuation, .connectorPunctuation,
                .initialPunctuation, .finalPunctuation, .otherPunctuation, .control, .format:
                return true
            default: return false
            }
        }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    static func quoted(_ text: String) -> String {
        "\"\(escapedQuotes(text))\""
    }

    static func escapedQuotes(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\\" || isQuote(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}

/// The bytes of a query text, with the characters that matter recognised in place.
struct QueryText {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    /// The byte at a position, or a line feed past the end, which ends everything there is.
    subscript(position: Int) -> UInt8 {
        position < bytes.count ? bytes[position] : UInt8(ascii: "\n")
    }

    /// How many bytes the whitespace at a position has; 0 for anything else.
    func whitespaceLength(at position: Int) -> Int {
        guard position < bytes.count else { return 0 }
        let byte = bytes[position]
        if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) ? 1 : 0 }
        guard let scalar = scalar(at: position) else { return 0 }
        return QuerySyntax.isWhitespace(scalar.value) ? scalar.length : 0
    }

    /// How many bytes the quotation mark at a position has; 0 for anything else.
    func quoteLength(at position: Int) -> Int {
        guard position < bytes.count else { return 0 }
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") { return 1 }
        guard byte == 0xE2 || byte == 0xEF, let scalar = scalar(at: position) else { return 0 }
        return QuerySyntax.isQuote(scalar.value) ? scalar.length : 0
    }

    /// Whether an operand ends before a position: at whitespace, a parenthesis or the end.
    func isBoundary(_ position: Int) -> Bool {
        guard position < bytes.count else { return true }
        let byte = bytes[position]
        return byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
            || whitespaceLength(at: position) > 0
    }

    /// Whether a backslash at a position makes the character behind it text. Before a letter or
    /// digit it is a sign of the text, as in `C:\Users`; but not before an operator that a word is.
    func isEscape(at position: Int, beginsWord: Bool = false) -> Bool {
        let next = position + 1
        guard self[position] == UInt8(ascii: "\\"), next < bytes.count else { return false }
        if beginsWord {
            for (name, length) in [("AND" as StaticString, 3), ("OR", 2), ("NOT", 3)]
            where has(name, at: next) && !QuerySyntax.isAlphanumeric(self[next + length]) {
                return true
            }
        }
        if bytes[next] < 0x80 { return !QuerySyntax.isAlphanumeric(bytes[next]) }
        let properties = scalar(at: next)?.value.properties
        return !(properties?.isAlphabetic ?? false) && properties?.numericType == nil
    }

    /// How many bytes the character at a position has; at least 1.
    func scalarLength(at position: Int) -> Int {
        guard position < bytes.count else { return 1 }
        let length: Int
        switch bytes[position] {
        case 0xF0...: length = 4
        case 0xE0...: length = 3
        case 0xC0...: length = 2
        default: length = 1
        }
        return min(length, bytes.count - position)
    }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Whether an ASCII text stands at a position.
    func has(_ ascii: StaticString, at position: Int) -> Bool {
        ascii.withUTF8Buffer { wanted in
            guard bytes.count - position >= wanted.count else { return false }
            return bytes[position..<position + wanted.count].elementsEqual(wanted)
        }
    }

    /// The scalar at a position; the bytes come from a `String` and are valid UTF-8.
    private func scalar(at position: Int) -> (value: Unicode.Scalar, length: Int)? {
        let length = scalarLength(at: position)
        guard length > 1 else { return nil }
        var value = UInt32(bytes[position]) & (0x7F >> UInt32(length))
        for byte in bytes[position + 1..<position + length] {
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}
