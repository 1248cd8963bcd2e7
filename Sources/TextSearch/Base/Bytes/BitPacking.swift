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
        var index = unpackEights(bytes, width: width, mask: mask, into: output)
        var bit = index &* width
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

    /// Unpacks eight values at a time, which begin at a whole byte, while eight bytes can be read
    /// for all or for each half of them; how many.
    @inline(__always)
    private static func unpackEights(
        _ bytes: UnsafeRawBufferPointer, width: Int, mask: UInt64,
        into output: UnsafeMutableBufferPointer<UInt32>
    ) -> Int {
        // Four values, and the half byte before the second four of an odd width, fit into 64 bits.
        guard width <= 16 else { return 0 }
        let half = width &* 4
        let step = UInt64(width)
        var index = 0
        var offset = 0
        while index &+ 8 <= output.count, offset &+ half >> 3 &+ 8 <= bytes.count {
            var low = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            var high =
                UInt64(
                    littleEndian: bytes.loadUnaligned(
                        fromByteOffset: offset &+ half >> 3, as: UInt64.self))
                &>> UInt64(half & 7)
            for place in index..<(index &+ 4) {
                output[place] = UInt32(truncatingIfNeeded: low & mask)
                output[place &+ 4] = UInt32(truncatingIfNeeded: high & mask)
                low &>>= step
                high &>>= step
            }
            index &+= 8
            offset &+= width
        }
        return index
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
