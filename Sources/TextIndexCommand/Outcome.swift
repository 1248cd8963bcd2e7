import ArgumentParser
import TextSearch

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
package struct CommandError: Error, CustomStringConvertible {
    let message: String

    package var description: String { message }

    package init(_ message: String) { self.message = message }

    /// What to say of an error of this command or of an index; of others what they say of
    /// themselves.
    static func message(of error: any Error) -> String {
        switch error {
        case let error as CommandError: error.message
        case let error as TextIndexError where error.code == .corrupted:
            error.message + "; textindex repair keeps what is whole"
        case let error as TextIndexError: error.message
        default: "\(error)"
        }
    }
}
