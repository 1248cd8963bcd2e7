#if THREAD_SANITIZER
    import Foundation

    /// Stands in for the standard library's mutex in builds for the thread sanitizer, which on
    /// Linux does not see that one's futex and would report every guarded access. The server uses
    /// it, too.
    package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        // Unchecked for its pointers: nobody else has them, and the value is touched under the lock
        // only.
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        package init(_ value: consuming sending Value) {
            lock = .allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
            value.deinitialize(count: 1)
            value.deallocate()
        }

        package func withLock<R: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }

        package func withLockIfAvailable<R: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R? {
            guard pthread_mutex_trylock(lock) == 0 else { return nil }
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#endif
