#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// How much was asked and how long it took.
///
/// **Thread safety**: guarded.
final class ServerMetrics: Sendable {
    private struct State {
        var requests = 0
        /// By the first digit of the status.
        var statuses = [Int](repeating: 0, count: 6)
        /// Requests whose client went away before their answer.
        var abandoned = 0
        /// Requests of the last seconds: the second, and how many.
        var seconds = [(second: Int, count: Int)](repeating: (-1, 0), count: 60)
        /// Durations, eight buckets for each doubling of a microsecond.
        var durations = [Int](repeating: 0, count: 8 * 32)
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())
    /// The open streams.
    let streams = ClientSlots()

    /// Notes a request that was answered, or whose client was gone before (nil).
    func note(_ status: Int?, took duration: Duration) {
        let second = Int((ContinuousClock.now - start) / .seconds(1))
        let microseconds = max(Int(duration / .microseconds(1)), 1)
        state.withLock { state in
            state.requests += 1
            if let status { state.statuses[min(max(status / 100, 0), 5)] += 1 }
            let slot = second % state.seconds.count
            if state.seconds[slot].second != second { state.seconds[slot] = (second, 0) }
            state.seconds[slot].count += 1
            state.durations[Self.bucket(microseconds)] += 1
        }
    }

    /// Notes that a client went away.
    func noteAbandoned() { state.withLock { $0.abandoned += 1 } }

    var openStreams: Int { streams.total }

    var json: JSON {
        let uptime = (ContinuousClock.now - start) / .seconds(1)
        return state.withLock { state in
            // The second that goes on is not over.
            let last = Int(uptime)
            let span = max(min(last, state.seconds.count - 1), 1)
            let recent = state.seconds.filter { $0.second >= last - span && $0.second < last }
                .reduce(0) { $0 + $1.count }
            let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"]
            return .members([
                "uptimeSeconds": .int(last), "requests": .int(state.requests),
                "requestsPerSecond": .number(Double(recent) / Double(span)),
                "responses": .object(
                    classes.enumerated().map { ($1, .int(state.statuses[$0 + 1])) }),
                "abandoned": .int(state.abandoned), "openStreams": .int(openStreams),
                "milliseconds": .members([
                    "p50": .number(Self.milliseconds(0.5, state.durations)),
                    "p90": .number(Self.milliseconds(0.9, state.durations)),
                    "p99": .number(Self.milliseconds(0.99, state.durations)),
                ]),
            ])
        }
    }

    static func bucket(_ microseconds: Int) -> Int {
        let exponent = Int.bitWidth - 1 - microseconds.leadingZeroBitCount
        let eighth =
            exponent >= 3 ? microseconds >> (exponent - 3) & 7 : microseconds << (3 - exponent) & 7
        return min(exponent * 8 + eighth, 8 * 32 - 1)
    }

    /// The upper end of the bucket in which a share of all durations is reached.
    private static func milliseconds(_ share: Double, _ durations: [Int]) -> Double {
        let wanted = Double(durations.reduce(0, +)) * share
        var seen = 0
        for (bucket, count) in durations.enumerated() where count > 0 {
            seen += count
            guard Double(seen) >= wanted else { continue }
            return end(ofBucket: bucket) / .milliseconds(1)
        }
        return 0
    }

    /// The longest duration of a bucket.
    static func end(ofBucket bucket: Int) -> Duration {
        .nanoseconds(1000 << (bucket / 8)) * (8 + bucket % 8 + 1) / 8
    }
}
