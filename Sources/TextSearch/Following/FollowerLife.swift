import Foundation
import Synchronization

/// What changes of a follower. Nothing of it depends on what is indexed.
struct FollowerLife: Sendable {
    /// Follows until it is ended; nil while nobody follows.
    var loop: FollowerLoop?
    /// Ends what is read until the next stop.
    var signal = StopSignal()
    var lastError: (any Error)?
    /// Why history could not be released the last time.
    var releaseError: (any Error)?
    /// Changes in the index whose history was not released yet.
    var unreleasedCount = 0
    /// Whether what is published may be older than the index: also at first, since a process may
    /// have ended before it published.
    var isUnpublished = true
    private var observers: [Int: AsyncStream<IndexUpdate>.Continuation] = [:]
    private var observerCount = 0

    mutating func add(_ observer: AsyncStream<IndexUpdate>.Continuation) -> Int {
        observerCount += 1
        observers[observerCount] = observer
        return observerCount
    }

    mutating func removeObserver(_ number: Int) { observers[number] = nil }

    var allObservers: [AsyncStream<IndexUpdate>.Continuation] { Array(observers.values) }
}

/// Has a follower catch up whenever it is woken: by the source, by a clock, or at its start.
final class FollowerLoop: Sendable {
    private let wakes: AsyncStream<Void>.Continuation
    private let observation: ChangeObservation
    private let clock: Task<Void, Never>?
    private let task: Task<Void, Never>

    /// `catchUp` says whether to go on.
    init(
        observing observe: (@escaping @Sendable () -> Void) -> ChangeObservation,
        polling: Duration?, _ catchUp: @escaping @Sendable () async -> Bool
    ) {
        let (stream, wakes) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        observation = observe { wakes.yield() }
        clock = polling.map { interval in
            Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: interval)
                    wakes.yield()
                }
            }
        }
        task = Task {
            for await _ in stream {
                guard await catchUp() else { return }
            }
        }
        wakes.yield()
    }

    /// Has it catch up once more.
    func wake() { wakes.yield() }

    /// Wakes nobody any more; what is under way goes on.
    func end() {
        observation.cancel()
        clock?.cancel()
        wakes.finish()
    }

    /// Returns when nothing is under way, after ``end()``.
    func ended() async { await task.value }
}
