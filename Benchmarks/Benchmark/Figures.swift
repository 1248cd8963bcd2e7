import Foundation

/// Prints figures as one JSON object a line, in the form that the drivers of the other engines
/// share.
struct Figures {
    /// The name of the engine; another one where it has no stop words, and does the same work as
    /// engines that know none.
    static func engine(everyWord: Bool = false) -> String {
        everyWord ? "textsearch-every-word" : "textsearch"
    }

    static func report(_ operation: String, _ figures: [String: Any]) throws {
        var line = figures
        line["op"] = operation
        if line["engine"] == nil { line["engine"] = engine() }
        let data = try JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
        print(String(decoding: data, as: UTF8.self))
        fflush(nil)
    }

    static func rounded(_ value: Double, _ places: Int = 3) -> Double {
        let scale = pow(10, Double(places))
        return (value * scale).rounded() / scale
    }
}

/// What the system says about this process.
enum ProcessFigures {
    /// A line of memory in /proc/self/status, such as VmRSS, in MB; 0 where there is no such file.
    static func megabytes(_ name: String) -> Double {
        Double(number(name, in: "/proc/self/status")) * 1024 / 1e6
    }

    /// Bytes that the process has given to `write` and its like.
    static var writtenBytes: Int { number("wchar", in: "/proc/self/io") }

    /// Processor time of this thread: what work takes however busy the machine is.
    static var threadSeconds: Double { clock(CLOCK_THREAD_CPUTIME_ID) }
    /// Processor time of the whole process.
    static var processSeconds: Double { clock(CLOCK_PROCESS_CPUTIME_ID) }

    private static func clock(_ number: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(number, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func number(_ name: String, in path: String) -> Int {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        return 0
    }

    /// Seconds of all threads, in the system too.
    static var processorSeconds: Double {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
