import Synchronization

/// How results are ordered and delivered.
public struct EnumerationOptions: OptionSet, Sendable {
    /// The bits, one for each option.
    public let rawValue: Int

    /// Creates options from bits.
    ///
    /// - Parameter rawValue: the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The worst results come first.
    public static let reverse = EnumerationOptions(rawValue: 1)
    /// The block is called from a concurrent dispatch queue.
    public static let concurrent = EnumerationOptions(rawValue: 2)
}

/// Ends an enumeration: call it as a function.
///
/// **Thread safety**: may be called from any thread, more than once.
public final class EnumerationStop: Sendable {
    private let flag = Atomic<Bool>(false)

    init() {}

    /// Ends the enumeration. The block is not called again; calls that have begun still finish.
    public func callAsFunction() { flag.store(true, ordering: .relaxed) }

    /// Whether the enumeration was ended.
    public var isStopped: Bool { flag.load(ordering: .relaxed) }
}
