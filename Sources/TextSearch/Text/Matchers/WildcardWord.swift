/// A word with `*` and `?` in it, and the simplest query that means the same.
struct WildcardWord {
    enum Piece: Hashable {
        case literal(String)
        /// `*`: any characters.
        case any
        /// `?`: one character.
        case one
    }

    private(set) var pieces: [Piece] = []

    init() {}

    /// Reads a pattern in which a backslash makes the next character stand for itself.
    init(pattern: String) {
        var literal = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                literal.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "*" || scalar == "?" {
                append(.literal(String(literal)))
                literal.removeAll(keepingCapacity: true)
                append(scalar == "*" ? .any : .one)
            } else {
                literal.append(scalar)
            }
        }
        if isEscaped { literal.append("\\") }
        append(.literal(String(literal)))
    }

    /// Adds a piece; empty literals and a `*` after another change nothing.
    mutating func append(_ piece: Piece) {
        if piece == .literal("") || (piece == .any && pieces.last == .any) { return }
        pieces.append(piece)
    }

    /// The pieces without the `?` at the end, and without punctuation after one.
    var trimmed: [Piece] {
        let end = pieces.reversed().prefix { piece in
            switch piece {
            case .one: true
            case .literal(let text): QuerySyntax.isPunctuation(text)
            case .any: false
            }
        }
        let question = pieces[(pieces.count - end.count)...].firstIndex(of: .one)
        return Array(pieces[..<(question ?? pieces.count)])
    }

    /// Whether it is made of more than wildcards.
    var hasText: Bool { pieces.contains { $0 != .any && $0 != .one } }

    /// The canonical pattern for ``Query/wildcard(_:)``.
    var pattern: String {
        text { literal in
            var text = ""
            for scalar in literal.unicodeScalars {
                if scalar == "*" || scalar == "?" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            return text
        }
    }

    /// The word as text, with its literals as `escaped` gives them.
    func text(_ escaped: (String) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .any: "*"
            case .one: "?"
            case .literal(let literal): escaped(literal)
            }
        }.joined()
    }
}
