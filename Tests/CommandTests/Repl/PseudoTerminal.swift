#if os(Linux) || os(macOS)
    import Foundation

    @testable import TextIndexCommand

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A run of the command in a terminal of its own. Belongs to one thread.
    final class PseudoTerminal {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        private(set) var screen: PlainTerminal
        private let master: Int32
        private let slave: Int32
        private let process: ChildProcess
        private let before: termios

        init(
            _ arguments: [String], columns: Int = 80, rows: Int = 16, in folder: TestFolder,
            environment: [String: String] = [:]
        ) throws {
            (master, slave) = try Self.open()
            screen = PlainTerminal(columns: columns, rows: rows)
            var attributes = termios()
            tcgetattr(slave, &attributes)
            before = attributes
            Self.setSize(columns, rows, of: master)
            var launch = try Command.launch(
                arguments, ["TERM": "xterm-256color", "PAGER": ""].merging(environment) { $1 },
                in: folder.url)
            let file = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
            (launch.input, launch.output, launch.error) = (file, file, file)
            process = try ChildProcess(launch)
        }

        /// Both ends of a new pseudo terminal.
        private static func open() throws -> (master: Int32, slave: Int32) {
            // Swift's module of glibc leaves <pty.h> out. A null handle is the whole program.
            guard let symbol = dlsym(nil, "openpty") else {
                throw Failure(description: "no openpty")
            }
            typealias Function =
                @convention(c) (
                    UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
                    UnsafeMutablePointer<CChar>?, UnsafePointer<termios>?, UnsafePointer<winsize>?
                ) -> Int32
            // Valid: this is the declaration of openpty.
            let openpty = unsafeBitCast(symbol, to: Function.self)
            var ends: (master: Int32, slave: Int32) = (-1, -1)
            guard openpty(&ends.master, &ends.slave, nil, nil, nil) == 0 else {
                throw Failure(description: "no pseudo terminal")
            }
            for end in [ends.master, ends.slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return ends
        }

        deinit {
            process.send(SIGTERM)
            close(master)
            close(slave)
        }

        private static func setSize(_ columns: Int, _ rows: Int, of master: Int32) {
            var size = winsize()
            size.ws_col = UInt16(columns)
            size.ws_row = UInt16(rows)
            _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        }

        /// Changes the size, as somebody who drags a corner of the window does.
        func resize(_ columns: Int, _ rows: Int) {
            Self.setSize(columns, rows, of: master)
            screen = PlainTerminal(columns: columns, rows: rows)
            signal(SIGWINCH)
        }

        func signal(_ number: Int32) { process.send(number) }

        func send(_ text: String) { send(Array(text.utf8)) }

        func send(_ bytes: [UInt8]) { _ = write(master, bytes, bytes.count) }

        /// Takes what is shown, until it is as wanted. The time says only when to give up.
        func wait(_ what: String, until isDone: (PlainTerminal) -> Bool) throws {
            let deadline = ContinuousClock.now + .seconds(600)
            while !isDone(screen) {
                guard ContinuousClock.now < deadline else {
                    throw Failure(description: "never \(what):\n\(screen.text)")
                }
                try receive()
            }
        }

        private func receive() throws {
            var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 200) > 0 else { return }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(master, &bytes, bytes.count)
            if count > 0 { screen.receive(bytes[..<count]) }
        }

        /// Waits for the end; gives the exit status, or the signal as a negative number.
        func end() throws -> Int32 {
            let deadline = ContinuousClock.now + .seconds(600)
            while process.isRunning {
                guard ContinuousClock.now < deadline else {
                    throw Failure(description: "it does not end:\n\(screen.text)")
                }
                try receive()
            }
            // What was written last.
            var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            while poll(&polled, 1, 0) > 0, polled.revents & Int16(POLLIN) != 0 { try receive() }
            return process.status ?? 0
        }

        /// Whether the terminal is as it was before.
        var isRestored: Bool {
            var now = termios()
            tcgetattr(slave, &now)
            return now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag
                && now.c_oflag == before.c_oflag && !screen.isAlternate && screen.wraps
                && !screen.marksPastes && screen.showsCursor
        }

        #if os(Linux)
            /// Returns when the process is stopped.
            func waitUntilStopped() throws {
                let path = "/proc/\(process.identifier)/stat"
                let deadline = ContinuousClock.now + .seconds(600)
                while true {
                    let stat = try String(contentsOfFile: path, encoding: .utf8)
                    if stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].hasPrefix(") T") {
                        return
                    }
                    guard ContinuousClock.now < deadline else {
                        throw Failure(description: "it is not stopped: \(stat)")
                    }
                    try receive()
                }
            }
        #endif
    }
#endif
