import Synchronization

/// A value that is made when it is asked for first.
///
/// **Thread safety**: guarded.
final class Lazy<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// The value, if it was asked for.
    var made: Value? { value.withLock { $0 } }

    func get(_ make: () -> Value) -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}
