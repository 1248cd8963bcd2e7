@testable import TextIndexCommand

/// What a terminal shows of what it is sent: the few sequences that the command sends, and text.
struct PlainTerminal {
    let columns: Int
    let rows: Int
    /// A character of two columns has an empty cell behind it.
    private(set) var cells: [[String]]
    private(set) var isAlternate = false
    private(set) var wraps = true
    private(set) var marksPastes = false
    private(set) var showsCursor = true
    private(set) var row = 0
    private(set) var column = 0
    /// Sequences that no terminal was asked for.
    private(set) var unknown: [String] = []
    private var waiting: [UInt8] = []

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Self.blank(columns, rows)
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
        Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        cells.map { String($0.joined().reversed().drop { $0 == " " }.reversed()) }
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        waiting += bytes
        while let length = next() { waiting.removeFirst(length) }
    }

    /// Does what the first bytes say; nil when they are not whole.
    private mutating func next() -> Int? {
        guard let first = waiting.first else { return nil }
        if first == 0x1B { return sequence() }
        if first < 0x20 {
            if first == 0x0D { column = 0 }
            if first == 0x0A { row = min(row + 1, rows - 1) }
            return 1
        }
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard waiting.count >= length else { return nil }
        show(String(decoding: waiting[..<length], as: UTF8.self))
        return length
    }

    private mutating func show(_ scalar: String) {
        let width = CellWidth.of(scalar)
        if width == 0 {
            if column > 0 { cells[row][column - 1] += scalar }
            return
        }
        column = min(column, columns - width)
        cells[row][column] = scalar
        if width == 2 { cells[row][column + 1] = "" }
        column += width
    }

    private mutating func sequence() -> Int? {
        guard waiting.count >= 2 else { return nil }
        guard waiting[1] == 0x5B else {
            unknown.append("ESC \(waiting[1])")
            return 2
        }
        guard let end = waiting.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
        else { return nil }
        let parameters = String(decoding: waiting[2..<end], as: UTF8.self)
        perform(parameters, Character(UnicodeScalar(waiting[end])))
        return end + 1
    }

    private mutating func perform(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch (final, parameters) {
        case ("H", _):
            row = min(max((numbers.first ?? 1) - 1, 0), rows - 1)
            column = min(max((numbers.dropFirst().first ?? 1) - 1, 0), columns - 1)
        case ("K", ""):
            for place in min(column, columns - 1)..<columns { cells[row][place] = " " }
        case ("J", "2"): cells = Self.blank(columns, rows)
        case ("m", _): break
        case ("h", "?1049"), ("l", "?1049"): isAlternate = final == "h"
        case ("h", "?7"), ("l", "?7"): wraps = final == "h"
        case ("h", "?2004"), ("l", "?2004"): marksPastes = final == "h"
        case ("h", "?25"), ("l", "?25"): showsCursor = final == "h"
        default: unknown.append(parameters + String(final))
        }
    }
}
