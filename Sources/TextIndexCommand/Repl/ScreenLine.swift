/// How text is shown on the screen.
enum ScreenStyle: Equatable, Sendable {
    case plain, match, heading, faint, selected
}

/// A line of the screen: cells with their styles, never wider than it was made for.
///
/// Nothing in it acts on a terminal: what is not shown is left out.
struct ScreenLine: Equatable, Sendable {
    /// A run of characters of one style.
    struct Run: Equatable, Sendable {
        var text: String
        var style: ScreenStyle
    }

    private(set) var runs: [Run] = []
    /// The columns that are taken.
    private(set) var width = 0
    /// The columns that there are.
    let room: Int
    private var isCut = false

    init(room: Int) { self.room = max(room, 0) }

    /// Adds text, as much as there is room for; what follows one that was cut is left out.
    mutating func append(_ text: some StringProtocol, _ style: ScreenStyle = .plain) {
        guard !isCut else { return }
        var shown = ""
        for character in text {
            let safe = Self.shown(character)
            let columns = safe.reduce(0) { $0 + CellWidth.of($1) }
            // A mark without a letter before it would join what the terminal showed before.
            if columns == 0 { continue }
            guard width + columns <= room else {
                isCut = true
                break
            }
            width += columns
            shown += safe
        }
        guard !shown.isEmpty else { return }
        if runs.last?.style == style {
            runs[runs.count - 1].text += shown
        } else {
            runs.append(Run(text: shown, style: style))
        }
    }

    /// Fills the line with spaces up to a column.
    mutating func pad(to column: Int, _ style: ScreenStyle = .plain) {
        let missing = min(column, room) - width
        guard missing > 0 else { return }
        isCut = false
        append(String(repeating: " ", count: missing), style)
    }

    /// A character without what acts on a terminal: controls, escapes, direction marks.
    static func shown(_ character: Character) -> String {
        if character.isWhitespace { return " " }
        // One character can be millions of scalars.
        var scalars = String.UnicodeScalarView()
        for scalar in character.unicodeScalars.prefix(16) where !Printable.isUnsafe(scalar) {
            scalars.append(scalar)
        }
        return String(scalars)
    }
}
