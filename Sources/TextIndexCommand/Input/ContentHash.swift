/// A 64-bit hash of bytes, to notice that a text has changed.
///
/// Stable between runs and machines, as `Hasher` is not. Not for security: who wants two texts of
/// one hash can make them. Two versions of one text meet by accident once in 2⁶⁴ times.
/// Multiply-and-shift over words of 8 bytes, finished as SplitMix64 is (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
struct ContentHash {
    private var state: UInt64

    /// Starts a hash; different seeds give unrelated hashes.
    init(seed: some Sequence<UInt8> = []) {
        state = 0x9E37_79B9_7F4A_7C15
        for byte in seed { mix(UInt64(byte)) }
    }

    /// Adds bytes. Complexity: O(n), 8 bytes a step.
    mutating func combine(_ bytes: some RandomAccessCollection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable {
            combine(UnsafeRawBufferPointer($0))
        }
        if done == nil { Array(bytes).withUnsafeBytes { combine($0) } }
    }

    /// The hash, as 16 hexadecimal digits.
    var text: String {
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The hash as a number.
    var value: UInt64 { UInt64(text, radix: 16) ?? 0 }

    private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while bytes.count - offset >= 8 {
            // In bounds: 8 bytes are left. Little-endian on every machine, so that hashes travel.
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            mix(UInt64(littleEndian: word))
            offset += 8
        }
        var tail: UInt64 = 0
        for byte in bytes[offset...] { tail = tail << 8 | UInt64(byte) }
        mix(tail)
        mix(UInt64(bytes.count))
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 32
    }
}
