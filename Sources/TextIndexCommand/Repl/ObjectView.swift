/// An object's text on the whole screen.
struct ObjectView: Equatable, Sendable {
    let title: String
    private let text: [String]
    private var wrapped: [ScreenLine] = []
    private var columns = -1
    private var rows = 0
    /// The first line that is shown.
    private(set) var top = 0

    /// Of a text no more is shown than this.
    private static let longest = 1 << 20

    init(title: String, strings: [String]) {
        self.title = title
        text = strings.flatMap {
            String(decoding: $0.utf8.prefix(Self.longest), as: UTF8.self)
                .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map(String.init) + [""]
        }
    }

    /// Cuts the text into lines of the screen.
    mutating func fit(_ columns: Int, _ rows: Int) {
        self.rows = max(rows, 1)
        if columns != self.columns {
            self.columns = columns
            wrapped = text.flatMap { Self.wrapped($0, max(columns, 2)) }
        }
        scroll(by: 0)
    }

    private static func wrapped(_ text: String, _ columns: Int) -> [ScreenLine] {
        var lines = [ScreenLine(room: columns)]
        for character in text {
            let shown = ScreenLine.shown(character)
            let width = CellWidth.of(shown)
            if lines[lines.count - 1].width + width > columns {
                lines.append(ScreenLine(room: columns))
            }
            lines[lines.count - 1].append(shown)
        }
        return lines
    }

    /// The lines that are shown.
    var lines: ArraySlice<ScreenLine> { wrapped.dropFirst(top).prefix(rows) }

    /// How far it is read, in percent.
    var progress: Int {
        wrapped.isEmpty ? 100 : min((top + rows) * 100 / wrapped.count, 100)
    }

    private mutating func scroll(by lines: Int) {
        top = min(max(top + lines, 0), max(wrapped.count - rows, 0))
    }

    /// Takes a key; false when it ends the view.
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .up, .backspace: scroll(by: -1)
        case .down: scroll(by: 1)
        case .pageUp: scroll(by: -rows)
        case .pageDown, .text(" "): scroll(by: rows)
        case .home, .firstHit: scroll(by: -wrapped.count)
        case .end, .lastHit: scroll(by: wrapped.count)
        case .escape, .enter, .interrupt, .text("q"): return false
        default: break
        }
        return true
    }
}
