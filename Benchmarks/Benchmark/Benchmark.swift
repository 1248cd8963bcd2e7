import ArgumentParser
import Dispatch

/// Measures the engine: by itself, beside other engines, as text grows, and by named operations.
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures indexing and searching.",
        subcommands: [Measure.self, Driver.self, Growth.self, Aging.self, Operations.self],
        defaultSubcommand: Measure.self)
}

/// The main thread waits: an asynchronous `main` would leave it to `dispatchMain`, under which
/// valgrind 3.19 crashes.
@main
enum Main {
    static func main() {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            await Benchmark.main()
            isDone.signal()
        }
        isDone.wait()
    }
}
