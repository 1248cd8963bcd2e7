extension LengthColumn {
    /// The lengths of a page, which is all or nothing: who verifies goes on with the next one. What
    /// those of each document end at goes to `ends`.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, count: Int, into ends: inout Buffer<UInt32>
    ) throws(MalformedData) -> Buffer<UInt32> {
        var reader = ByteReader(bytes)
        // Each has a byte at least.
        var lengths = Buffer<UInt32>(capacity: bytes.count)
        for _ in 0..<count {
            if let document = shortDocument(ofWord: reader.paddedWord) {
                try reader.skip(ofWord: document.size)
                for string in 0..<document.count {
                    lengths.append(document.lengths >> UInt32(16 &* string) & 0xffff)
                }
            } else {
                let strings = try reader.varint(atMost: reader.remaining)
                for _ in 0..<strings { lengths.append(try reader.uint32()) }
            }
            ends.append(UInt32(truncatingIfNeeded: lengths.count))
        }
        return lengths
    }

    /// Makes `output` the lengths of a page, if all its documents have the same number of strings,
    /// one or two, of fewer than 2^14 words each: of most pages. That number, else 0.
    static func decodeEven(
        _ bytes: UnsafeRawBufferPointer, count: Int, into output: inout Buffer<UInt16>
    ) throws(MalformedData) -> Int {
        guard count > 0, let width = bytes.first.map({ Int($0) }), 1...2 ~= width else { return 0 }
        // Two bytes and more a document: no more room than what is there asks for.
        guard bytes.count / 2 >= count else { return 0 }
        var reader = ByteReader(bytes)
        let room = output.tail(room: count * width)
        for document in 0..<count {
            guard let found = shortDocument(ofWord: reader.paddedWord), found.count == width else {
                return 0
            }
            try reader.skip(ofWord: found.size)
            room[document &* width] = UInt16(truncatingIfNeeded: found.lengths)
            room[document &* width &+ width &- 1] = UInt16(
                truncatingIfNeeded: found.lengths >> UInt32(16 &* (width &- 1)))
        }
        output.commit(count * width)
        return width
    }

    /// The document that a word of eight bytes begins with, if it has two strings at the most, of
    /// fewer than 2^14 words each: how many of the bytes are its own, how many strings it has, and
    /// their lengths, 16 bits each, the first one lowest.
    @inline(__always)
    private static func shortDocument(
        ofWord word: UInt64
    ) -> (size: Int, count: Int, lengths: UInt32)? {
        let count = Int(word & 0xff)
        guard count <= 2 else { return nil }
        var rest = word >> 8
        var size: UInt64 = 1
        var lengths: UInt64 = 0
        for string in 0..<count {
            guard rest & 0x8080 != 0x8080 else { return nil }
            let hasSecond = rest >> 7 & 1
            let high = rest >> 1 & 0x3f80 & (0 &- hasSecond)
            lengths |= (rest & 0x7f | high) << UInt64(16 &* string)
            rest >>= 8 &+ 8 &* hasSecond
            size &+= 1 &+ hasSecond
        }
        return (Int(size), count, UInt32(truncatingIfNeeded: lengths))
    }

    /// Makes `output` the lengths of documents, if all have the same number of strings, one at
    /// least, that are no longer than the table holds. That number, else 0.
    static func copyEven(
        _ page: UnsafeBufferPointer<UInt32>, _ ends: UnsafeBufferPointer<UInt32>,
        into output: inout Buffer<UInt16>
    ) -> Int {
        guard !ends.isEmpty, !page.isEmpty, page.count % ends.count == 0 else { return 0 }
        let width = page.count / ends.count
        var (differences, bits, expected) = (UInt32(0), UInt32(0), UInt32(0))
        for end in ends {
            expected &+= UInt32(truncatingIfNeeded: width)
            differences |= end ^ expected
        }
        let room = output.tail(room: page.count)
        for place in page.indices {
            bits |= page[place]
            room[place] = UInt16(truncatingIfNeeded: page[place])
        }
        guard differences == 0, bits <= UInt16.max else { return 0 }
        output.commit(page.count)
        return width
    }
}
