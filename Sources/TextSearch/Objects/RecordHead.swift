import Foundation

/// Who an object is, its weight, context and attributes.
struct RecordHead: Sendable {
    let identifier: Data
    let weight: Double
    let context: [String: ContextValue]
    let attributes: [String: AttributeValue]
    /// How many bytes it takes of the stored form.
    let byteCount: Int
}

extension RecordHead {
    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        try self.init(&reader)
    }

    /// Reads up to the strings' words.
    init(_ reader: inout ByteReader) throws(MalformedData) {
        identifier = try ObjectRecord.begin(&reader).identifier
        weight =
            try reader.byte() == 0 ? 0 : Double(bitPattern: try reader.littleEndian64())
        context = try Self.decode(try reader.prefixed())
        attributes = try Self.attributes(try reader.prefixed())
        byteCount = reader.offset
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
