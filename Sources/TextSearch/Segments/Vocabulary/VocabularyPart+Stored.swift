/// Reading the stored form of a part.
extension VocabularyPart {
    /// Lends the postings chunk of one term of a stored part to `body`, without reading the others;
    /// nil where the part does not have the term. The chunk is empty where it is an entry of its
    /// own.
    ///
    /// Complexity: linear in the bytes of the terms and in their number, but far less than reading
    /// the part.
    static func withPostings<R>(
        of term: UnsafeBufferPointer<UInt8>, in whole: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        let stored = try terms(of: whole)
        guard let start = start(of: term, in: stored) else { return nil }
        let before = termCount(of: UnsafeRawBufferPointer(rebasing: stored[..<start]))
        var reader = try ByteReader(whole, at: 4 + stored.count)
        var (offset, length, end) = (0, 0, 0)
        for number in 0..<termCount(of: stored) {
            if number == before { offset = end }
            end += try reader.varint(atMost: whole.count)
            if number == before { length = end - offset }
        }
        guard end == reader.remaining else { throw MalformedData() }
        let chunks = try reader.slice(end)
        return try body(UnsafeRawBufferPointer(rebasing: chunks[offset..<(offset + length)]))
    }

    /// Where a term begins among the stored ones; nil where it is not there.
    ///
    /// Complexity: logarithmic in the bytes, but for long terms.
    private static func start(
        of term: UnsafeBufferPointer<UInt8>, in stored: UnsafeRawBufferPointer
    ) -> Int? {
        let stored = stored.assumingMemoryBound(to: UInt8.self)
        // Where a term begins, and where one ended.
        var low = 1
        var high = stored.count
        while low < high {
            var start = (low + high) / 2
            var end = start
            while start > low, stored[start - 1] != 0 { start -= 1 }
            // The last byte is a zero.
            while stored[end] != 0 { end += 1 }
            let order = TermOrder.compare(UnsafeBufferPointer(rebasing: stored[start..<end]), term)
            if order == 0 { return start }
            if order < 0 { low = end + 1 } else { high = start }
        }
        return nil
    }

    /// The number of terms in bytes that begin with a zero and end with one.
    static func termCount(of stored: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in stored where byte == 0 { count &+= 1 }
        return count - 1
    }

    /// The bytes of the terms of a stored part.
    static func terms(
        of whole: UnsafeRawBufferPointer
    ) throws(MalformedData) -> UnsafeRawBufferPointer {
        guard whole.count <= Int(UInt32.max) else { throw MalformedData() }
        var reader = ByteReader(whole)
        let count = Int(try reader.bigEndian32())
        guard count >= 2, count <= reader.remaining else { throw MalformedData() }
        let terms = try reader.slice(count)
        guard terms.first == 0, terms.last == 0 else { throw MalformedData() }
        return terms
    }

    /// The first term of a stored part; empty where it has none.
    static func firstTerm(
        of whole: UnsafeRawBufferPointer
    ) throws(MalformedData) -> [UInt8] {
        Array(try terms(of: whole).dropFirst().prefix { $0 != 0 })
    }

    /// Where each of the stored terms begins, and behind the last one where another would.
    static func starts(in stored: UnsafeRawBufferPointer) -> [UInt32] {
        var starts = Buffer<UInt32>(capacity: termCount(of: stored) + 1)
        // Eight bytes at a time: the high bit of each that is zero.
        let low: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
        var place = 0
        while place &+ 8 <= stored.count {
            let word = UInt64(
                littleEndian: stored.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            var zeros = ~((word & low) &+ low | word | low)
            while zeros != 0 {
                let end = place &+ zeros.trailingZeroBitCount >> 3
                starts.append(UInt32(truncatingIfNeeded: end &+ 1))
                zeros &= zeros &- 1
            }
            place &+= 8
        }
        while place < stored.count {
            if stored[place] == 0 { starts.append(UInt32(truncatingIfNeeded: place &+ 1)) }
            place &+= 1
        }
        return starts.withElements { Array($0) }
    }

    /// How many bytes each of the stored terms has in common with the one before it, 255 at most.
    static func sharedCounts(in stored: UnsafeRawBufferPointer, starts: [UInt32]) -> [UInt8] {
        var shared = Buffer<UInt8>(capacity: starts.count)
        var start = Int(starts[0])
        for next in starts.dropFirst() {
            // The first one has the zero before it in front.
            let before = shared.isEmpty ? start - 1 : Int(starts[shared.count - 1])
            let end = Int(next) - 1
            let most = min(start - 1 - before, end - start, 255)
            var common = 0
            while common < most, stored[before &+ common] == stored[start &+ common] {
                common &+= 1
            }
            shared.append(UInt8(truncatingIfNeeded: max(common, 0)))
            start = Int(next)
        }
        return shared.toArray()
    }
}
