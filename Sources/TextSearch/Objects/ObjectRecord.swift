import Foundation

/// What the index keeps of one document beside its postings: who it is, its weight and context, and where
/// its words are.
///
/// Stored form (`o` table): format byte 1; identifier, length first; a byte that says whether the weight is
/// there; the weight's bit pattern, eight bytes; context and attributes, each length first; the number of
/// strings; for each string its word starts and its irregular words, the latter length first.
struct ObjectRecord {
    static let format: UInt8 = 1

    let head: RecordHead
    private(set) var starts: [WordStarts.Reader]
    private let irregular: [IrregularWords]

    /// Writes all but the strings' words.
    ///
    /// - Returns: The stored form of the attributes; nothing where there are none.
    @discardableResult
    static func encodeHead(
        identifier: UnsafeBufferPointer<UInt8>, object: IndexedObject,
        into output: inout Buffer<UInt8>
    ) -> [UInt8] {
        output.append(format)
        output.appendVarint(identifier.count)
        output.append(contentsOf: identifier)
        let hasWeight = object.weight.bitPattern != 0
        output.append(hasWeight ? 1 : 0)
        if hasWeight { output.appendLittleEndian(object.weight.bitPattern) }
        let attributes =
            object.attributes.isEmpty ? [] : encoded(object.attributes.mapValues(\.asContext))
        output.appendPrefixed(encoded(object.context))
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
        var reader = ByteReader(bytes)
        head = try RecordHead(&reader)
        let count = try reader.varint(atMost: reader.remaining)
        var starts: [WordStarts.Reader] = []
        var irregular: [IrregularWords] = []
        starts.reserveCapacity(count)
        for _ in 0..<count {
            starts.append(try WordStarts.Reader(&reader))
            irregular.append(try IrregularWords(try reader.prefixed()))
        }
        self.starts = starts
        self.irregular = irregular
    }

    /// Only the identifier: what look-ups and iteration need.
    static func identifier(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) -> Data {
        var reader = ByteReader(bytes)
        guard try reader.byte() == format else { throw MalformedData() }
        return Data(try reader.prefixed())
    }

    var identifier: Data { head.identifier }
    var weight: Double { head.weight }
    var context: [String: ContextValue] { head.context }
    var attributes: [String: AttributeValue] { head.attributes }
    var stringCount: Int { starts.count }

    /// Where a match lies in its string.
    ///
    /// `range` are the bytes of `term` that match; given are the UTF-16 location of the word, and the UTF-16 range of the
    /// match from there, widened to whole characters.
    mutating func location(
        string: Int, word: Int, term: UnsafeBufferPointer<UInt8>, bytes range: Range<Int>
    ) throws(MalformedData) -> (word: Int, match: Range<Int>) {
        guard string >= 0, string < starts.count else { throw MalformedData() }
        let start = try starts[string].start(ofWord: word)
        if let mapped = irregular[string].utf16Range(
            ofWord: word, term: term, bytes: range)
        {
            return (start, mapped)
        }
        return (start, TermRange.utf16(of: range, in: term))
    }
}

extension RecordHead {
    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        try self.init(&reader)
    }

    /// Reads up to the strings' words.
    init(_ reader: inout ByteReader) throws(MalformedData) {
        guard try reader.byte() == ObjectRecord.format else { throw MalformedData() }
        identifier = Data(try reader.prefixed())
        weight =
            try reader.byte() == 0 ? 0 : Double(bitPattern: try reader.littleEndian64())
        context = try Self.decode(try reader.prefixed())
        attributes = try Self.attributes(try reader.prefixed())
    }

    /// Attributes by their stored form.
    static func attributes(
        _ bytes: UnsafeRawBufferPointer
    ) throws(MalformedData) -> [String: AttributeValue] {
        try decode(bytes).compactMapValues(AttributeValue.init(context:))
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(MalformedData) -> [String: ContextValue] {
        guard !bytes.isEmpty else { return [:] }
        do {
            var reader = ByteSliceReader(Array(bytes))
            guard case .dictionary(let values) = try ContextValue(decoding: &reader) else {
                throw MalformedData()
            }
            return values
        } catch {
            throw MalformedData()
        }
    }
}
