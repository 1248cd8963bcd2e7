import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The terminal of standard input and output, taken over and given back.
///
/// **Thread safety**: belongs to one thread.
final class Terminal {
    private var before: termios?
    private var shown: [ScreenLine] = []
    private let style: Style

    /// - Throws: ``CommandError`` where there is no terminal.
    init(style: Style) throws {
        guard Console.inputIsTerminal, Console.outputIsTerminal else {
            throw CommandError(
                "repl needs a terminal for its input and output; textindex search needs none")
        }
        self.style = style
    }

    // MARK: Taking over

    /// Takes the terminal over: every key at once and unchanged, a screen of its own.
    func enter() throws {
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else {
            throw CommandError("the terminal cannot be used: \(String(cString: strerror(errno)))")
        }
        before = attributes
        cfmakeraw(&attributes)
        // What was typed before stays to be read.
        tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes)
        // Its own screen; no wrapping at the edge; pastes marked as such.
        try Console.write("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J")
        shown = []
    }

    /// Takes it over again after somebody stopped and continued the process.
    func resume() throws {
        guard before != nil else { return }
        leave()
        try enter()
    }

    /// Gives the terminal back as it was.
    func leave() {
        guard var attributes = before else { return }
        before = nil
        try? Console.write("\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes)
    }

    /// Forgets what is on the screen, so that all of it is drawn again.
    func forget() { shown = [] }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    // MARK: Drawing

    /// Draws what differs from what is there.
    func draw(_ screen: ReplScreen) throws {
        var output = "\u{1B}[?25l"
        if shown.count != screen.lines.count {
            output += "\u{1B}[0m\u{1B}[2J"
            shown = []
        }
        for (row, line) in screen.lines.enumerated()
        where row >= shown.count || shown[row] != line {
            output += "\u{1B}[\(row + 1);1H" + line.runs.map { text($0) }.joined()
            // Behind a full line the cursor stands on its last cell.
            if line.width < line.room { output += "\u{1B}[K" }
        }
        shown = screen.lines
        if let (row, column) = screen.cursor {
            output += "\u{1B}[\(row + 1);\(column + 1)H\u{1B}[?25h"
        }
        try Console.write(output)
    }

    private func text(_ run: ScreenLine.Run) -> String {
        let code: String
        switch run.style {
        case .plain: return run.text
        case .match: code = style.isColored ? "1;33" : "1;4"
        case .heading: code = "1"
        case .faint: code = style.isColored ? "2" : "0"
        case .selected: code = "7"
        }
        return "\u{1B}[\(code)m\(run.text)\u{1B}[0m"
    }

    // MARK: Reading

    /// What waits to be read.
    enum Input {
        case bytes([UInt8])
        /// Something was written to the pipe: for itself, or for these signals.
        case wake([Int32])
        /// Nothing for as long as was given.
        case silence
        case end
    }

    /// Waits for bytes, or for something in a pipe.
    func wait(_ pipe: WakePipe, milliseconds: Int) -> Input {
        var polls = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&polls, nfds_t(polls.count), Int32(clamping: milliseconds))
        if count < 0 { return errno == EINTR ? .wake(pipe.drain()) : .end }
        if polls[1].revents != 0 { return .wake(pipe.drain()) }
        guard polls[0].revents != 0 else { return .silence }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let length = read(STDIN_FILENO, &bytes, bytes.count)
        if length < 0 { return errno == EINTR || errno == EAGAIN ? .wake([]) : .end }
        return length == 0 ? .end : .bytes(Array(bytes[..<length]))
    }
}
