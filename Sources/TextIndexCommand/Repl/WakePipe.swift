import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Wakes a thread that waits for input, for itself or with the number of a signal.
///
/// **Thread safety**: may be used from any thread.
final class WakePipe: Sendable {
    let reading: Int32
    fileprivate let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw CommandError("no pipe can be made: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes as well.
        _ = write(writing, &byte, 1)
    }

    /// Empties it; gives the signals that came.
    func drain() -> [Int32] {
        var signals: [Int32] = []
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(reading, &bytes, bytes.count)
            guard count > 0 else { return signals }
            signals += bytes[..<count].filter { $0 > 0 }.map { Int32($0) }
        }
    }
}

/// Signals as bytes in a pipe, while it is there. One at a time in a process.
///
/// A handler of its own, rather than a source of Dispatch: of what stops and continues a process
/// none may be missed, and nothing may happen in between.
struct SignalBytes {
    /// Where the handler writes; -1 for nowhere.
    private static let target = Atomic<Int32>(-1)
    private static let caught = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

    init(into pipe: WakePipe) {
        Self.target.store(pipe.writing, ordering: .sequentiallyConsistent)
        for number in Self.caught {
            // Only what may be called in a handler: an atomic load and a write.
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                let target = SignalBytes.target.load(ordering: .sequentiallyConsistent)
                if target >= 0 { _ = write(target, &byte, 1) }
                errno = before
            }
        }
    }

    /// Gives the signals back to the system.
    func stop() {
        for number in Self.caught { signal(number, SIG_DFL) }
        Self.target.store(-1, ordering: .sequentiallyConsistent)
    }
}
