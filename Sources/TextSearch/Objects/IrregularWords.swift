/// The words of one string whose folding moved offsets (ß → ss, é written as e and a mark …), or that a filter changed: for each, how
/// many bytes of the term and how many UTF-16 units of the text every character gave.
///
/// Stored form, a place: the distance from the place before it, at least 1; the number of characters of its word, 0 when that is regular;
/// for each character the two lengths. Then for each further term of the place whose characters are not the first ones of the word: 0;
/// the term, length first; the number of its characters, 0 when it is regular; for each the two lengths. Numbers are varints.
struct IrregularWords {
    private typealias Map = [(folded: Int, utf16: Int)]

    /// Of places; those whose word is regular have none.
    private var maps: [Int: Map] = [:]
    /// Of further terms that have their own.
    private var alternatives: [Int: [(term: [UInt8], map: Map)]] = [:]

    static func encode(
        _ word: Int, after previous: Int, _ fold: borrowing FoldedWord,
        into output: inout Buffer<UInt8>
    ) {
        output.appendVarint(word - previous)
        encodeMap(fold, into: &output)
    }

    /// A further term of the place that was encoded last.
    static func encodeAlternative(
        _ fold: borrowing FoldedWord, into output: inout Buffer<UInt8>
    ) {
        output.appendVarint(0)
        output.appendPrefixed(fold.bytes)
        encodeMap(fold, into: &output)
    }

    private static func encodeMap(
        _ fold: borrowing FoldedWord, into output: inout Buffer<UInt8>
    ) {
        guard !fold.isRegular else { return output.appendVarint(0) }
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
            let distance = try reader.varint(atMost: Int(UInt32.max))
            if distance > 0 {
                word += distance
                let map = try Self.map(&reader)
                if !map.isEmpty { maps[word] = map }
            } else {
                let term = Array(try reader.prefixed())
                alternatives[word, default: []].append((term, try Self.map(&reader)))
            }
        }
    }

    private static func map(_ reader: inout ByteReader) throws(MalformedData) -> Map {
        let count = try reader.varint(atMost: reader.remaining)
        var map: Map = []
        map.reserveCapacity(count)
        for _ in 0..<count {
            let folded = try reader.varint(atMost: 1 << 20)
            map.append((folded, try reader.varint(atMost: Int(UInt32.max))))
        }
        return map
    }

    /// The UTF-16 range, from the start of the word, of the whole characters that gave the bytes `range` of a
    /// term; nil when they follow from the term.
    func utf16Range(
        ofWord word: Int, term: UnsafeBufferPointer<UInt8>, bytes range: Range<Int>
    ) -> Range<Int>? {
        let own = alternatives[word]?.first { $0.term.elementsEqual(term) }
        guard let map = own?.map ?? maps[word], !map.isEmpty else { return nil }
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
