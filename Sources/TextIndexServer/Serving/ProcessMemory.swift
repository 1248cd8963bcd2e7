import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How much memory the process may take.
package enum ProcessMemory {
    /// In bytes: of the machine, of the process's control group and of its address space the least.
    package static var limit: Int {
        var least = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        var space = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
        #else
            let kind = RLIMIT_AS
        #endif
        if getrlimit(kind, &space) == 0 { least = min(least, Int(clamping: space.rlim_cur)) }
        #if os(Linux)
            // "max" where there is none.
            let group = try? String(contentsOfFile: "/sys/fs/cgroup/memory.max", encoding: .utf8)
            if let bytes = group.flatMap({ Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            ) {
                least = min(least, bytes)
            }
        #endif
        return least
    }
}
