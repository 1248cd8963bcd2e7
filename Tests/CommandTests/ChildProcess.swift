import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A program that runs beside the tests. Belongs to one thread at a time.
///
/// Foundation's `Process` reads past the end of a directory entry where this process has many open
/// files, and may crash.
final class ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What to run, where, and with which files in the places of standard input, output and error.
    struct Launch {
        var program: URL
        var arguments: [String]
        var environment: [String: String]
        var folder: URL
        var input: FileHandle = .nullDevice
        var output: FileHandle = .nullDevice
        var error: FileHandle = .nullDevice
    }

    let identifier: pid_t
    private let end = End()

    /// How a process ended, as `waitpid` says it; nil while it runs.
    ///
    /// **Thread safety**: guarded; a process is not signalled once it was collected, for its number
    /// may be another's then.
    private final class End: @unchecked Sendable {
        private let lock = NSLock()
        private var status: Int32?

        var value: Int32? { lock.withLock { status } }

        func send(_ signal: Int32, to process: pid_t) {
            lock.withLock { if status == nil { kill(process, signal) } }
        }

        /// Waits for the end of a process and collects it.
        func collect(_ process: pid_t) {
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0 {
                if errno != EINTR { return }
            }
            lock.withLock {
                var found: Int32 = 0
                while waitpid(process, &found, 0) < 0, errno == EINTR {}
                status = found
            }
        }
    }

    /// Starts the program in a process group of its own.
    init(_ launch: Launch) throws {
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = Self.actions(launch)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let environment = launch.environment.map { "\($0)=\($1)" }
        // Not every system can be told the folder of a process that it starts.
        let command = [
            "sh", "-c", "cd \"$0\" && exec \"$@\"", launch.folder.path, launch.program.path,
        ]
        var child = pid_t()
        let failure = CStrings.lend(command + launch.arguments) { arguments in
            CStrings.lend(environment) { environment in
                posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else {
            throw Failure(
                description: "\(launch.program.path): \(String(cString: strerror(failure)))")
        }
        identifier = child
        // At once, whoever asks: one that has ended and is not collected is in the way of who waits
        // for any other.
        Thread { [end, identifier] in end.collect(identifier) }.start()
    }

    deinit { end.send(SIGKILL, to: identifier) }

    /// What is ignored or blocked here is not to be so there.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGPIPE, SIGHUP, SIGWINCH] {
            sigaddset(&signals, number)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    /// The three files; others that are open here are closed by themselves there, as Foundation
    /// opens them.
    private static func actions(_ launch: Launch) -> posix_spawn_file_actions_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        let files = [launch.input, launch.output, launch.error]
        for (number, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, Int32(number))
        }
        return actions
    }

    /// Whether it has not ended; one that is stopped runs.
    var isRunning: Bool { status == nil }

    /// The exit status, or the signal that ended it as a negative number; nil while it runs.
    var status: Int32? { end.value.map { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : -($0 & 0x7F) } }

    /// Sends a signal, unless it has ended.
    func send(_ signal: Int32) { end.send(signal, to: identifier) }

    /// Waits for the end without holding a thread; gives the status.
    func finish() async throws -> Int32 {
        while true {
            if let status { return status }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// Strings as the system takes them.
private enum CStrings {
    /// Lends pointers to strings of C, then none.
    static func lend<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
