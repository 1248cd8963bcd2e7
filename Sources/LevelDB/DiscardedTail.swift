internal import CLevelDB

/// What opening a database found after the last whole write of one of its logs, and left out.
public struct DiscardedTail: Sendable, Hashable {
    /// The name of the log, or of the manifest.
    public var file: String
    /// The offset at which its last whole write ends, in bytes.
    public var offset: Int
    /// How many bytes came after it.
    public var length: Int
    /// The name of the file, in the database's directory, that these bytes were copied to; `nil` if
    /// they were zeros, or the beginning of a write. It holds pieces of keys and values, and stays
    /// until bytes are discarded again or the database is destroyed.
    public var copy: String?

    /// Creates the description of a discarded tail.
    public init(file: String, offset: Int, length: Int, copy: String? = nil) {
        self.file = file
        self.offset = offset
        self.length = length
        self.copy = copy
    }
}

extension DiscardedTail {
    init(_ tail: cldb_tail) {
        self.init(
            file: String(cString: tail.file), offset: Int(clamping: tail.offset),
            length: Int(clamping: tail.length), copy: tail.copy.map { String(cString: $0) })
    }
}
