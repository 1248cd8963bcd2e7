import Dispatch
import Synchronization

/// A piece of work that another thread does meanwhile, where one is free.
final class SideWork: Sendable {
    private let work: @Sendable () throws -> Void
    private let hasBegun = Mutex(false)
    /// What failed first: the rest may have failed for it.
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
    /// - Throws: What failed first, of both.
    func run<R>(alongside own: () throws -> R) throws -> R {
        let result = Result { try own() }
        if case .failure(let error) = result { note(error) }
        runUnlessBegun()
        done.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return try result.get()
    }

    private func runUnlessBegun() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        defer { done.leave() }
        do { try work() } catch { note(error) }
    }

    private func note(_ error: any Error) {
        failure.withLock { failure in
            // What came after a failed write may say so before that is told itself.
            let isLater = (failure as? TextIndexError)?.isOfEarlierWrite ?? (failure == nil)
            if isLater { failure = error }
        }
    }
}
