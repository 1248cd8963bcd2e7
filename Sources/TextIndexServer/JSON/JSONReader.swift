/// Reads JSON (RFC 8259) into ``JSON`` in one pass.
///
/// Foundation's decoder has to be asked of each value what it is, which takes most of a second for
/// a body of a megabyte.
///
/// Complexity: linear. Never recurses deeper than ``deepest``.
struct JSONReader {
    /// The text is no JSON, or nested too deeply.
    struct Failure: Error {}

    private static let deepest = 512

    private let bytes: [UInt8]
    private var place = 0

    /// Reads a text that is one value; of members with the same name the last counts.
    static func value(of bytes: [UInt8]) throws(Failure) -> JSON {
        // What is checked once need not be checked in each string.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure() }
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.place == bytes.count else { throw Failure() }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            place += 1
        }
    }

    /// Goes past a sign, if it is next.
    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSON {
        guard depth < Self.deepest else { throw Failure() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ text: StaticString, _ value: JSON) throws(Failure) -> JSON {
        let end = place + text.utf8CodeUnitCount
        let isThere =
            end <= bytes.count
            && text.withUTF8Buffer { bytes[place..<end].elementsEqual($0) }
        guard isThere else { throw Failure() }
        place = end
        return value
    }

    // MARK: Containers

    private mutating func object(_ depth: Int) throws(Failure) -> JSON {
        place += 1
        var members: [(name: String, value: JSON)] = []
        var places: [String: Int] = [:]
        skipSpace()
        if skip("}") { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw Failure() }
            let name = try string()
            skipSpace()
            guard skip(":") else { throw Failure() }
            let value = try value(depth: depth + 1)
            if let known = places[name] {
                members[known].value = value
            } else {
                places[name] = members.count
                members.append((name, value))
            }
            skipSpace()
        } while skip(",")
        guard skip("}") else { throw Failure() }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws(Failure) -> JSON {
        place += 1
        var values: [JSON] = []
        skipSpace()
        if skip("]") { return .array([]) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while skip(",")
        guard skip("]") else { throw Failure() }
        return .array(values)
    }

    // MARK: Numbers

    private mutating func number() throws(Failure) -> JSON {
        let start = place
        _ = skip("-")
        if !skip("0") { guard skipDigits() else { throw Failure() } }
        var isWhole = true
        if skip(".") {
            isWhole = false
            guard skipDigits() else { throw Failure() }
        }
        if skip("e") || skip("E") {
            isWhole = false
            if !skip("+") { _ = skip("-") }
            guard skipDigits() else { throw Failure() }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, let number = Int(text) { return .int(number) }
        guard let number = Double(text), number.isFinite else { throw Failure() }
        return .number(number)
    }

    private mutating func skipDigits() -> Bool {
        let start = place
        while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
        return place > start
    }

    // MARK: Strings

    private mutating func string() throws(Failure) -> String {
        place += 1
        var start = place
        var text = ""
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += String(decoding: bytes[start..<place], as: UTF8.self)
                place += 1
                return text
            case UInt8(ascii: "\\"):
                text += String(decoding: bytes[start..<place], as: UTF8.self)
                place += 1
                text.unicodeScalars.append(try escaped())
                start = place
            case 0..<0x20: throw Failure()
            default: place += 1
            }
        }
        throw Failure()
    }

    /// The character behind a backslash.
    private mutating func escaped() throws(Failure) -> Unicode.Scalar {
        guard let sign = next else { throw Failure() }
        place += 1
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(sign)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw Failure()
        }
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // The second half of a surrogate pair has to follow the first.
        guard unit < 0xDC00, skip("\\"), skip("u") else { throw Failure() }
        let low = try codeUnit()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw Failure() }
        return scalar
    }

    private mutating func codeUnit() throws(Failure) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                byte < 0x80
            else { throw Failure() }
            unit = unit << 4 | UInt32(digit)
            place += 1
        }
        return unit
    }
}
