import Foundation

/// Shows how far indexing is: a bar on a terminal, a line now and then elsewhere.
///
/// Writes to standard error, so that standard output stays for results.
struct ProgressMeter {
    /// Bytes to be read in all; nil when that cannot be known.
    let total: Int?
    private let isTerminal: Bool
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant
    private var isShowing = false

    init(total: Int?, isTerminal: Bool = Console.errorIsTerminal) {
        self.total = total
        self.isTerminal = isTerminal
        lastShown = start
    }

    /// Seconds since the meter was made.
    var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Shows the state, unless it was shown a moment ago.
    mutating func update(bytes: Int, objects: Int) {
        let now = ContinuousClock.now
        guard now - lastShown >= (isTerminal ? .milliseconds(100) : .seconds(5)) else { return }
        lastShown = now
        if isTerminal {
            isShowing = true
            let line = Self.bar(
                bytes: bytes, of: total, objects: objects, seconds: elapsed, width: Console.width)
            Console.writeError("\r\u{1B}[K" + line)
        } else {
            Console.writeError(
                Self.line(bytes: bytes, of: total, objects: objects, seconds: elapsed) + "\n")
        }
    }

    /// Shows how many rows of a table were read, unless it was shown a moment ago.
    mutating func update(rows: Int, of total: Int?, bytes: Int) {
        let now = ContinuousClock.now
        guard now - lastShown >= (isTerminal ? .milliseconds(100) : .seconds(5)) else { return }
        lastShown = now
        let line = Self.line(rows: rows, of: total, bytes: bytes, seconds: elapsed)
        isShowing = isShowing || isTerminal
        Console.writeError(isTerminal ? "\r\u{1B}[K" + line : line + "\n")
    }

    /// Wipes the bar, so that something else can be printed.
    mutating func clear() {
        if isShowing { Console.writeError("\r\u{1B}[K") }
        isShowing = false
    }

    /// The bar: share, amount, rate and time left, no wider than the terminal.
    static func bar(bytes: Int, of total: Int?, objects: Int, seconds: Double, width: Int)
        -> String
    {
        let rate = seconds > 0 ? Double(bytes) / seconds : 0
        let speed = "\(Format.bytes(Int(rate)))/s"
        guard let total, total > 0 else {
            return "  \(Format.count(objects, "object"))  \(Format.bytes(bytes))  \(speed)"
        }
        let share = min(Double(bytes) / Double(total), 1)
        let left = rate > 0 ? Double(max(total - bytes, 0)) / rate : 0
        let percent = Int(share * 100)
        let figures =
            "  \(percent)%  \(Format.bytes(bytes)) of \(Format.bytes(total))  \(speed)"
            + "  \(Format.clock(left)) left"
        let room = min(width - figures.count - 3, 40)
        guard room >= 10 else { return figures }
        let filled = Int(share * Double(room))
        return "  " + String(repeating: "█", count: filled)
            + String(repeating: "░", count: room - filled) + figures
    }

    /// How many rows of a table were read, and of how many, unless there are more than were
    /// counted.
    static func line(rows: Int, of total: Int?, bytes: Int, seconds: Double) -> String {
        let amount = "\(Format.bytes(bytes))  \(Format.duration(seconds))"
        guard let total, total > 0, rows <= total else {
            return "  \(Format.count(rows, "row"))  \(amount)"
        }
        return "  \(rows * 100 / total)%  \(Format.count(rows)) of \(Format.count(total, "row"))"
            + "  \(amount)"
    }

    /// The plain line for logs.
    static func line(bytes: Int, of total: Int?, objects: Int, seconds: Double) -> String {
        let rate = seconds > 0 ? Double(bytes) / seconds : 0
        let amount = Format.bytes(bytes) + (total.map { " of \(Format.bytes($0))" } ?? "")
        return "read \(amount), indexed \(Format.count(objects, "object")), "
            + "\(Format.bytes(Int(rate)))/s"
    }
}
