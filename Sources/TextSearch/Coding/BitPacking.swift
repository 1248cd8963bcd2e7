/// Fixed-width bit packing of up to 128 integers, low bits first.
enum BitPacking {
    /// The bits that the largest of `values` needs.
    @inline(__always)
    static func width(of values: UnsafeBufferPointer<UInt32>) -> Int {
        var all: UInt32 = 0
        for value in values { all |= value }
        return 32 - all.leadingZeroBitCount
    }

    /// The bytes that `count` values of `width` bits take.
    @inline(__always)
    static func byteCount(count: Int, width: Int) -> Int { (count &* width &+ 7) >> 3 }

    static func pack(
        _ values: UnsafeBufferPointer<UInt32>, width: Int, into output: inout Buffer<UInt8>
    ) {
        guard width > 0 else { return }
        var pending: UInt64 = 0
        var bits = 0
        for value in values {
            pending |= UInt64(value) << UInt64(bits)
            bits += width
            while bits >= 8 {
                output.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                bits -= 8
            }
        }
        if bits > 0 { output.append(UInt8(truncatingIfNeeded: pending)) }
    }

    /// Unpacks `output.count` values; `bytes` must hold at least `byteCount(count:width:)`.
    @inline(__always)
    static func unpack(
        _ bytes: UnsafeRawBufferPointer, width: Int, into output: UnsafeMutableBufferPointer<UInt32>
    ) throws(MalformedData) {
        let count = output.count
        guard width <= 32, bytes.count >= byteCount(count: count, width: width) else {
            throw MalformedData()
        }
        if width == 0 {
            output.update(repeating: 0)
            return
        }
        let mask = UInt64(1) &<< UInt64(width) &- 1
        var bit = 0
        var index = 0
        // Whole-word loads while eight bytes remain: width ≤ 32 and a shift ≤ 7 fit in 64 bits.
        let lastWhole = bytes.count &- 8
        while index < count, bit >> 3 <= lastWhole {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self))
            output[index] = UInt32(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
            bit &+= width
            index &+= 1
        }
        guard index < count else { return }
        // What is left lies in the last eight bytes, or in all there are.
        let last = lastBytes(bytes)
        bit &-= max(lastWhole, 0) &* 8
        while index < count {
            output[index] = UInt32(truncatingIfNeeded: (last &>> UInt64(bit)) & mask)
            bit &+= width
            index &+= 1
        }
    }

    /// The last eight bytes, or all if there are fewer; low ones first.
    @inline(__always)
    private static func lastBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 {
            return UInt64(
                littleEndian: bytes.loadUnaligned(
                    fromByteOffset: bytes.count &- 8, as: UInt64.self))
        }
        var word: UInt64 = 0
        for place in 0..<bytes.count { word |= UInt64(bytes[place]) &<< UInt64(place &* 8) }
        return word
    }
}
