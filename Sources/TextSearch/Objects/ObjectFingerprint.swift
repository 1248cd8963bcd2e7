/// Eight bytes of all that an object says of itself: two objects with one fingerprint are taken for
/// the same.
///
/// Who compares an index with its source needs neither the text nor the words of what is indexed.
/// Two objects that differ have the same fingerprint once in 2^64: it finds accidents, not attacks.
/// How text is analysed is no part of it: another analysis has all objects indexed again.
///
/// Stored; never change what it gives.
enum ObjectFingerprint {
    private static let multiplier: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// `context` and `attributes` are the stored forms.
    ///
    /// Complexity: linear in the bytes of the object, eight at a time.
    static func of(_ object: IndexedObject, context: [UInt8], attributes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xbf58_476d_1ce4_e5b9
        hash = mixed(hash, object.weight.bitPattern)
        hash = mixed(hash, UInt64(object.language?.storedNumber ?? 0))
        hash = context.withUnsafeBytes { absorb($0, into: hash) }
        hash = attributes.withUnsafeBytes { absorb($0, into: hash) }
        for var string in object.strings {
            hash = string.withUTF8 { absorb(UnsafeRawBufferPointer($0), into: hash) }
        }
        return mixed(hash, UInt64(object.strings.count))
    }

    /// The length goes before the bytes, so that no part can be taken for the next.
    private static func absorb(_ bytes: UnsafeRawBufferPointer, into start: UInt64) -> UInt64 {
        var hash = mixed(start, UInt64(bytes.count))
        var offset = 0
        while offset &+ 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = mixed(hash, UInt64(littleEndian: word))
            offset &+= 8
        }
        guard offset < bytes.count else { return hash }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset &+= 1
        }
        return mixed(hash, rest)
    }

    /// Each step can be undone for a given word, so that no change of one word goes unseen.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (hash ^ word) &* multiplier
        return mixed ^ mixed >> 29
    }
}
