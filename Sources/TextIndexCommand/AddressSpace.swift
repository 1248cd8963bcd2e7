import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// What the process may take of addresses.
enum AddressSpace {
    /// Lets threads share what the allocator sets aside, where addresses are limited (`ulimit -v`):
    /// glibc reserves 64 MB for each thread, which is most of what indexing would take then. To be
    /// called before there are threads.
    static func share() {
        #if canImport(Glibc)
            var limits = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0,
                limits.rlim_cur != rlim_t.max
            else { return }
            // Swift's module of glibc leaves <malloc.h> out. A null handle is the whole program.
            guard let symbol = dlsym(nil, "mallopt") else { return }
            typealias Function = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
            // Valid: this is the declaration of mallopt.
            let mallopt = unsafeBitCast(symbol, to: Function.self)
            let arenaMax: Int32 = -8
            _ = mallopt(arenaMax, 2)
        #endif
    }
}
