import NIOCore

#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// Open connections to a node that no request uses.
///
/// **Thread safety**: guarded. **Lifetime**: the connections close with it. **Invariants**: one
/// that is closed is let go of, whether or not somebody asks for it.
final class IdleConnections: Sendable {
    private struct State {
        /// By their event loops, the last used at the end.
        var channels: [ObjectIdentifier: [any Channel]] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    /// How many are kept.
    private static let most = 128

    deinit {
        for channel in state.withLock({ $0.channels }).values.joined() {
            channel.close(promise: nil)
        }
    }

    var count: Int { state.withLock { $0.count } }

    /// Lets go of a new connection as soon as it is closed.
    func watch(_ channel: any Channel) {
        let (name, loop) = (ObjectIdentifier(channel), ObjectIdentifier(channel.eventLoop))
        channel.closeFuture.whenComplete { [weak self] _ in self?.forget(name, of: loop) }
    }

    /// Takes one of an event loop, the last used first; nil where there is none.
    func take(of loop: any EventLoop) -> (any Channel)? {
        let loop = ObjectIdentifier(loop)
        while true {
            let channel = state.withLock { state in
                let channel = state.channels[loop]?.popLast()
                if channel != nil { state.count -= 1 }
                return channel
            }
            guard let channel else { return nil }
            if channel.isActive { return channel }
        }
    }

    /// Keeps a connection that is watched, unless there are enough.
    func keep(_ channel: any Channel) {
        guard channel.isActive else { return }
        let loop = ObjectIdentifier(channel.eventLoop)
        let isKept = state.withLock { state in
            guard state.count < Self.most else { return false }
            state.channels[loop, default: []].append(channel)
            state.count += 1
            return true
        }
        guard isKept else { return channel.close(promise: nil) }
        // One that closed just before was not here to be forgotten.
        if !channel.isActive { forget(ObjectIdentifier(channel), of: loop) }
    }

    private func forget(_ name: ObjectIdentifier, of loop: ObjectIdentifier) {
        state.withLock { state in
            let place = state.channels[loop]?.firstIndex { ObjectIdentifier($0) == name }
            guard let place else { return }
            state.channels[loop]?.remove(at: place)
            state.count -= 1
        }
    }
}
