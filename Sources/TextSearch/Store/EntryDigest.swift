/// What stored entries add up to, so that a set of them can be proved complete and unchanged.
///
/// The digest of a set is the sum of those of its entries: it does not depend on their order, and
/// takes entries in and out one by one. It finds accidents, not attacks.
enum EntryDigest {
    private static let multiplier: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// The digest of one entry.
    ///
    /// Complexity: linear in its bytes, eight at a time.
    static func of(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> UInt64 {
        mixed(absorb(value, into: absorb(key, into: multiplier)))
    }

    /// The digest of one number.
    static func of(_ number: UInt32) -> UInt64 { mixed(UInt64(number) &+ multiplier) }

    /// Every step can be undone, so that no change of a single word of eight bytes goes unseen.
    private static func absorb(_ bytes: UnsafeRawBufferPointer, into start: UInt64) -> UInt64 {
        var hash = start ^ UInt64(bytes.count)
        var offset = 0
        while offset &+ 8 <= bytes.count {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = (hash ^ word) &* multiplier
            hash ^= hash >> 32
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset &+= 1
        }
        hash = (hash ^ rest) &* multiplier
        return hash ^ hash >> 32
    }

    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

/// Four bytes at the end of a value that say that it belongs to its key and is whole.
///
/// Decoders that read from the front need not know of it.
enum Seal {
    static let byteCount = 4

    static func of(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: EntryDigest.of(key, value))
    }

    /// The value without its seal, which must be right.
    static func content(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) -> UnsafeRawBufferPointer {
        guard value.count >= byteCount else { throw MalformedData() }
        let content = UnsafeRawBufferPointer(rebasing: value.dropLast(byteCount))
        let seal = UInt32(
            bigEndian: value.loadUnaligned(fromByteOffset: content.count, as: UInt32.self))
        guard seal == of(key, content) else { throw MalformedData() }
        return content
    }
}
