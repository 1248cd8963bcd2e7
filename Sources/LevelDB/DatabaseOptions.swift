internal import CLevelDB

/// How a database uses memory and lays out its files.
///
/// What protects the data is not an option: checksums are always verified, and damage is always an
/// error. Values out of LevelDB's range are moved into it.
public struct DatabaseOptions: Sendable {
    /// Bytes of new entries held in memory before they are written out in order, 64 KiB to 1 GiB.
    ///
    /// Twice this much may be held. It also bounds the log that opening replays, and the free space
    /// that opening needs. Larger is not faster: beyond the processor's cache, insertion slows
    /// down.
    public var writeBufferSize = 4 << 20

    /// Bytes of table blocks kept in memory, uncompressed.
    public var blockCacheSize = 8 << 20

    /// Bytes of entries in one block of a table, before compression, 1 KiB to 4 MiB.
    public var blockSize = 4096

    /// Bytes in one table file, 1 MiB to 1 GiB.
    public var maxFileSize = 2 << 20

    /// Table files kept open.
    public var maxOpenFiles = 200

    /// Whether blocks are compressed, with Snappy.
    public var compression = true

    /// Bits for each key in the filters that spare reads of absent keys a look at the disk; 0 for
    /// no filters.
    public var bloomBitsPerKey = 10

    /// Bytes of the disk that are kept in a file of their own, and given up when there is no other space for opening or for a batch that
    /// frees space; 0 for none. Less than four write buffers and 4 MiB count as that. Made when there is twice as much space.
    public var reserveSize = 0

    /// What the entries mean, in a number of the application's own: a database is made with it, and opens with the same alone; 0 for none.
    public var format: UInt32 = 0

    /// Whether a database that is there is opened in memory over its files, which stay as they are until ``Database/beginWriting()``; writes throw `.readOnly` until
    /// then. It is locked as ever.
    public var defersWriting = false

    /// Creates the default options.
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
            meanwhile: nil, meanwhile_context: nil, defers_writing: defersWriting)
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
