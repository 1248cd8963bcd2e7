import LevelDB

/// What opening an index found half-written and left out: bytes of unfinished writes after a power
/// cut.
///
/// It contains no finished operation, with two exceptions. Damage to the last bytes of a log looks
/// the same. What finished with ``Durability/process`` may be in it, as a power cut may also lose
/// it without a trace.
public struct RecoveryReport: Sendable, Hashable, CustomStringConvertible {
    /// The end of one file that was left out.
    public struct Tail: Sendable, Hashable {
        /// The name of the file, in the directory of the index.
        public var file: String
        /// The offset at which its last whole write ends, in bytes.
        public var offset: Int
        /// How many bytes after that were left out.
        public var byteCount: Int
        /// The name of the file, in the directory of the index, that they were copied to; nil if
        /// they were zeros or the beginning of a write. It holds pieces of what was indexed.
        public var copy: String?
    }

    /// The files of which something was left out.
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
