/// Reads scalars out of UTF-8.
enum UTF8Decoding {
    /// The scalar at `index`, and its length. A byte that begins none counts as U+FFFD of one byte.
    @inline(__always)
    static func scalar(
        at index: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> (scalar: UInt32, length: Int) {
        let first = UInt32(text[index])
        if first < 0x80 { return (first, 1) }
        if first >= 0xc2, first < 0xe0, index &+ 1 < text.count {
            let second = UInt32(text[index &+ 1])
            if second & 0xc0 == 0x80 { return ((first & 0x1f) << 6 | second & 0x3f, 2) }
        } else if first >= 0xe0, first < 0xf0, index &+ 2 < text.count {
            let second = UInt32(text[index &+ 1])
            let third = UInt32(text[index &+ 2])
            let scalar = (first & 0xf) << 12 | (second & 0x3f) << 6 | third & 0x3f
            if second & 0xc0 == 0x80, third & 0xc0 == 0x80, scalar >= 0x800,
                scalar & 0xf800 != 0xd800
            {
                return (scalar, 3)
            }
        } else if first >= 0xf0, first < 0xf5, index &+ 3 < text.count {
            let second = UInt32(text[index &+ 1])
            let third = UInt32(text[index &+ 2])
            let fourth = UInt32(text[index &+ 3])
            let scalar =
                (first & 7) << 18 | (second & 0x3f) << 12 | (third & 0x3f) << 6 | fourth & 0x3f
            if second & 0xc0 == 0x80, third & 0xc0 == 0x80, fourth & 0xc0 == 0x80,
                scalar >= 0x10000, scalar <= 0x10ffff
            {
                return (scalar, 4)
            }
        }
        return (0xfffd, 1)
    }

    /// Appends a scalar as UTF-8.
    @inline(__always)
    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        if scalar < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: scalar))
        } else if scalar < 0x800 {
            bytes.append(UInt8(truncatingIfNeeded: 0xc0 | scalar >> 6))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3f))
        } else if scalar < 0x10000 {
            bytes.append(UInt8(truncatingIfNeeded: 0xe0 | scalar >> 12))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3f))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3f))
        } else {
            bytes.append(UInt8(truncatingIfNeeded: 0xf0 | scalar >> 18))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3f))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3f))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3f))
        }
    }

    /// How many UTF-16 code units a text takes.
    static func utf16Count(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in text where byte & 0xc0 != 0x80 { count += byte >= 0xf0 ? 2 : 1 }
        return count
    }

    /// How many UTF-16 code units a scalar takes.
    @inline(__always)
    static func utf16Length(_ scalar: UInt32) -> Int { scalar >= 0x10000 ? 2 : 1 }
}
