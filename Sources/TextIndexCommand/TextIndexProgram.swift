package import ArgumentParser
import Foundation
import TextSearch

/// A program that is the command: `textindex <subcommand>`.
///
/// The server is a subcommand that a program adds: one without it needs none of the server's
/// packages.
package protocol TextIndexProgram: AsyncParsableCommand {
    /// The subcommand `serve`; nil, the default, leaves it out.
    static var server: (any ParsableCommand.Type)? { get }
}

extension TextIndexProgram {
    package static var server: (any ParsableCommand.Type)? { nil }

    package static var configuration: CommandConfiguration {
        CommandConfiguration(
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
                StatisticsCommand.self, WatchCommand.self, FollowCommand.self, DriftCommand.self,
                FollowersCommand.self, ReplCommand.self,
            ] + (server.map { [$0] } ?? []) + [
                EngageCommand.self, TermsCommand.self, RemoveCommand.self, StatsCommand.self,
                OptimizeCommand.self, VerifyCommand.self, RepairCommand.self, PurgeCommand.self,
                BackupCommand.self, RestoreCommand.self, PublishCommand.self, MergeCommand.self,
                SplitCommand.self, ExportCommand.self, ImportCommand.self, SetCommand.self,
                AnalyzeCommand.self,
            ]
        )
    }

    /// Runs the command and turns every error into one line and an exit code.
    ///
    /// ArgumentParser's own `main` would print usage after an error and exit with 64.
    package static func main() async {
        AddressSpace.share()
        Console.ignoreBrokenPipes()
        do {
            do {
                var command = try parseAsRoot()
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch  where isAnswer(error) {
                try Console.write(fullMessage(for: error) + "\n")
            }
        } catch let code as ExitCode {
            Foundation.exit(code.rawValue)
        } catch {
            Console.report(errorMessage(for: error))
            Foundation.exit(Outcome.failure.rawValue)
        }
    }

    /// Whether an error is none: help, version and completion scripts arrive as errors.
    private static func isAnswer(_ error: any Error) -> Bool {
        !(error is ExitCode) && exitCode(for: error) == .success
    }

    private static func errorMessage(for error: any Error) -> String {
        switch error {
        case is CommandError, is TextIndexError: CommandError.message(of: error)
        default: parserMessage(for: error)
        }
    }

    private static func parserMessage(for error: any Error) -> String {
        let message = message(for: error)
        let isUsage = exitCode(for: error) == .validationFailure
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
