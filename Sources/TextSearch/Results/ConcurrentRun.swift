import Dispatch
import Foundation
import Synchronization

/// Runs a block many times on a concurrent dispatch queue and on the calling thread, each time with
/// another number.
///
/// Not `DispatchQueue.concurrentPerform`: called from several threads at once that end soon after,
/// it corrupted the heap on Linux (Swift 6.3.1, "double free" in libdispatch's cleanup of threads).
///
/// **Invariants**: 1. The block is not called after `perform` has returned. 2. The caller works too
/// and waits only for workers that have begun, so that a pool without a free thread delays nothing.
final class ConcurrentRun: @unchecked Sendable {
    // Unchecked for `block` and `workers`, which are touched with `condition` locked only; the rest
    // is immutable or atomic.
    private static let queue = DispatchQueue(
        label: "TextSearch.results", qos: .userInitiated, attributes: .concurrent)

    private let count: Int
    private let next = Atomic<Int>(0)
    private let condition = NSCondition()
    private var block: (@Sendable (Int) -> Void)?
    private var workers = 0

    private init(_ count: Int, _ block: @escaping @Sendable (Int) -> Void) {
        self.count = count
        self.block = block
    }

    /// To ask for it opens files.
    private static let processorCount = ProcessInfo.processInfo.activeProcessorCount

    /// Calls `block` with every number below `count`, each once, and returns when all calls have
    /// returned.
    static func perform(_ count: Int, _ block: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(block) { block in
            let run = ConcurrentRun(count, block)
            let helpers = min(processorCount, count) - 1
            for _ in 0..<max(helpers, 0) { queue.async { run.help() } }
            run.work(block)
            run.finish()
        }
    }

    /// What `body` gives for every number below `count`, in their order.
    ///
    /// `body` may run on several threads at once: it must touch nothing of one number for another.
    /// - Throws: The error of the lowest number.
    static func results<R>(of count: Int, _ body: (Int) throws -> R) throws -> [R] {
        var outcomes = [Result<R, any Error>?](repeating: nil, count: count)
        withoutActuallyEscaping(body) { body in
            outcomes.withUnsafeMutableBufferPointer { places in
                // Neither is used after `perform` has returned. One thread writes each place, and
                // the caller reads them when none works on.
                nonisolated(unsafe) let (body, places) = (body, places)
                perform(count) { number in places[number] = Result { try body(number) } }
            }
        }
        var results: [R] = []
        results.reserveCapacity(count)
        for outcome in outcomes { if let outcome { results.append(try outcome.get()) } }
        return results
    }

    private func work(_ block: (Int) -> Void) {
        while true {
            let number = next.add(1, ordering: .relaxed).oldValue
            guard number < count else { return }
            block(number)
        }
    }

    private func help() {
        guard begin() else { return }
        workAsHelper()
        end()
    }

    private func begin() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if block != nil { workers += 1 }
        return block != nil
    }

    /// Apart, so that the block is let go before the worker counts as done.
    @inline(never)
    private func workAsHelper() {
        condition.lock()
        let block = self.block
        condition.unlock()
        if let block { work(block) }
    }

    private func end() {
        condition.lock()
        workers -= 1
        condition.signal()
        condition.unlock()
    }

    /// Waits for the workers, and lets no other begin.
    private func finish() {
        condition.lock()
        while workers > 0 { condition.wait() }
        block = nil
        condition.unlock()
    }
}
