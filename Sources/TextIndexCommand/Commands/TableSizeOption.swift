import ArgumentParser

/// `--table-size`, of commands that write a whole index.
struct TableSizeOption: ParsableArguments {
    /// That of an index which is written once and then published, in megabytes: its files are few
    /// enough for sets of hundreds of shards, and nothing has to be compacted.
    static let ofShards = 32

    @Option(
        name: .customLong("table-size"),
        help: ArgumentHelp(
            """
            Megabytes of each table file, about, from 1 to 1024 (default: 32 for what is written \
            once, which are merge, split and index with --expect; else 2). Larger ones make fewer \
            files, smaller ones suit an index that changes.
            """, valueName: "MB"))
    var megabytes: Int?

    func validate() throws {
        if let megabytes, !(1...1024).contains(megabytes) {
            throw ValidationError("--table-size must be from 1 to 1024")
        }
    }

    /// The size in bytes.
    ///
    /// - Parameter isWrittenOnce: whether the index is most likely a shard.
    /// - Returns: The size; nil for what is usual.
    func bytes(isWrittenOnce: Bool) -> Int? {
        Self.bytes(megabytes, isWrittenOnce: isWrittenOnce)
    }

    /// The size in bytes, of one in megabytes or none.
    static func bytes(_ megabytes: Int?, isWrittenOnce: Bool) -> Int? {
        (megabytes ?? (isWrittenOnce ? ofShards : nil)).map { $0 << 20 }
    }
}
