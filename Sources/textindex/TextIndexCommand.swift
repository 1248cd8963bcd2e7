import ArgumentParser
import Foundation
import TextSearch

/// The root of the command: `textindex <subcommand>`.
struct TextIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "textindex",
        abstract: "Indexes text on disk and searches it.",
        discussion: """
            Examples:
              textindex index Documents Notes --index ~/my.textindex
              textindex search 'white whale' --index ~/my.textindex
              textindex index items.jsonl --field name --field text --index shop
              textindex search duck --index shop --json
              textindex stats --index shop

            Exit codes: 0 when something was found or done, 1 when nothing was found, 2 after an \
            error, 130 when interrupted.
            Shell completions: textindex --generate-completion-script bash (or zsh, fish).
            """,
        version: "0.1.0",
        subcommands: [
            IndexCommand.self, SearchCommand.self, SimilarCommand.self, SuggestCommand.self,
            WatchCommand.self, ReplCommand.self, ServeCommand.self, EngageCommand.self,
            TermsCommand.self, RemoveCommand.self, StatsCommand.self,
            OptimizeCommand.self, VerifyCommand.self,
            RepairCommand.self, PurgeCommand.self,
            BackupCommand.self, RestoreCommand.self, PublishCommand.self, ExportCommand.self,
            ImportCommand.self,
            AnalyzeCommand.self,
        ]
    )
}

/// Starts the command and turns every error into one line and an exit code.
///
/// ArgumentParser's own `main` would print usage after an error and exit with 64.
@main
enum Main {
    static func main() async {
        AddressSpace.share()
        Console.ignoreBrokenPipes()
        do {
            do {
                var command = try TextIndexCommand.parseAsRoot()
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch  where isAnswer(error) {
                try Console.write(TextIndexCommand.fullMessage(for: error) + "\n")
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch {
            Console.report(message(for: error))
            exit(Outcome.failure.rawValue)
        }
    }

    /// Whether an error is none: help, version and completion scripts arrive as errors.
    private static func isAnswer(_ error: any Error) -> Bool {
        !(error is ExitCode) && TextIndexCommand.exitCode(for: error) == .success
    }

    private static func message(for error: any Error) -> String {
        switch error {
        case let error as CommandError: error.message
        case let error as TextIndexError where error.code == .corrupted:
            error.message + "; textindex repair keeps what is whole"
        case let error as TextIndexError: error.message
        default: parserMessage(for: error)
        }
    }

    private static func parserMessage(for error: any Error) -> String {
        let message = TextIndexCommand.message(for: error)
        let isUsage = TextIndexCommand.exitCode(for: error) == .validationFailure
        guard isUsage else { return message }
        // A query such as -duck is taken for an option.
        let isOption = ["Unknown option", "Missing expected argument '<query>'"].contains {
            message.hasPrefix($0)
        }
        if isOption, CommandLine.arguments.dropFirst().first == "search" {
            return message + " (put a query that begins with - behind --, at the end: textindex "
                + "search --index INDEX -- -duck; textindex --help shows the usage)"
        }
        return message + " (textindex --help shows the usage)"
    }
}

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
struct CommandError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
