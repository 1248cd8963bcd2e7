import ArgumentParser

/// Measures the engine: by itself, beside other engines, as text grows, and by named operations.
@main
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures indexing and searching.",
        subcommands: [Measure.self, Driver.self, Growth.self, Operations.self],
        defaultSubcommand: Measure.self)
}
