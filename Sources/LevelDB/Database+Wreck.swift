internal import CLevelDB

extension Database {
    /// Calls `body` with every entry that can be read in the tables and logs of a database, whether or not it opens.
    ///
    /// Entries come whose checksums are right, in no order that means anything; among them are old versions of values, and values
    /// that were deleted. Nothing is changed.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - body: Takes a key and its value, which are valid during the call.
    /// - Throws: `.locked` when it is open; `.io`, `.notFound` or `.untrusted` when the directory cannot be read.
    /// - Complexity: Linear in the size of its files.
    public static func forEachReadableEntry(
        at path: String,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) throws(LevelDBError) {
        try validate(path)
        var message: UnsafeMutablePointer<CChar>?
        let code = withoutActuallyEscaping(body) { body in
            let consumer = EntryConsumer(body)
            defer { withExtendedLifetime(consumer) {} }
            // The consumer outlives the call, which does not keep the pointer.
            return cldb_read_wreck(
                path,
                { context, key, keyLength, value, valueLength in
                    guard let context else { return }
                    Unmanaged<EntryConsumer>.fromOpaque(context).takeUnretainedValue().body(
                        UnsafeRawBufferPointer(start: key, count: keyLength),
                        UnsafeRawBufferPointer(start: value, count: valueLength))
                }, Unmanaged.passUnretained(consumer).toOpaque(), &message)
        }
        try LevelDBError.check(code, message, path: path)
    }
}

/// A closure that C can hand back.
private final class EntryConsumer {
    let body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void

    init(_ body: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
        self.body = body
    }
}
