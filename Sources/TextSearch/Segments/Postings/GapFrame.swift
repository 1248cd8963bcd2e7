/// How gaps between positions are packed.
///
/// Stored form of the gaps of a block: frames of `size` of them, the last one of what is left. A
/// frame is a byte, the number of *low bits*; the low bits of all gaps, packed; and of each gap
/// what is above them in unary: so many zeros, and a one (the code of R. F. Rice, "Some Practical
/// Universal Noiseless Coding Techniques", JPL 1979). Both lie apart, as in a list of Elias and
/// Fano, so that passing over gaps is counting ones. Where that would be longer, the byte is
/// `varints`, and the gaps follow as such. Frames begin at whole bytes.
enum GapFrame {
    /// So many gaps, whatever the number of documents: a word that stands a million times in one
    /// needs no more memory.
    static let size = 512
    static let varints: UInt8 = 0xff
    /// A gap has 32 bits at most.
    static let largestWidth = 31

    /// Appends a frame of some gaps, `size` at most.
    static func append(_ gaps: UnsafeBufferPointer<UInt32>, to output: inout Buffer<UInt8>) {
        guard let (width, byteCount) = packing(of: gaps) else {
            output.append(varints)
            for gap in gaps { output.appendVarint(UInt64(gap)) }
            return
        }
        output.append(UInt8(truncatingIfNeeded: width))
        appendLow(gaps, width, to: &output)
        appendHigh(
            gaps, width, byteCount &- BitPacking.byteCount(count: gaps.count, width: width),
            to: &output)
    }

    /// The bytes that gaps take as varints.
    static func varintByteCount(of gaps: UnsafeBufferPointer<UInt32>) -> Int {
        gaps.reduce(0) {
            $0 &+ 1 &+ ($1 >> 7).isPositive &+ ($1 >> 14).isPositive &+ ($1 >> 21).isPositive
                &+ ($1 >> 28).isPositive
        }
    }

    /// The number of low bits that makes a frame shortest, and the bytes behind its first one; nil
    /// where varints are no longer.
    static func packing(
        of gaps: UnsafeBufferPointer<UInt32>
    ) -> (width: Int, byteCount: Int)? {
        let sum = gaps.reduce(UInt64(0)) { $0 &+ UInt64($1) }
        let mean = sum / UInt64(max(gaps.count, 1))
        // Of gaps as words at random have them the best is the logarithm of 0.69 times their mean;
        // a few large ones make it smaller.
        let most = min(64 &- mean.leadingZeroBitCount, largestWidth)
        var best: (width: Int, byteCount: Int)?
        for width in max(0, most &- 3)...most {
            let ones = gaps.reduce(gaps.count) { $0 &+ Int($1 >> UInt32(width)) }
            let byteCount =
                BitPacking.byteCount(count: gaps.count, width: width) &+ (ones &+ 7) >> 3
            if byteCount < best?.byteCount ?? .max { best = (width, byteCount) }
        }
        guard let best, best.byteCount < varintByteCount(of: gaps) else { return nil }
        return best
    }

    private static func appendLow(
        _ gaps: UnsafeBufferPointer<UInt32>, _ width: Int, to output: inout Buffer<UInt8>
    ) {
        guard width > 0 else { return }
        let byteCount = BitPacking.byteCount(count: gaps.count, width: width)
        // Whole words are written, the last one beyond the end.
        let room = UnsafeMutableRawPointer(output.tail(room: byteCount &+ 8))
        let mask = UInt64(1) &<< UInt64(width) &- 1
        var (pending, bits, offset): (UInt64, Int, Int) = (0, 0, 0)
        for gap in gaps {
            pending |= (UInt64(gap) & mask) &<< UInt64(bits)
            bits &+= width
            guard bits >= 32 else { continue }
            room.storeBytes(of: pending.littleEndian, toByteOffset: offset, as: UInt64.self)
            offset &+= 4
            pending &>>= 32
            bits &-= 32
        }
        room.storeBytes(of: pending.littleEndian, toByteOffset: offset, as: UInt64.self)
        output.commit(byteCount)
    }

    private static func appendHigh(
        _ gaps: UnsafeBufferPointer<UInt32>, _ width: Int, _ byteCount: Int,
        to output: inout Buffer<UInt8>
    ) {
        let room = output.tail(room: byteCount)
        room.update(repeating: 0, count: byteCount)
        var bit = 0
        for gap in gaps {
            bit &+= Int(gap >> UInt32(width))
            room[bit >> 3] |= 1 &<< UInt8(bit & 7)
            bit &+= 1
        }
        output.commit(byteCount)
    }
}

extension UInt32 {
    /// 1 for what is above 0, else 0.
    @inline(__always)
    fileprivate var isPositive: Int { Int(truncatingIfNeeded: (UInt64(0) &- UInt64(self)) >> 63) }
}
