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
        var (high, low) = (highBit, lowBit)
        var word = word(at: high)
        // So many bits of it are not those behind its eight bytes.
        var valid = 64 &- high & 7
        var largest = 0
        for place in 0..<gaps.count {
            var quotient = 0
            while word == 0 {
                quotient &+= valid
                high &+= valid
                guard high >> 3 < bytes.count else { throw MalformedData() }
                word = self.word(at: high)
                valid = 64 &- high & 7
            }
            let zeros = word.trailingZeroBitCount
            quotient &+= zeros
            // Both at once would be 64 bits at times.
            word = (word &>> UInt64(zeros)) &>> 1
            valid &-= zeros &+ 1
            high &+= zeros &+ 1
            largest |= quotient
            let rest = self.word(at: low) & mask
            low &+= width
            gaps[place] = UInt32(truncatingIfNeeded: UInt64(quotient) &<< shift | rest)
        }
        guard largest <= Int(UInt32.max) >> width else { throw MalformedData() }
        (highBit, lowBit) = (high, low)
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
    fileprivate func place(ofOne number: Int) -> Int {
        var (word, left, place) = (self, number, 0)
        for half in stride(from: 5, through: 3, by: -1).lazy.map({ 1 << $0 }) {
            let ones = (word & (1 &<< UInt64(half) &- 1)).nonzeroBitCount
            guard ones <= left else { continue }
            left &-= ones
            word &>>= UInt64(half)
            place &+= half
        }
        for _ in 0..<left { word &= word &- 1 }
        return place &+ word.trailingZeroBitCount
    }
}
