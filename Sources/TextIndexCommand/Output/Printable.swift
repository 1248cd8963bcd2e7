/// Makes text of others safe to print on a terminal.
///
/// Files can hold escape sequences that move the cursor, change the title or re-program a terminal,
/// and marks that reverse the direction of what follows.
enum Printable {
    /// The text on one line: controls dropped, each run of white space one space.
    static func line(_ text: some StringProtocol) -> String {
        var pieces = Pieces()
        return pieces.next(text)
    }

    /// A JSON text that says the same and acts on no terminal: what could is escaped.
    static func json(_ text: String) -> String {
        // Encoded JSON has line feeds between its parts only; anything else unsafe stands in a
        // string.
        func isEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && isUnsafe(scalar) }
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isEscaped(scalar) else {
                escaped.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                escaped.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            }
        }
        return String(escaped)
    }

    /// Makes one line of several pieces of text.
    ///
    /// White space at the start and at the end of the line is dropped; between two pieces it goes
    /// to the start of the second.
    struct Pieces {
        private(set) var isEmpty = true
        private var pendingSpace = false

        /// The printable form of the next piece.
        mutating func next(_ text: some StringProtocol) -> String {
            var piece = ""
            for scalar in text.unicodeScalars {
                if isSpace(scalar) {
                    pendingSpace = true
                } else if !Printable.isUnsafe(scalar) {
                    if pendingSpace && !isEmpty { piece.unicodeScalars.append(" ") }
                    pendingSpace = false
                    isEmpty = false
                    piece.unicodeScalars.append(scalar)
                }
            }
            return piece
        }

        /// White space; the table lookup only for what is not ASCII.
        private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isASCII
                ? scalar == " " || (0x09...0x0D).contains(scalar.value)
                : scalar.properties.isWhitespace
        }
    }

    /// Whether a scalar could act on the terminal instead of being shown.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true  // C0, delete, C1
        case 0x202A...0x202E, 0x2066...0x2069: true  // direction overrides and isolates
        case 0x200E, 0x200F, 0x061C: true  // direction marks
        case 0xE0000...0xE007F: true  // invisible tags
        default: false
        }
    }
}
