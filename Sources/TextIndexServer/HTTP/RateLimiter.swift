#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// How often each client may ask: a bucket of tokens for each, which fills steadily.
///
/// **Thread safety**: guarded.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: ContinuousClock.Instant
    }

    /// Tokens a second; 0 for no limit.
    private let rate: Double
    private let size: Double
    private let mostClients: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    init(rate: Double, mostClients: Int = 10_000) {
        self.rate = rate
        self.mostClients = mostClients
        size = max(rate * 2, 1)
    }

    /// Takes a token; gives the seconds to wait where there is none.
    func wait(for client: String, at now: ContinuousClock.Instant = .now) -> Double? {
        guard rate > 0 else { return nil }
        return buckets.withLock { buckets in
            if buckets[client] == nil, buckets.count >= mostClients { forget(&buckets, now) }
            var bucket = buckets[client] ?? Bucket(tokens: size, time: now)
            bucket.tokens = filled(bucket, now)
            bucket.time = now
            defer { buckets[client] = bucket }
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / rate }
            bucket.tokens -= 1
            return nil
        }
    }

    /// How many clients are known; for tests.
    var clientCount: Int { buckets.withLock { $0.count } }

    private func filled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
        min(size, bucket.tokens + (now - bucket.time) / .seconds(1) * rate)
    }

    /// A full bucket says nothing of a client. Where all clients are busy at once, those are
    /// forgotten who have the most left.
    private func forget(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
        buckets = buckets.filter { filled($0.value, now) < size }
        guard buckets.count >= mostClients else { return }
        let emptiest = buckets.sorted { filled($0.value, now) < filled($1.value, now) }
        buckets = Dictionary(uniqueKeysWithValues: Array(emptiest.prefix(mostClients / 2)))
    }
}
