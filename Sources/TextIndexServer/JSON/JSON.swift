/// A JSON value, to be written or as it was read.
///
/// Answers are built of it and not of `Encodable` types: members stay in their order, and it is
/// written straight into bytes.
enum JSON: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    /// Members in the order in which they are written; those that are nil are left out.
    case object([(name: String, value: JSON)])
    /// What was written as JSON already.
    case encoded([UInt8])

    /// An object without those of its members that are nil.
    static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The object with some more members, but for those that are nil.
    func adding(_ more: KeyValuePairs<String, JSON?>) -> JSON {
        guard case .object(let members) = self, case .object(let others) = Self.members(more)
        else { return self }
        return .object(members + others)
    }

    static func optional(_ text: String?) -> JSON? { text.map { .string($0) } }

    /// A UTF-8 text of it.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4096)
        write(to: &bytes)
        return bytes
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .int(let value): bytes += String(value).utf8
        case .number(let value): Self.write(value, to: &bytes)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (place, value) in values.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .encoded(let other): bytes += other
        }
    }

    private static func write(_ value: Double, to bytes: inout [UInt8]) {
        if value.isNaN {
            bytes += "\"NaN\"".utf8
        } else if value.isInfinite {
            // JSON has no word for it.
            bytes += (value < 0 ? "\"-Infinity\"" : "\"Infinity\"").utf8
        } else if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
            bytes += String(whole).utf8
        } else {
            bytes += "\(value)".utf8
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            var start = 0
            for (place, byte) in source.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes += source[start..<place]
                escape(byte, to: &bytes)
                start = place + 1
            }
            bytes += source[start...]
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes += "\\\"".utf8
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case 0x0A: bytes += "\\n".utf8
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes += "\\u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}

extension JSON {
    /// How many values it holds, itself among them.
    var valueCount: Int {
        switch self {
        case .array(let values): values.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
}
