import ArgumentParser

/// Exit codes of the command.
enum Outcome {
    static let nothingFound = ExitCode(1)
    /// What `verify` says of an index with findings.
    static let damaged = ExitCode(1)
    /// What `repair` says of an index from which objects are missing now.
    static let incomplete = ExitCode(1)
    static let failure = ExitCode(2)
    static let interrupted = ExitCode(130)
    /// What a shell says of a process that SIGPIPE ended.
    static let brokenPipe = ExitCode(141)
}

/// An error whose message is shown as it is: one line that says what to do.
package struct CommandError: Error {
    let message: String

    package init(_ message: String) { self.message = message }
}
