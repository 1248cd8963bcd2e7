import Dispatch
import Synchronization

/// A piece of work that another thread does meanwhile, where one is free.
final class SideWork: Sendable {
    private let work: @Sendable () throws -> Void
    private let hasBegun = Mutex(false)
    private let failure = Mutex<(any Error)?>(nil)
    private let done = DispatchGroup()

    /// Begins on another thread, as soon as there is one.
    init(_ work: @escaping @Sendable () throws -> Void) {
        self.work = work
        done.enter()
        // A queue of its own: the global ones begin with nothing more while as many threads run as there are processors.
        DispatchQueue(label: "TextSearch.side").async { self.runUnlessBegun() }
    }

    /// What `own` gives, once both are done.
    ///
    /// The calling thread also does the work that nobody has begun by then: nothing waits for a thread that may never come.
    ///
    /// - Throws: What failed. When both did, what `own` threw, unless that says no more than that another write failed before.
    func run<R>(alongside own: () throws -> R) throws -> R {
        let result = Result { try own() }
        runUnlessBegun()
        done.wait()
        guard let failure = failure.withLock({ $0 }) else { return try result.get() }
        if case .failure(let error) = result {
            let isLater = (error as? TextIndexError)?.isOfEarlierWrite ?? false
            throw isLater ? failure : error
        }
        throw failure
    }

    private func runUnlessBegun() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        defer { done.leave() }
        do { try work() } catch { failure.withLock { $0 = error } }
    }
}
