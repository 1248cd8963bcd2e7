/// The words of one string whose folding moved offsets (ß → ss, é written as e and a mark …), or
/// that a filter changed: for each, how many bytes of the term and how many UTF-16 units of the
/// text every character gave.
///
/// Stored form, a place: the distance from the place before it, at least 1; the number of
/// characters of its word, 0 when that is regular; for each character the two lengths. Then for
/// each further term of the place whose characters are not the first ones of the word: 0; the term,
/// length first; the number of its characters, 0 when it is regular; for each the two lengths.
/// Numbers are varints.
///
/// It is read where somebody asks for a place, from the last of the places before it that are
/// known.
struct IrregularWords {
    private typealias Map = [(folded: Int, utf16: Int)]

    private let bytes: ArraySlice<UInt8>
    /// Of every 64th place, the place before it, and where its entry begins.
    private var known: [(before: Int, offset: Int)] = []
    private static let stride = 64

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

    /// Checks all of it, and keeps where some places are.
    init(_ bytes: ArraySlice<UInt8>) throws(MalformedData) {
        self.bytes = bytes
        known = try bytes.withUnsafeBytes { bytes in
            Result { () throws(MalformedData) in try Self.places(bytes) }
        }.get()
    }

    private static func places(
        _ bytes: UnsafeRawBufferPointer
    ) throws(MalformedData) -> [(before: Int, offset: Int)] {
        var reader = ByteReader(bytes)
        var known: [(before: Int, offset: Int)] = []
        var (word, count) = (-1, 0)
        while !reader.isAtEnd {
            let start = reader.offset
            let distance = try reader.varint(atMost: Int(UInt32.max))
            if distance > 0 {
                if count % stride == 0 { known.append((word, start)) }
                count += 1
                word += distance
            } else {
                _ = try reader.prefixed()
            }
            try forEachCharacter(&reader) { _, _ in }
        }
        return known
    }

    private static func forEachCharacter(
        _ reader: inout ByteReader, _ body: (_ folded: Int, _ utf16: Int) -> Void
    ) throws(MalformedData) {
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            let folded = try reader.varint(atMost: 1 << 20)
            body(folded, try reader.varint(atMost: Int(UInt32.max)))
        }
    }

    /// The lengths of a word's characters, by those of its own term; empty where they follow from
    /// the term.
    private func map(ofWord word: Int, term: UnsafeBufferPointer<UInt8>) -> Map {
        let place = known.firstPlace { $0.before >= word } - 1
        guard place >= 0 else { return [] }
        return bytes.withUnsafeBytes { bytes in
            // All of it was checked.
            (try? Self.map(ofWord: word, term, after: known[place], bytes)) ?? []
        }
    }

    private static func map(
        ofWord word: Int, _ term: UnsafeBufferPointer<UInt8>,
        after known: (before: Int, offset: Int), _ bytes: UnsafeRawBufferPointer
    ) throws(MalformedData) -> Map {
        var reader = try ByteReader(bytes, at: known.offset)
        var (current, map) = (known.before, Map())
        while !reader.isAtEnd {
            let distance = try reader.varint(atMost: Int(UInt32.max))
            current += distance
            if current > word { break }
            // A term of its own comes before what the word has.
            let isOwn = distance > 0 ? false : try reader.prefixed().elementsEqual(term)
            var found = Map()
            try forEachCharacter(&reader) {
                if current == word, isOwn || distance > 0 { found.append(($0, $1)) }
            }
            if isOwn, current == word { return found }
            if current == word, distance > 0 { map = found }
        }
        return map
    }

    /// The UTF-16 range, from the start of the word, of the whole characters that gave the bytes
    /// `range` of a term; nil when they follow from the term.
    ///
    /// Complexity: constant, but for the characters of 64 words.
    func utf16Range(
        ofWord word: Int, term: UnsafeBufferPointer<UInt8>, bytes range: Range<Int>
    ) -> Range<Int>? {
        guard !known.isEmpty else { return nil }
        let map = map(ofWord: word, term: term)
        guard !map.isEmpty else { return nil }
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
