import Foundation

/// What the index keeps of one document beside its postings: who it is, its weight and context, and
/// where its words are.
///
/// Stored form (`o` table): format byte 2; identifier, length first; fingerprint, eight bytes; a
/// byte that says whether the weight is there; the weight's bit pattern, eight bytes; context and
/// attributes, each length first; the number of strings; for each string its word starts and its
/// irregular words, the latter length first. Format 1, of indexes that earlier versions made, is
/// the same without the fingerprint.
struct ObjectRecord {
    static let format: UInt8 = 2
    /// Without a fingerprint.
    private static let oldFormat: UInt8 = 1

    let head: RecordHead
    let stringCount: Int
    private let bytes: [UInt8]
    /// Where the first of every 32 strings begins.
    private let offsets: [Int]
    private static let stride = 32
    /// The string that was asked for last.
    private var opened: (number: Int, starts: WordStarts.Reader, irregular: IrregularWords)?

    /// Writes all but the strings' words.
    ///
    /// - Returns: The stored form of the attributes; nothing where there are none.
    @discardableResult
    static func encodeHead(
        identifier: UnsafeBufferPointer<UInt8>, object: IndexedObject,
        into output: inout Buffer<UInt8>
    ) -> [UInt8] {
        let context = encoded(object.context)
        let attributes =
            object.attributes.isEmpty ? [] : encoded(object.attributes.mapValues(\.asContext))
        output.append(format)
        output.appendVarint(identifier.count)
        output.append(contentsOf: identifier)
        output.appendLittleEndian(
            ObjectFingerprint.of(object, context: context, attributes: attributes))
        let hasWeight = object.weight.bitPattern != 0
        output.append(hasWeight ? 1 : 0)
        if hasWeight { output.appendLittleEndian(object.weight.bitPattern) }
        output.appendPrefixed(context)
        output.appendPrefixed(attributes)
        output.appendVarint(object.strings.count)
        return attributes
    }

    private static func encoded(_ values: [String: ContextValue]) -> [UInt8] {
        guard !values.isEmpty else { return [] }
        var bytes: [UInt8] = []
        ContextValue.dictionary(values).encode(into: &bytes)
        return bytes
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        try self.init(Array(bytes), head: try RecordHead(bytes))
    }

    /// A record with its words, which are read where somebody asks for some of them: there may be
    /// millions.
    ///
    /// Complexity: linear in the number of strings.
    ///
    /// - Parameters:
    ///   - bytes: the stored form.
    ///   - head: what it begins with.
    /// - Throws: `MalformedData`.
    init(_ bytes: [UInt8], head: RecordHead) throws(MalformedData) {
        self.head = head
        self.bytes = bytes
        (stringCount, offsets) = try bytes.withUnsafeBytes { raw in
            Result { () throws(MalformedData) in
                try Self.strings(ByteReader(raw, at: head.byteCount))
            }
        }.get()
    }

    private static func strings(
        _ reader: consuming ByteReader
    ) throws(MalformedData) -> (count: Int, offsets: [Int]) {
        let count = try reader.varint(atMost: reader.remaining)
        var offsets: [Int] = []
        for number in 0..<count {
            if number % stride == 0 { offsets.append(reader.offset) }
            _ = try WordStarts.Reader.skip(&reader)
            _ = try reader.prefixed()
        }
        return (count, offsets)
    }

    /// Reads where the words of a string are.
    private mutating func open(_ string: Int) throws(MalformedData) {
        if opened?.number == string { return }
        guard string >= 0, string < stringCount else { throw MalformedData() }
        let start = offsets[string / Self.stride]
        let bytes = bytes
        let found = try bytes.withUnsafeBytes { raw in
            Result { () throws(MalformedData) in
                var reader = try ByteReader(raw, at: start)
                for _ in 0..<(string % Self.stride) {
                    _ = try WordStarts.Reader.skip(&reader)
                    _ = try reader.prefixed()
                }
                return try Self.words(&reader, of: bytes)
            }
        }.get()
        opened = (string, found.starts, found.irregular)
    }

    private static func words(
        _ reader: inout ByteReader, of bytes: [UInt8]
    ) throws(MalformedData) -> (starts: WordStarts.Reader, irregular: IrregularWords) {
        let starts = try WordStarts.Reader(&reader, of: bytes)
        let irregular = try reader.prefixed().count
        let end = reader.offset
        return (starts, try IrregularWords(bytes[(end - irregular)..<end]))
    }

    /// Calls `body` with where the words of each string are, in order.
    func forEachString(
        _ body: (WordStarts.Reader) throws(MalformedData) -> Void
    ) throws(MalformedData) {
        try bytes.withUnsafeBytes { raw in
            Result { () throws(MalformedData) in
                guard let first = offsets.first else { return }
                var reader = try ByteReader(raw, at: first)
                for _ in 0..<stringCount {
                    try body(try Self.words(&reader, of: bytes).starts)
                }
            }
        }.get()
    }

    /// How many words each string has.
    var wordCounts: [Int] {
        bytes.withUnsafeBytes { raw in
            guard let first = offsets.first, var reader = try? ByteReader(raw, at: first)
            else { return [] }
            return (0..<stringCount).map { _ in
                // They were gone over when it was made.
                let count = try? WordStarts.Reader.skip(&reader)
                _ = try? reader.prefixed()
                return count ?? 0
            }
        }
    }

    /// Only the identifier: what look-ups and iteration need.
    static func identifier(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) -> Data {
        var reader = ByteReader(bytes)
        return try begin(&reader).identifier
    }

    /// Reads the identifier and the fingerprint; an old record has none.
    static func begin(
        _ reader: inout ByteReader
    ) throws(MalformedData) -> (identifier: Data, fingerprint: UInt64?) {
        let found = try reader.byte()
        guard found == format || found == oldFormat else { throw MalformedData() }
        let identifier = Data(try reader.prefixed())
        return (identifier, found == format ? try reader.littleEndian64() : nil)
    }

    /// Whether two records say the same, but for their fingerprints, which an old one has not.
    static func isSame(
        _ a: UnsafeRawBufferPointer, as b: UnsafeRawBufferPointer
    ) throws(MalformedData) -> Bool {
        var (first, second) = (ByteReader(a), ByteReader(b))
        let (one, other) = (try begin(&first), try begin(&second))
        let (rest, wanted) = (
            try first.slice(first.remaining), try second.slice(second.remaining)
        )
        return one.identifier == other.identifier && rest.elementsEqual(wanted)
    }

    /// The fingerprint that the record of an object has.
    static func fingerprint(of object: IndexedObject) -> UInt64 {
        ObjectFingerprint.of(
            object, context: encoded(object.context),
            attributes: encoded(object.attributes.mapValues(\.asContext)))
    }

    var identifier: Data { head.identifier }
    var weight: Double { head.weight }
    var context: [String: ContextValue] { head.context }
    var attributes: [String: AttributeValue] { head.attributes }

    /// Where a match lies in its string.
    ///
    /// `range` are the bytes of `term` that match; given are the UTF-16 location of the word, and
    /// the UTF-16 range of the match from there, widened to whole characters.
    mutating func location(
        string: Int, word: Int, term: UnsafeBufferPointer<UInt8>, bytes range: Range<Int>
    ) throws(MalformedData) -> (word: Int, match: Range<Int>) {
        try open(string)
        guard let start = try opened?.starts.start(ofWord: word) else { throw MalformedData() }
        if let mapped = opened?.irregular.utf16Range(ofWord: word, term: term, bytes: range) {
            return (start, mapped)
        }
        return (start, TermRange.utf16(of: range, in: term))
    }
}
