internal import Foundation

// The stored form, a tag byte and its payload:
//
//     0 null
//     1 false                2 true
//     3 int        varint, zigzag
//     4 double     8 bytes, lowest first
//     5 string     varint length, UTF-8
//     6 data       varint length, bytes
//     7 date       8 bytes, lowest first: a double, seconds since 2001-01-01 UTC
//     8 array      varint count, values
//     9 dictionary varint count, (varint length, UTF-8, value) in order of the keys' bytes
//
// Stored; never renumber. Equal values have equal bytes (NaNs and zeros apart).
extension ContextValue {
    /// How deeply arrays and dictionaries may nest in the stored form.
    static let maximumDepth = 64

    /// Appends the stored form.
    ///
    /// What nests deeper than ``maximumDepth`` is stored as ``null``: check ``depth`` first where
    /// that must be an error.
    func encode(into bytes: inout [UInt8]) { encode(into: &bytes, depth: 1) }

    /// How deeply the value nests: 1 for one that holds no others.
    var depth: Int { depth(limit: Self.maximumDepth + 1) }

    private func depth(limit: Int) -> Int {
        guard limit > 1 else { return 1 }
        switch self {
        case .array(let values):
            return 1 + (values.map { $0.depth(limit: limit - 1) }.max() ?? 0)
        case .dictionary(let values):
            return 1 + (values.values.map { $0.depth(limit: limit - 1) }.max() ?? 0)
        default: return 1
        }
    }

    private func encode(into bytes: inout [UInt8], depth: Int) {
        if depth == Self.maximumDepth, self.depth > 1 { return bytes.append(0) }
        switch self {
        case .null: bytes.append(0)
        case .bool(let value): bytes.append(value ? 2 : 1)
        case .int(let value):
            bytes.append(3)
            Self.appendVarint(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
        case .double(let value):
            bytes.append(4)
            Self.appendFixed64(value.bitPattern, to: &bytes)
        case .string(let value):
            bytes.append(5)
            Self.appendString(value, to: &bytes)
        case .data(let value):
            bytes.append(6)
            Self.appendVarint(UInt64(value.count), to: &bytes)
            bytes.append(contentsOf: value)
        case .date(let value):
            bytes.append(7)
            Self.appendFixed64(value.timeIntervalSinceReferenceDate.bitPattern, to: &bytes)
        case .array(let values):
            bytes.append(8)
            Self.appendVarint(UInt64(values.count), to: &bytes)
            for value in values { value.encode(into: &bytes, depth: depth + 1) }
        case .dictionary(let values):
            bytes.append(9)
            Self.appendVarint(UInt64(values.count), to: &bytes)
            let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (key, value) in sorted {
                Self.appendString(key, to: &bytes)
                value.encode(into: &bytes, depth: depth + 1)
            }
        }
    }

    /// Reads a stored value and leaves the reader after it.
    init(decoding reader: inout ByteSliceReader) throws(ByteSliceReader.Malformed) {
        try self.init(decoding: &reader, depth: 1)
    }

    private init(
        decoding reader: inout ByteSliceReader, depth: Int
    ) throws(ByteSliceReader.Malformed) {
        guard depth <= Self.maximumDepth else { throw reader.malformed(.tooDeep) }
        switch try reader.readByte() {
        case 0: self = .null
        case 1: self = .bool(false)
        case 2: self = .bool(true)
        case 3:
            let zigzag = try reader.readVarint()
            self = .int(Int64(bitPattern: zigzag >> 1 ^ (0 &- (zigzag & 1))))
        case 4: self = .double(Double(bitPattern: try reader.readFixed64()))
        case 5: self = .string(try reader.readString())
        case 6:
            let length = try reader.readLength()
            self = .data(Data(try reader.readBytes(length)))
        case 7:
            let seconds = Double(bitPattern: try reader.readFixed64())
            self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case 8:
            // A member takes at least a byte, so the count is bounded by what is left.
            let count = try reader.readLength()
            var values: [ContextValue] = []
            for _ in 0..<count { values.append(try .init(decoding: &reader, depth: depth + 1)) }
            self = .array(values)
        case 9:
            let count = try reader.readLength()
            var values: [String: ContextValue] = [:]
            for _ in 0..<count {
                let key = try reader.readString()
                values[key] = try .init(decoding: &reader, depth: depth + 1)
            }
            self = .dictionary(values)
        default: throw reader.malformed(.badTag)
        }
    }

    private static func appendString(_ string: String, to bytes: inout [UInt8]) {
        appendVarint(UInt64(string.utf8.count), to: &bytes)
        bytes.append(contentsOf: string.utf8)
    }

    private static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    private static func appendFixed64(_ value: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
