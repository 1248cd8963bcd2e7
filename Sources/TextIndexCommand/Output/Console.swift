import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The three standard streams.
///
/// **Thread safety**: every function may be called from any thread; one call is written in one
/// piece as far as the system does that.
package enum Console {
    /// Writes text to standard output.
    ///
    /// - Throws: ``CommandError`` with the system's reason; ``Outcome/brokenPipe`` when nobody
    ///   reads any more, as in `textindex search duck | head -1`.
    package static func write(_ text: String) throws {
        switch write(text, to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: throw Outcome.brokenPipe
        case let code:
            throw CommandError("cannot write the output: \(String(cString: strerror(code)))")
        }
    }

    /// Writes text to standard error; where that cannot be written, there is nobody to tell.
    static func writeError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Makes writing to a pipe without a reader an error instead of the end of the process: an
    /// index must not stop half-way because nobody reads its messages.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Writes one line to standard error, with the name of the command in front.
    static func report(_ message: String) {
        writeError("textindex: \(Printable.line(message))\n")
    }

    static var outputIsTerminal: Bool { isTerminal(STDOUT_FILENO) }
    static var errorIsTerminal: Bool { isTerminal(STDERR_FILENO) }
    static var inputIsTerminal: Bool { isTerminal(STDIN_FILENO) }

    /// The width to lay lines out for: `COLUMNS`, else the terminal's, else 100 columns.
    static var width: Int {
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text),
            columns > 0
        {
            return min(max(columns, 40), 400)
        }
        var size = winsize()
        for stream in [STDOUT_FILENO, STDERR_FILENO]
        where ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return min(max(Int(size.ws_col), 40), 400)
        }
        return 100
    }

    private static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Writes all of the text; gives the system's error, 0 for none.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = systemWrite(descriptor, start, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return 0
        }
    }
}

/// `write(2)`, under a name that `Console.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, start, count)
}
