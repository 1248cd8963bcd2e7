import Foundation

/// Seconds that `body` takes by the wall clock, and what it gives.
func seconds<R>(_ body: () throws -> R) rethrows -> (Double, R) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    return (seconds(clock.now - start), result)
}

/// A duration in seconds.
func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// The most memory the process has held, in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) << 10
    #else
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss)
    #endif
}

/// Bytes of all files below a directory.
func fileBytes(_ directory: URL) -> Int {
    let files = FileManager.default.enumerator(
        at: directory, includingPropertiesForKeys: [.fileSizeKey])
    var total = 0
    while let file = files?.nextObject() as? URL {
        total += (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }
    return total
}

/// Values in order, for their percentiles.
struct Samples {
    private var values: [Double] = []

    mutating func append(_ value: Double) { values.append(value) }

    func percentile(_ part: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
    }

    /// Median, 99th percentile and maximum in microseconds.
    var description: String {
        String(
            format: "p50 %.1f µs, p99 %.1f µs, max %.1f µs", percentile(0.5) * 1e6,
            percentile(0.99) * 1e6, percentile(1) * 1e6)
    }
}
