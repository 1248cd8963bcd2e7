#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// How long requests took lately, so that one that takes longer than most can be told.
///
/// **Thread safety**: guarded.
final class Latencies: Sendable {
    private struct State {
        /// Eight buckets for each doubling of a microsecond.
        var counts = [Int](repeating: 0, count: 8 * 32)
        var total = 0
    }

    private let state = Mutex(State())
    /// From how many on they say something.
    private static let fewest = 100
    /// After so many the older ones count half.
    private static let window = 2_000

    /// Notes how long a request took.
    func note(_ duration: Duration) {
        let bucket = ServerMetrics.bucket(max(Int(duration / .microseconds(1)), 1))
        state.withLock { state in
            state.counts[bucket] += 1
            state.total += 1
            guard state.total >= Self.window else { return }
            for bucket in state.counts.indices { state.counts[bucket] /= 2 }
            state.total = state.counts.reduce(0, +)
        }
    }

    /// What so great a share of the requests took at most; nil while too few were seen.
    func quantile(_ share: Double) -> Duration? {
        state.withLock { state in
            guard state.total >= Self.fewest else { return nil }
            let wanted = Double(state.total) * share
            var seen = 0
            for (bucket, count) in state.counts.enumerated() where count > 0 {
                seen += count
                if Double(seen) >= wanted { return ServerMetrics.end(ofBucket: bucket) }
            }
            return nil
        }
    }
}

/// Asking a second replica when the first takes longer than usual.
///
/// **Thread safety**: guarded.
final class Hedging: Sendable {
    private let choice: HedgeChoice
    private let latencies = Latencies()
    /// How many more may be asked twice: a tenth of all requests.
    private let credit = Mutex(10.0)
    private let hedged = Mutex(0)

    init(_ choice: HedgeChoice) { self.choice = choice }

    /// How many requests were asked twice.
    var count: Int { hedged.withLock { $0 } }

    func note(_ duration: Duration) {
        latencies.note(duration)
        credit.withLock { $0 = min($0 + 0.1, 100) }
    }

    /// As long as nobody knows what is usual.
    private static let firstDelay = Duration.milliseconds(50)

    /// How long to wait for the first replica; nil to wait for it alone.
    var delay: Duration? {
        switch choice {
        case .never: nil
        case .usual: max(latencies.quantile(0.95) ?? Self.firstDelay, .milliseconds(1))
        case .after(let delay): delay
        }
    }

    /// Whether one more may be asked twice, which is then counted.
    func take() -> Bool {
        // Who says when knows how often that is.
        if case .usual = choice {
            let isLeft = credit.withLock { credit in
                guard credit >= 1 else { return false }
                credit -= 1
                return true
            }
            guard isLeft else { return false }
        }
        hedged.withLock { $0 += 1 }
        return true
    }
}
