import LevelDB

/// What opening an index found half-written and left out: the bytes that a power cut leaves of writes that nobody was promised.
///
/// An operation that had finished is never among them, but for damage to the last bytes of a log: that looks the same. What finished with
/// ``Durability/process`` may be, as it may be lost without a trace.
public struct RecoveryReport: Sendable, Hashable, CustomStringConvertible {
    /// The end of one file.
    public struct Tail: Sendable, Hashable {
        /// The name of the file, in the directory of the index.
        public var file: String
        /// Where the last whole write in it ends, in bytes.
        public var offset: Int
        /// How many bytes behind that were left out.
        public var byteCount: Int
        /// The name of the file that they were copied to, in the directory of the index; nil when they were zeros, or the beginning of
        /// a write. It holds parts of what was indexed.
        public var copy: String?
    }

    /// The files with such an end.
    public var tails: [Tail]

    /// How many bytes were left out in all; 0 after an ordinary end.
    public var discardedByteCount: Int { tails.reduce(0) { $0 + $1.byteCount } }

    init(_ tails: [DiscardedTail]) {
        self.tails = tails.map {
            Tail(file: $0.file, offset: $0.offset, byteCount: $0.length, copy: $0.copy)
        }
    }

    /// A sentence for each file.
    public var description: String {
        tails.map { tail in
            "Discarded \(tail.byteCount) bytes of \(tail.file) behind byte \(tail.offset), where the last whole write ends\(tail.copy.map { "; they are kept in \($0)" } ?? "")."
        }.joined(separator: " ")
    }
}
