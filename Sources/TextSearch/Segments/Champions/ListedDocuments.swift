/// The documents of a segment that have a keyword, whichever is shorter: a bit each, those that have it, or those that have it not.
///
/// Stored form: a byte of form. 0: not kept. 1: a bit a document, low bits first, set for those that have it. 2: those that have it, each less
/// the one before it; 3: those that have it not.
struct ListedDocuments: Sendable, Equatable {
    private static let (notKept, bits, having, lacking): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 3)

    /// In the stored form.
    private(set) var bytes: [UInt8]

    /// Not kept.
    init() { bytes = [Self.notKept] }

    /// `documents` ascend, of a segment of `count`.
    init(_ documents: borrowing Buffer<UInt32>, of count: Int) {
        bytes =
            documents.withElements { Self.list($0, of: count, below: 1 + (count + 7) / 8) }
            ?? Self.bits(documents, of: count)
    }

    /// Those that have it or, if these are fewer, those that have not; nil where that takes so many bytes or more.
    private static func list(
        _ documents: UnsafeBufferPointer<UInt32>, of count: Int, below limit: Int
    ) -> [UInt8]? {
        let isRare = documents.count <= count / 2
        // Each takes a byte at least.
        guard (isRare ? documents.count : count - documents.count) + 1 < limit else { return nil }
        var list = Buffer<UInt8>(capacity: limit)
        list.append(isRare ? having : lacking)
        var last: UInt32 = 0
        if isRare {
            for document in documents {
                list.appendVarint(UInt64(document - last))
                last = document
            }
        } else {
            var next: UInt32 = 0
            for number in 0...documents.count {
                let end = number < documents.count ? documents[number] : UInt32(count)
                while next < end {
                    list.appendVarint(UInt64(next - last))
                    last = next
                    next += 1
                }
                next = end + 1
            }
        }
        return list.count < limit ? list.toArray() : nil
    }

    private static func bits(_ documents: borrowing Buffer<UInt32>, of count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 + (count + 7) / 8)
        bytes[0] = bits
        documents.withElements {
            for document in $0 { bytes[1 + Int(document >> 3)] |= 1 << UInt8(document & 7) }
        }
        return bytes
    }

    /// Of a segment of `count` documents, of which `documentCount` have the keyword.
    init(
        _ stored: UnsafeRawBufferPointer, of count: Int, documentCount: Int
    ) throws(MalformedData) {
        bytes = Array(stored)
        var reader = ByteReader(stored)
        let form = try reader.byte()
        switch form {
        case Self.notKept: guard reader.isAtEnd else { throw MalformedData() }
        case Self.bits:
            let bits = try reader.slice(reader.remaining)
            guard bits.count == (count + 7) / 8,
                bits.reduce(0, { $0 + $1.nonzeroBitCount }) == documentCount,
                count % 8 == 0 || (bits.last ?? 0) >> UInt8(count % 8) == 0
            else { throw MalformedData() }
        case Self.having, Self.lacking:
            var listed = 0
            var last = -1
            try Self.forEach(&reader) { (document) throws(MalformedData) in
                guard Int(document) > last, document < count else { throw MalformedData() }
                last = Int(document)
                listed += 1
            }
            guard (form == Self.having ? listed : count - listed) == documentCount else {
                throw MalformedData()
            }
        default: throw MalformedData()
        }
    }

    private static func forEach(
        _ reader: inout ByteReader, _ body: (UInt32) throws(MalformedData) -> Void
    ) throws(MalformedData) {
        var document: UInt32 = 0
        while !reader.isAtEnd {
            let (next, overflow) = document.addingReportingOverflow(try reader.uint32())
            guard !overflow else { throw MalformedData() }
            try body(next)
            document = next
        }
    }

    /// Calls `body` with each of them, ascending, by its number in the segment, which has `count` documents; false where they were not kept.
    func forEach(
        of count: Int, _ body: (UInt32) -> Void
    ) throws(MalformedData) -> Bool {
        switch bytes.first {
        case Self.bits: forEachBit(body)
        case Self.having:
            try forEachListed(body)
        case Self.lacking:
            var next: UInt32 = 0
            try forEachListed { document in
                while next < document {
                    body(next)
                    next += 1
                }
                next = document + 1
            }
            while next < count {
                body(next)
                next += 1
            }
        default: return false
        }
        return true
    }

    private func forEachBit(_ body: (UInt32) -> Void) {
        for place in bytes.indices.dropFirst() {
            var rest = bytes[place]
            while rest != 0 {
                body(UInt32((place - 1) * 8 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }

    /// How many of them are dead; `documents` are those of the segment. Nil where they were not kept.
    ///
    /// Complexity: linear in the segment's documents, a bit each, or in what is listed and, where that are those that have it not, in both.
    func deadCount(
        _ dead: Tombstones, in documents: Range<UInt32>
    ) throws(MalformedData) -> Int? {
        switch bytes.first {
        case Self.bits: return deadBits(dead, from: documents.lowerBound)
        case Self.having: return try deadListed(dead, from: documents.lowerBound)
        case Self.lacking:
            return dead.count(in: documents) - (try deadListed(dead, from: documents.lowerBound))
        default: return nil
        }
    }

    private func deadBits(_ dead: Tombstones, from first: UInt32) -> Int {
        bytes.withUnsafeBytes { bytes in
            var count = 0
            var place = 1
            var document = first
            while place < bytes.count {
                var word: UInt64 = 0
                if place + 8 <= bytes.count {
                    word = UInt64(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                } else {
                    for byte in place..<bytes.count {
                        word |= UInt64(bytes[byte]) << UInt64((byte - place) * 8)
                    }
                }
                if word != 0 { count += (word & dead.bits(from: document)).nonzeroBitCount }
                place += 8
                document &+= 64
            }
            return count
        }
    }

    private func deadListed(_ dead: Tombstones, from first: UInt32) throws(MalformedData) -> Int {
        var count = 0
        try forEachListed { document in
            if dead.contains(first &+ document) { count += 1 }
        }
        return count
    }

    private func forEachListed(_ body: (UInt32) -> Void) throws(MalformedData) {
        do {
            try bytes.withUnsafeBytes { bytes in
                var reader = try ByteReader(bytes, at: 1)
                try Self.forEach(&reader) { document in body(document) }
            }
        } catch { throw MalformedData() }
    }
}
