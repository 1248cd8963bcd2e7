/// The words of one string whose folding moved offsets (ß → ss, é written as e and a mark …): for each, how
/// many bytes of the term and how many UTF-16 units of the text every character gave.
///
/// Stored form, a word: the distance from the irregular word before it, the number of characters, and for each
/// the two lengths, all varints.
struct IrregularWords {
    private var maps: [Int: [(folded: Int, utf16: Int)]] = [:]

    static func encode(
        _ word: Int, after previous: Int, _ fold: borrowing FoldedWord,
        into output: inout Buffer<UInt8>
    ) {
        output.appendVarint(word - previous)
        output.appendVarint(fold.clusters.count)
        for cluster in fold.clusters {
            output.appendVarint(Int(cluster.foldedLength))
            output.appendVarint(Int(cluster.utf16Length))
        }
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        var word = -1
        while !reader.isAtEnd {
            word += try reader.varint(atMost: Int(UInt32.max))
            let count = try reader.varint(atMost: reader.remaining)
            var map: [(folded: Int, utf16: Int)] = []
            map.reserveCapacity(count)
            for _ in 0..<count {
                let folded = try reader.varint(atMost: 1 << 20)
                map.append((folded, try reader.varint(atMost: Int(UInt32.max))))
            }
            maps[word] = map
        }
    }

    /// The UTF-16 range, from the start of the word, of the whole characters that gave the bytes `range` of its
    /// term; nil when the word is regular.
    func utf16Range(ofWord word: Int, termBytes range: Range<Int>) -> Range<Int>? {
        guard let map = maps[word] else { return nil }
        var folded = 0
        var utf16 = 0
        var lower: Int?
        var upper = 0
        for cluster in map {
            let end = folded + cluster.folded
            if cluster.folded > 0, folded < range.upperBound, end > range.lowerBound {
                if lower == nil { lower = utf16 }
                upper = utf16 + cluster.utf16
            }
            folded = end
            utf16 += cluster.utf16
        }
        guard let lower else { return 0..<utf16 }
        return lower..<upper
    }
}
