import ArgumentParser
import Foundation

/// When to use colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The few styles of the output, or none of them.
struct Style: Sendable {
    let isColored: Bool

    /// Decides whether to colour standard output.
    ///
    /// `auto` colours a terminal, unless `NO_COLOR` is set (<https://no-color.org>) or the terminal
    /// says that it is dumb.
    init(_ choice: ColorChoice) {
        let environment = ProcessInfo.processInfo.environment
        switch choice {
        case .always: isColored = true
        case .never: isColored = false
        case .auto:
            isColored =
                Console.outputIsTerminal && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb"
        }
    }

    func match(_ text: String) -> String { wrap(text, "1;33") }
    func heading(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
