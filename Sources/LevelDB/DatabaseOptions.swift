internal import CLevelDB

/// How a database uses memory and lays out its files.
///
/// What protects the data is not an option: checksums are always verified, and damage is always an
/// error. Values out of LevelDB's range are clamped.
public struct DatabaseOptions: Sendable {
    /// Bytes of new entries held in memory before they are written out in order, 64 KiB to 1 GiB; 4
    /// MiB by default.
    ///
    /// Twice this much may be held. It also bounds the log that opening replays, and the free space
    /// that opening needs. Larger is not faster: beyond the processor's cache, insertion slows
    /// down.
    public var writeBufferSize = 4 << 20

    /// Bytes of table blocks kept in memory, uncompressed; 8 MiB by default.
    public var blockCacheSize = 8 << 20

    /// Bytes of entries in one block of a table before compression, 1 KiB to 4 MiB; 4 KiB by
    /// default.
    public var blockSize = 4096

    /// Bytes in one table file, 1 MiB to 1 GiB; 2 MiB by default.
    public var maxFileSize = 2 << 20

    /// How many table files are kept open; 200 by default.
    public var maxOpenFiles = 200

    /// Whether blocks are compressed with Snappy; true by default.
    public var compression = true

    /// Bits for each key in the filters that save disk reads for absent keys; 10 by default, 0 for
    /// no filters.
    public var bloomBitsPerKey = 10

    /// Bytes of the disk that are kept in a file, for opening and for batches that free space when
    /// there is no other; 0, the default, for none. Values below four write buffers and 4 MiB count
    /// as that. The file is made when there is twice as much space.
    public var reserveSize = 0

    /// A number of the application for what the entries mean; 0, the default, for none. A database
    /// opens only with the number that it was made with.
    public var format: UInt32 = 0

    /// Whether an existing database opens in memory over its files, which stay as they are until
    /// ``Database/beginWriting()``; false by default. Until then writes throw `.readOnly`. It is
    /// locked as always.
    public var defersWriting = false

    /// Where blocks of tables are kept, together with those of other databases; nil, the default,
    /// for a cache of ``blockCacheSize`` bytes.
    public var sharedBlocks: BlockCache?

    /// Users, besides the one of this process, to whom a database may belong that is opened to be
    /// read; none by default.
    public var trustedOwners: [UInt32] = []

    /// Creates options with the defaults of the properties.
    public init() {}
}

extension DatabaseOptions {
    var forC: cldb_options {
        cldb_options(
            write_buffer_size: writeBufferSize.clamped(to: 64 << 10...1 << 30),
            block_cache_size: blockCacheSize.clamped(to: 0...1 << 40),
            block_size: blockSize.clamped(to: 1 << 10...4 << 20),
            max_file_size: maxFileSize.clamped(to: 1 << 20...1 << 30),
            max_open_files: Int32(maxOpenFiles.clamped(to: 74...50_000)),
            bloom_bits_per_key: Int32(bloomBitsPerKey.clamped(to: 0...64)),
            compression: compression,
            format: format,
            reserve_size: UInt64(reserveSize.clamped(to: 0...1 << 40)),
            meanwhile: nil, meanwhile_context: nil, defers_writing: defersWriting,
            cache: sharedBlocks?.handle, trusted_owners: nil, trusted_owner_count: 0)
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// Blocks of tables in memory, which several databases share.
///
/// **Thread safety**: may be used from any thread. **Lifetime**: the memory stays as long as this
/// or a database with it does.
public final class BlockCache: Sendable {
    /// Unsafe for the compiler, which knows nothing of what it points to: it never changes.
    nonisolated(unsafe) let handle: OpaquePointer?

    /// Creates an empty cache.
    ///
    /// - Parameter byteCount: how much it keeps.
    public init(byteCount: Int) { handle = cldb_cache_create(byteCount.clamped(to: 0...1 << 40)) }

    deinit { cldb_cache_free(handle) }
}
