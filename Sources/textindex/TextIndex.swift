import ArgumentParser
import TextIndexCommand

/// The command with all of its subcommands.
@main
struct TextIndex: TextIndexProgram {
    static var server: (any ParsableCommand.Type)? { ServeCommand.self }
}
