import Dispatch
import Synchronization

/// A piece of work that another thread does meanwhile, where one is free.
final class SideWork<Value: Sendable>: Sendable {
    private let work: @Sendable () throws -> Value
    private let hasBegun = Mutex(false)
    /// A failure that nobody sees, until the work is done.
    private let outcome = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
    private let done = DispatchGroup()

    /// Begins on another thread, as soon as there is one.
    init(_ work: @escaping @Sendable () throws -> Value) {
        self.work = work
        done.enter()
        Lane.flushes.run { self.runUnlessBegun() }
    }

    /// What `own` and the work give, once both are done.
    ///
    /// The calling thread also does the work that nobody has begun by then: nothing waits for a
    /// thread that may never come.
    ///
    /// - Throws: What failed. When both did, what `own` threw, unless that says no more than that
    ///   another write failed before.
    func run<Own>(alongside own: () throws -> Own) throws -> (own: Own, side: Value) {
        let result = Result { try own() }
        runUnlessBegun()
        done.wait()
        let outcome = outcome.withLock { $0 }
        if case .failure(let failure) = outcome, case .failure(let error) = result {
            let isLater = (error as? TextIndexError)?.isOfEarlierWrite ?? false
            throw isLater ? failure : error
        }
        return (try result.get(), try outcome.get())
    }

    private func runUnlessBegun() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        defer { done.leave() }
        let result = Result { try work() }
        outcome.withLock { $0 = result }
    }
}
