import ArgumentParser
import Dispatch
import Foundation

/// Ends work in an orderly way at Ctrl-C and at a request to terminate; at once at the second.
package struct Interrupts {
    private let sources: [any DispatchSourceSignal]

    /// Starts listening.
    ///
    /// - Parameter handler: called once a signal, on a background queue.
    package init(_ handler: @escaping @Sendable () -> Void) {
        let seen = SignalCount()
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // What is committed survives a process that dies: no clean-up is needed.
                if seen.increment() > 1 { _exit(Outcome.interrupted.rawValue) }
                handler()
            }
            source.activate()
            return source
        }
    }

    /// Stops listening.
    package func stop() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
