/// The UTF-16 locations of the words of one string, four bits a word for ordinary prose.
///
/// Stored form: the number of words; for every 512th word but the first the nibble offset and
/// location gained since the last such word (varints); then one nibble a word: the distance from
/// the start of the word before it (from -1 for the first) less one, 15 meaning that the rest
/// follows in nibbles of three bits, low bits first, the fourth bit set when more come; 15, 8, 0,
/// which would be a long way to write 15, is a word at the place of the one before it, as ㍿ has
/// several.
enum WordStarts {
    static let stride = 512

    /// Encodes `starts`, which ascend; one that does not is moved to the one before it, so that no
    /// other is wrong.
    static func encode(
        _ starts: UnsafeBufferPointer<UInt32>, scratch: inout Buffer<UInt8>,
        into output: inout Buffer<UInt8>
    ) {
        output.appendVarint(starts.count)
        scratch.removeAll()
        var pending: UInt8 = 0
        var nibbles = 0
        var previous: Int64 = -1
        var checkpointNibbles = 0
        var checkpointStart: Int64 = 0
        for index in 0..<starts.count {
            let start = max(Int64(starts[index]), previous)
            if index & (stride - 1) == 0, index > 0 {
                output.appendVarint(nibbles - checkpointNibbles)
                output.appendVarint(Int(previous - checkpointStart))
                checkpointNibbles = nibbles
                checkpointStart = previous
            }
            var gap = UInt32(truncatingIfNeeded: start &- previous &- 1)
            let isSamePlace = start == previous
            previous = start
            if isSamePlace {
                for nibble in [15, 8, 0] as [UInt8] { put(nibble, &pending, &nibbles, &scratch) }
                continue
            }
            if gap < 15 {
                put(UInt8(truncatingIfNeeded: gap), &pending, &nibbles, &scratch)
                continue
            }
            put(15, &pending, &nibbles, &scratch)
            gap &-= 15
            while gap >= 8 {
                put(UInt8(truncatingIfNeeded: gap & 7) | 8, &pending, &nibbles, &scratch)
                gap >>= 3
            }
            put(UInt8(truncatingIfNeeded: gap), &pending, &nibbles, &scratch)
        }
        if nibbles & 1 == 1 { scratch.append(pending) }
        output.appendVarint(scratch.count)
        scratch.withElements { output.append(contentsOf: $0) }
    }

    @inline(__always)
    private static func put(
        _ nibble: UInt8, _ pending: inout UInt8, _ nibbles: inout Int, _ output: inout Buffer<UInt8>
    ) {
        if nibbles & 1 == 0 {
            pending = nibble
        } else {
            output.append(pending | nibble << 4)
        }
        nibbles &+= 1
    }

    /// Reads one encoded run; words must be asked for in ascending order for the best speed.
    struct Reader {
        let wordCount: Int
        private let nibbles: ArraySlice<UInt8>
        private let checkpoints: [(nibble: Int, start: Int64)]
        private var nextWord = 0
        private var nibble = 0
        private var location: Int64 = -1

        /// Reads one.
        ///
        /// - Parameters:
        ///   - reader: stands before it.
        ///   - bytes: all that `reader` reads, to be shared; copied where nil.
        /// - Throws: `MalformedData`.
        init(_ reader: inout ByteReader, of bytes: [UInt8]? = nil) throws(MalformedData) {
            wordCount = try reader.varint(atMost: Int(UInt32.max))
            var checkpoints: [(nibble: Int, start: Int64)] = [(0, -1)]
            let number = wordCount == 0 ? 0 : (wordCount - 1) / WordStarts.stride
            guard number <= reader.remaining else { throw MalformedData() }
            var nibble = 0
            var start: Int64 = 0
            for _ in 0..<number {
                nibble += try reader.varint(atMost: Int(UInt32.max))
                start += Int64(try reader.varint(atMost: Int(UInt32.max)))
                checkpoints.append((nibble, start))
            }
            self.checkpoints = checkpoints
            let stored = try reader.prefixed()
            let end = reader.offset
            nibbles = bytes.map { $0[(end - stored.count)..<end] } ?? Array(stored)[...]
            guard nibbles.count * 2 >= wordCount else { throw MalformedData() }
        }

        /// Passes over one, without keeping anything of it.
        ///
        /// - Returns: The number of its words.
        static func skip(_ reader: inout ByteReader) throws(MalformedData) -> Int {
            let wordCount = try reader.varint(atMost: Int(UInt32.max))
            let number = wordCount == 0 ? 0 : (wordCount - 1) / WordStarts.stride
            guard number <= reader.remaining else { throw MalformedData() }
            for _ in 0..<(2 * number) { _ = try reader.varint() }
            _ = try reader.prefixed()
            return wordCount
        }

        /// The location of a word.
        ///
        /// Complexity: constant on average when words ascend, at most 512 steps otherwise.
        mutating func start(ofWord word: Int) throws(MalformedData) -> Int {
            guard word >= 0, word < wordCount else { throw MalformedData() }
            if word < nextWord || word >= nextWord + WordStarts.stride {
                let checkpoint = word / WordStarts.stride
                nextWord = checkpoint * WordStarts.stride
                nibble = checkpoints[checkpoint].nibble
                location = checkpoints[checkpoint].start
            }
            while nextWord <= word {
                var gap = Int64(try next())
                if gap == 15 {
                    var shift: Int64 = 0
                    var part = try next()
                    while part >= 8 {
                        guard shift < 36 else { throw MalformedData() }
                        gap += Int64(part & 7) << shift
                        shift += 3
                        part = try next()
                    }
                    gap = part == 0 && shift > 0 ? -1 : gap + Int64(part) << shift
                }
                location += gap + 1
                nextWord += 1
            }
            return Int(location)
        }

        private mutating func next() throws(MalformedData) -> UInt8 {
            guard nibble >= 0, nibble >> 1 < nibbles.count else { throw MalformedData() }
            let byte = nibbles[nibbles.startIndex + nibble >> 1]
            defer { nibble += 1 }
            return nibble & 1 == 0 ? byte & 15 : byte >> 4
        }
    }
}
