import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A program that shows or edits a file in the same terminal.
enum OtherProgram {
    /// What the environment names for reading or editing; nil without any.
    static var command: String? {
        let environment = ProcessInfo.processInfo.environment
        return ["PAGER", "EDITOR"].compactMap { environment[$0] }
            .first { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Runs a command of the shell with a file as its last argument, and waits for its end.
    ///
    /// Foundation's `Process` would put it into a group of its own, which may not read from the
    /// terminal.
    ///
    /// - Returns: Its exit status; 127 when it could not be started.
    static func run(_ command: String, file: Path) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What is ignored here is not to be ignored there.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGPIPE, SIGHUP] {
            sigaddset(&signals, number)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        // A name that begins with - is no option behind the path of its folder.
        let arguments = ["sh", "-c", command + " \"$1\"", "sh"].map { Array($0.utf8) }
        let variables = ProcessInfo.processInfo.environment.map { Array("\($0)=\($1)".utf8) }
        var child = pid_t()
        let failure = withPointers(to: arguments + [file.absolute().bytes]) { arguments in
            withPointers(to: variables) { variables in
                posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, variables)
            }
        }
        guard failure == 0 else { return 127 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return 127 } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Lends strings as the system takes them: pointers to strings of C, then none.
    private static func withPointers<R>(
        to strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let pointers = strings.map { string in
            (string.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
                buffer.baseAddress.flatMap { strdup($0) }
            }
        }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
