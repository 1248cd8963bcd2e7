/// Reads the gaps between positions of a block, or of a chunk that has but one document.
///
/// **Lifetime**: valid as long as the bytes it was made over; make it inside the closure that lends
/// them.
struct GapReader {
    private let bytes: UnsafeRawBufferPointer
    /// Where the next frame begins, or the next varint.
    private var offset: Int
    /// How many gaps come behind the open frame.
    private var countBehind: Int
    /// How many of the open frame are left.
    private var count = 0
    private var isVarints = false
    /// Of the open frame, where it is packed: the width of low bits, and where the next low and
    /// high bits are.
    private var width = 0
    private var lowBit = 0
    private var highBit = 0

    /// Reads `count` gaps from `offset` on; as frames where they are packed, else as varints.
    init(
        _ bytes: UnsafeRawBufferPointer, at offset: Int = 0, count: Int, isPacked: Bool
    ) throws(MalformedData) {
        // Each takes a bit at the least.
        guard offset >= 0, offset <= bytes.count, count >= 0,
            (count &+ 7) >> 3 <= bytes.count &- offset
        else { throw MalformedData() }
        self.bytes = bytes
        self.offset = offset
        countBehind = isPacked ? count : 0
        self.count = isPacked ? 0 : count
        isVarints = !isPacked
    }

    /// Reads as many gaps as there is room for in `gaps`.
    @inline(__always)
    mutating func read(into gaps: UnsafeMutableBufferPointer<UInt32>) throws(MalformedData) {
        var done = 0
        while done < gaps.count {
            if count == 0 { try openFrame() }
            let number = min(count, gaps.count &- done)
            let some = UnsafeMutableBufferPointer(rebasing: gaps[done..<done &+ number])
            if isVarints { try readVarints(into: some) } else { try readPacked(into: some) }
            done &+= number
            count &-= number
        }
    }

    /// Reads as many positions as there is room for, where the one before the first is `first`;
    /// malformed are also those of more than 32 bits.
    @inline(__always)
    mutating func addUp(
        into positions: UnsafeMutableBufferPointer<UInt32>, from first: UInt32 = 0
    ) throws(MalformedData) {
        try read(into: positions)
        var sum = UInt64(first)
        for place in 0..<positions.count {
            sum &+= UInt64(positions[place])
            positions[place] = UInt32(truncatingIfNeeded: sum)
        }
        // They ascend: none before the last one is larger.
        guard sum <= UInt64(UInt32.max) else { throw MalformedData() }
    }

    mutating func next() throws(MalformedData) -> UInt32 {
        var gap: UInt32 = 0
        try withUnsafeMutablePointer(to: &gap) { (pointer) throws(MalformedData) in
            try read(into: UnsafeMutableBufferPointer(start: pointer, count: 1))
        }
        return gap
    }

    /// Passes over gaps.
    mutating func skip(_ number: Int) throws(MalformedData) {
        var left = number
        while left > 0 {
            if count == 0 { try openFrame() }
            let some = min(count, left)
            if isVarints {
                var reader = try ByteReader(bytes, at: offset)
                try reader.skipVarints(some)
                offset = reader.offset
            } else {
                try skipPacked(some)
            }
            left &-= some
            count &-= some
        }
    }

    /// Passes over what is left; where it ended.
    mutating func finish() throws(MalformedData) -> Int {
        try skip(count &+ countBehind)
        closeFrame()
        return offset
    }

    private mutating func closeFrame() {
        guard highBit > 0 else { return }
        offset = (highBit &+ 7) >> 3
        highBit = 0
    }

    private mutating func openFrame() throws(MalformedData) {
        closeFrame()
        guard countBehind > 0, offset < bytes.count else { throw MalformedData() }
        let first = bytes[offset]
        offset &+= 1
        count = min(countBehind, GapFrame.size)
        countBehind &-= count
        isVarints = first == GapFrame.varints
        guard !isVarints else { return }
        width = Int(first)
        let low = BitPacking.byteCount(count: count, width: width)
        guard width <= GapFrame.largestWidth, low <= bytes.count &- offset else {
            throw MalformedData()
        }
        lowBit = offset &* 8
        highBit = (offset &+ low) &* 8
    }

    private mutating func readVarints(
        into gaps: UnsafeMutableBufferPointer<UInt32>
    ) throws(MalformedData) {
        var reader = try ByteReader(bytes, at: offset)
        try reader.readVarints(into: gaps)
        offset = reader.offset
    }

    @inline(__always)
    private mutating func readPacked(
        into gaps: UnsafeMutableBufferPointer<UInt32>
    ) throws(MalformedData) {
        let mask = UInt64(1) &<< UInt64(width) &- 1
        let shift = UInt64(width)
        // The bits from `high` on, of which those that were read are taken out: what the next one
        // waits for is short.
        var (high, low) = (highBit, lowBit)
        var word = word(at: high)
        var last = high &- 1
        var largest = 0
        for place in 0..<gaps.count {
            while word == 0 {
                // What lies behind its eight bytes was not in it.
                high &+= 64 &- high & 7
                guard high >> 3 < bytes.count else { throw MalformedData() }
                word = self.word(at: high)
            }
            let one = high &+ word.trailingZeroBitCount
            word &= word &- 1
            let quotient = one &- last &- 1
            last = one
            largest |= quotient
            let rest = self.word(at: low) & mask
            low &+= width
            gaps[place] = UInt32(truncatingIfNeeded: UInt64(quotient) &<< shift | rest)
        }
        guard largest <= Int(UInt32.max) >> width else { throw MalformedData() }
        (highBit, lowBit) = (last &+ 1, low)
    }

    /// Passes over gaps of the open frame: the ones of the high bits are counted.
    private mutating func skipPacked(_ number: Int) throws(MalformedData) {
        lowBit &+= number &* width
        var left = number
        while true {
            let word = word(at: highBit)
            let ones = word.nonzeroBitCount
            if ones >= left {
                highBit &+= word.place(ofOne: left &- 1) &+ 1
                return
            }
            left &-= ones
            highBit &+= 64 &- highBit & 7
            guard highBit >> 3 < bytes.count else { throw MalformedData() }
        }
    }

    /// The 57 bits or more from a bit on; zeros stand for those behind the end.
    @inline(__always)
    private func word(at bit: Int) -> UInt64 {
        let first = bit >> 3
        let shift = UInt64(bit & 7)
        guard first &+ 8 <= bytes.count else { return lastWord(from: first) &>> shift }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: first, as: UInt64.self))
            &>> shift
    }

    @inline(never)
    private func lastWord(from first: Int) -> UInt64 {
        var word: UInt64 = 0
        for place in first..<max(first, bytes.count) {
            word |= UInt64(bytes[place]) &<< UInt64((place &- first) &* 8)
        }
        return word
    }
}

extension UInt64 {
    /// The place of a bit that is set, by how many are set below it; there must be one.
    ///
    /// Source: S. Vigna, "Broadword implementation of rank/select queries" (2008).
    @inline(__always)
    fileprivate func place(ofOne number: Int) -> Int {
        let (lowest, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // In each byte, how many are set in it and in those below.
        var sums = self &- (self >> 1 & 0x5555_5555_5555_5555)
        sums = (sums & 0x3333_3333_3333_3333) &+ (sums >> 2 & 0x3333_3333_3333_3333)
        sums = ((sums &+ sums >> 4) & 0x0f0f_0f0f_0f0f_0f0f) &* lowest
        let wanted = UInt64(truncatingIfNeeded: number) &* lowest | highest
        let shift = UInt64(((wanted &- sums) & highest).nonzeroBitCount &* 8)
        var byte = self &>> shift & 0xff
        for _ in ((sums &<< 8) &>> shift & 0xff)..<UInt64(truncatingIfNeeded: number) {
            byte &= byte &- 1
        }
        return Int(shift) &+ byte.trailingZeroBitCount
    }
}
