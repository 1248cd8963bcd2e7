import Foundation

/// A single attribute value as columns hold it: bytes that are equal where values are, and in their
/// order; strings have theirs by ``CollationKeys``.
///
/// Stored form: a byte of kind, then nothing for booleans; for numbers and dates (seconds since
/// 2001-01-01 UTC) the bits of the double, big-endian, those of negative ones inverted and the sign
/// of others set, without the zero bytes at the end; the UTF-8 of strings. There is one NaN and one
/// zero. Strings that are equal only by canonical equivalence are different bytes.
enum ColumnValue {
    /// Stored; never renumber.
    enum Kind: UInt8 {
        case no = 1
        case yes = 2
        case number = 3
        case date = 4
        case string = 5
    }

    /// Appends a value that is no array.
    static func append(_ value: AttributeValue, to output: inout Buffer<UInt8>) {
        switch value {
        case .bool(let value): output.append((value ? Kind.yes : .no).rawValue)
        case .number(let value): append(value, .number, to: &output)
        case .date(let value): append(value.timeIntervalSinceReferenceDate, .date, to: &output)
        case .string(let value):
            output.append(Kind.string.rawValue)
            output.append(bytes: Array(value.utf8))
        case .array: break
        }
    }

    @inline(__always)
    static func append(_ number: Double, _ kind: Kind, to output: inout Buffer<UInt8>) {
        let canonical = number.isNaN ? Double.nan : number == 0 ? 0 : number
        let bits = canonical.bitPattern
        var key = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        output.append(kind.rawValue)
        while key != 0 {
            output.append(UInt8(truncatingIfNeeded: key >> 56))
            key <<= 8
        }
    }

    /// The number of one that is a number or a date.
    @inline(__always)
    private static func number(_ bytes: UnsafeRawBufferPointer.SubSequence) -> Double {
        var key: UInt64 = 0
        var shift: UInt64 = 56
        for byte in bytes.prefix(8) {
            key |= UInt64(byte) << shift
            shift = shift &- 8
        }
        return Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
    }

    /// The value; nil for what no value gives.
    static func value(_ bytes: UnsafeRawBufferPointer) -> AttributeValue? {
        guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
        let rest = bytes.dropFirst()
        switch kind {
        case .no: return rest.isEmpty ? .bool(false) : nil
        case .yes: return rest.isEmpty ? .bool(true) : nil
        case .number: return rest.count <= 8 ? .number(number(rest)) : nil
        case .date:
            return rest.count <= 8
                ? .date(Date(timeIntervalSinceReferenceDate: number(rest))) : nil
        case .string: return String(validating: rest, as: UTF8.self).map { .string($0) }
        }
    }
}

/// Attributes of an object as its record holds them, read without making values of them.
///
/// See `ContextValue` for the stored form.
enum AttributeBytes {
    /// Calls `body` with each name and the stored form of its value.
    static func forEach(
        _ stored: UnsafeRawBufferPointer,
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard !stored.isEmpty else { return }
        var reader = ByteReader(stored)
        guard try reader.byte() == 9 else { throw MalformedData() }
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            let name = try reader.prefixed()
            let start = reader.offset
            try skipValue(&reader)
            let value = UnsafeRawBufferPointer(rebasing: stored[start..<reader.offset])
            // What is no attribute's value is passed over, as by `AttributeValue(context:)`.
            if let tag = value.first, tag != 0, tag != 3, tag != 6 { try body(name, value) }
        }
    }

    private static func skipValue(_ reader: inout ByteReader) throws(MalformedData) {
        var pending = 1
        while pending > 0 {
            pending -= 1
            switch try reader.byte() {
            case 0, 1, 2: break
            case 3: _ = try reader.varint()
            case 4, 7: _ = try reader.slice(8)
            case 5, 6: _ = try reader.prefixed()
            case 8: pending += try reader.varint(atMost: reader.remaining)
            default: throw MalformedData()
            }
        }
    }

    /// Calls `body` with the column form of each value that an attribute holds, members of arrays
    /// one by one.
    static func forEachScalar(
        in value: UnsafeRawBufferPointer, scratch: inout Buffer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(MalformedData) {
        var reader = ByteReader(value)
        while !reader.isAtEnd {
            let tag = try reader.byte()
            scratch.removeAll()
            switch tag {
            case 1, 2: scratch.append(tag)
            case 4, 7:
                let number = Double(bitPattern: try reader.littleEndian64())
                ColumnValue.append(number, tag == 4 ? .number : .date, to: &scratch)
            case 5:
                scratch.append(ColumnValue.Kind.string.rawValue)
                scratch.append(bytes: try reader.prefixed())
            case 0: continue
            case 3:
                _ = try reader.varint()
                continue
            case 6:
                _ = try reader.prefixed()
                continue
            // Arrays lie flat one in another.
            case 8:
                _ = try reader.varint()
                continue
            default: throw MalformedData()
            }
            scratch.withElements { body($0) }
        }
    }
}
