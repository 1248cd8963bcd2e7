/// A line of text that is edited, and those that were before it.
struct LineEditor: Equatable, Sendable {
    private(set) var characters: [Character] = []
    /// Before which character the cursor stands.
    private(set) var cursor = 0
    /// Oldest first.
    private(set) var history: [String] = []
    /// Which of the earlier lines is shown; nil for the one that is new.
    private var place: Int?
    private var unfinished = ""

    /// More than this is not taken; a query is shorter.
    static let longest = 4096
    private static let longestHistory = 500

    init(_ text: String = "") { set(text) }

    var text: String { String(characters) }

    /// Has the line be a text, with the cursor at its end.
    mutating func set(_ text: String) {
        characters = []
        cursor = 0
        insert(text)
    }

    /// Takes a key that edits; false for one that does not.
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .text(let text): insert(text)
        case .backspace: remove(max(cursor - 1, 0)..<cursor)
        case .delete: remove(cursor..<min(cursor + 1, characters.count))
        case .deleteWord: remove(wordStart..<cursor)
        case .deleteToStart: remove(0..<cursor)
        case .deleteToEnd: remove(cursor..<characters.count)
        case .left: cursor = max(cursor - 1, 0)
        case .right: cursor = min(cursor + 1, characters.count)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .earlier: recall(by: -1)
        case .later: recall(by: 1)
        default: return false
        }
        return true
    }

    /// Keeps the line among the earlier ones.
    mutating func remember() {
        let line = text
        place = nil
        guard !line.isEmpty, history.last != line else { return }
        history.append(line)
        if history.count > Self.longestHistory { history.removeFirst() }
    }

    private mutating func insert(_ text: String) {
        // Characters may join those around them, as marks and parts of emoji do.
        let before = String(characters[..<cursor])
        let after = String(characters[cursor...])
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                safe.append(" ")
            } else if !Printable.isUnsafe(scalar) {
                safe.append(scalar)
            }
        }
        let room = max(Self.longest - characters.count, 0)
        let joined = before + String(String(safe).prefix(room))
        characters = Array(joined + after)
        cursor = min(joined.count, characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        var start = cursor
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        return start
    }

    private var wordEnd: Int {
        var end = cursor
        while end < characters.count, characters[end].isWhitespace { end += 1 }
        while end < characters.count, !characters[end].isWhitespace { end += 1 }
        return end
    }

    private mutating func recall(by step: Int) {
        let now = place ?? history.count
        let next = min(max(now + step, 0), history.count)
        guard next != now else { return }
        if place == nil { unfinished = text }
        place = next < history.count ? next : nil
        set(place.map { history[$0] } ?? unfinished)
    }
}
