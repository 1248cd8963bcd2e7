import Dispatch
import Synchronization

/// Keeps what is made ahead for a table file from being written before that has begun.
final class TableGate: Sendable {
    /// More bytes than this are not held: who made them waits.
    private let mostHeld: Int
    private let isOpen = Mutex(false)
    private let opening = DispatchGroup()

    init(mostHeld: Int = 8 << 20) {
        self.mostHeld = mostHeld
        opening.enter()
    }

    deinit { open() }

    /// Lets all pass, from now on.
    func open() {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        if isFirst { opening.leave() }
    }

    /// Whether some bytes may pass; waits until they may where they are many.
    func lets(pass byteCount: Int) -> Bool {
        if isOpen.withLock({ $0 }) { return true }
        if byteCount < mostHeld { return false }
        wait()
        return true
    }

    func wait() { opening.wait() }
}
