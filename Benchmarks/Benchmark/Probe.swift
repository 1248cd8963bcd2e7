import Foundation

/// The counters of `Benchmarks/Probe`, where it is preloaded.
struct Probe {
    private typealias Counter = @convention(c) () -> UInt64
    private typealias Begin = @convention(c) () -> Void
    private typealias End = @convention(c) (UnsafePointer<CChar>) -> Void

    private let allocationCounter: Counter
    private let blockCounter: Counter
    private let heapCounter: Counter
    private let beginning: Begin
    private let ending: End

    /// `nil` where the probe is not preloaded.
    init?() {
        // A handle for all that the process has loaded.
        guard let handle = dlopen(nil, RTLD_NOW),
            let allocations = dlsym(handle, "probe_allocations"),
            let blocks = dlsym(handle, "probe_blocks"), let heap = dlsym(handle, "probe_heap"),
            let begin = dlsym(handle, "probe_begin"),
            let end = dlsym(handle, "probe_end")
        else { return nil }
        // Valid: these are the types that probe.c declares.
        allocationCounter = unsafeBitCast(allocations, to: Counter.self)
        blockCounter = unsafeBitCast(blocks, to: Counter.self)
        heapCounter = unsafeBitCast(heap, to: Counter.self)
        beginning = unsafeBitCast(begin, to: Begin.self)
        ending = unsafeBitCast(end, to: End.self)
    }

    /// Allocations of the process so far.
    var allocations: Int { Int(allocationCounter()) }

    /// Compressed blocks of LevelDB's files that were read so far because no cache had them.
    var blocks: Int { Int(blockCounter()) }

    /// Bytes that are allocated and not freed.
    var heapBytes: Int { Int(heapCounter()) }

    /// Under callgrind: what was counted so far is forgotten.
    func begin() { beginning() }

    /// Under callgrind: what was counted since ``begin()`` is written out under a name.
    func end(_ name: String) { name.withCString { ending($0) } }
}
