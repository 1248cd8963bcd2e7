/// Reads one JSON object (RFC 8259) from a line, keeping only the members that are asked for.
///
/// Foundation's parsers build everything in the line and turn large numbers into floating point; an
/// identifier such as 12345678901234567890 must stay as it is written.
/// Complexity: O(n). Memory: the members that are kept. Never recurses deeper than ``deepest``.
struct JSONScanner {
    /// A member's value, as far as it can become text.
    enum Value: Equatable {
        case string(String)
        /// A number as it is written.
        case number(String)
        case boolean(Bool)
        case null
        /// The strings, numbers and truth values of an array.
        case array([Value])
        case object

        /// The strings and numbers in it, as they are written.
        var texts: [String] {
            switch self {
            case .string(let text), .number(let text): [text]
            case .array(let values): values.flatMap(\.texts)
            case .boolean, .null, .object: []
            }
        }

        /// The values of an array, or itself; none of `null` and of objects.
        fileprivate var scalars: [Value] {
            switch self {
            case .string, .number, .boolean: [self]
            case .array(let values): values
            case .null, .object: []
            }
        }
    }

    /// Why the line is not what it should be, and where (in bytes, from 1).
    struct Failure: Error, Equatable {
        let reason: String
        let column: Int
    }

    private static let deepest = 512

    private let bytes: [UInt8]
    private var position = 0
    /// Whether something had to become U+FFFD: invalid UTF-8, or half of a surrogate pair.
    private(set) var isRepaired = false
    /// The name of the first member of the line that is not kept.
    private(set) var unkeptName: String?
    /// The members of objects in the line that are kept.
    private var nested: [String: Value] = [:]
    /// The values of those that were met more than once.
    private var repeated: [String: [Value]] = [:]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the object.
    ///
    /// - Parameter keys: the members to keep. `a.b` is the member `b` of the object `a`, or of the
    ///   objects in the array `a`; a member whose name is `a.b` comes before it.
    /// - Returns: those of them that are there; the last one, where a name is used twice, and the
    ///   values of all, where it is one in an object.
    /// - Throws: ``Failure`` when the line is anything but one JSON object.
    mutating func object(keeping keys: Set<String>) throws(Failure) -> [String: Value] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        guard peek == UInt8(ascii: "{") else { throw failure("expected a JSON object") }
        var members: [String: Value] = [:]
        let paths = NestedKeys(keys)
        try container(closedBy: UInt8(ascii: "}")) { scanner throws(Failure) in
            let key = try scanner.memberName()
            if scanner.unkeptName == nil, !keys.contains(key), !paths.outer.contains(key) {
                scanner.unkeptName = key
            }
            if paths.outer.contains(key), !key.contains(".") {
                try scanner.member(key, depth: 1, paths)
            } else if let value = try scanner.value(depth: 1, isKept: keys.contains(key)) {
                members[key] = value
            }
        }
        for (path, values) in repeated { nested[path] = .array(values) }
        members.merge(nested) { named, _ in named }
        skipSpace()
        guard position == bytes.count else { throw failure("text after the JSON object") }
        return members
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ reason: String) -> Failure {
        Failure(
            reason: position < bytes.count ? reason : "\(reason), the line ends",
            column: position + 1)
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            position += 1
        }
    }

    /// Reads the elements of an array or object whose opening bracket is next.
    private mutating func container(
        closedBy end: UInt8, _ element: (inout JSONScanner) throws(Failure) -> Void
    ) throws(Failure) {
        position += 1
        skipSpace()
        if peek == end {
            position += 1
            return
        }
        while true {
            try element(&self)
            skipSpace()
            if peek == UInt8(ascii: ",") {
                position += 1
                skipSpace()
            } else if peek == end {
                position += 1
                return
            } else {
                throw failure("expected , or \(Character(Unicode.Scalar(end)))")
            }
        }
    }

    private mutating func memberName() throws(Failure) -> String {
        guard peek == UInt8(ascii: "\"") else { throw failure("expected the name of a member") }
        let name = try string(isKept: true) ?? ""
        skipSpace()
        guard peek == UInt8(ascii: ":") else { throw failure("expected :") }
        position += 1
        return name
    }

    private mutating func value(depth: Int, isKept: Bool) throws(Failure) -> Value? {
        guard depth <= Self.deepest else { throw failure("nested too deep") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""):
            return try string(isKept: isKept).map(Value.string)
        case UInt8(ascii: "{"):
            try container(closedBy: UInt8(ascii: "}")) { scanner throws(Failure) in
                _ = try scanner.memberName()
                _ = try scanner.value(depth: depth + 1, isKept: false)
            }
            return isKept ? .object : nil
        case UInt8(ascii: "["):
            var values: [Value] = []
            try container(closedBy: UInt8(ascii: "]")) { scanner throws(Failure) in
                // Arrays and objects within it are not taken.
                guard let value = try scanner.value(depth: depth + 1, isKept: isKept) else {
                    return
                }
                if case .array = value { return }
                values += value.scalars
            }
            return isKept ? .array(values) : nil
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default:
            let text = try number()
            return isKept ? .number(text) : nil
        }
    }

    /// Which members of objects to keep, by their paths.
    private struct NestedKeys {
        let kept: Set<String>
        /// The paths of the objects that they are in.
        let outer: Set<String>

        init(_ keys: Set<String>) {
            kept = keys
            var outer: Set<String> = []
            for key in keys {
                var path = key[...]
                while let dot = path.lastIndex(of: ".") {
                    path = path[..<dot]
                    outer.insert(String(path))
                }
            }
            self.outer = outer
        }
    }

    /// Reads a value of which members of objects are kept.
    private mutating func member(
        _ path: String, depth: Int, _ keys: NestedKeys
    ) throws(Failure) {
        guard depth <= Self.deepest else { throw failure("nested too deep") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{") where keys.outer.contains(path):
            if keys.kept.contains(path), nested[path] == nil { nested[path] = .object }
            try container(closedBy: UInt8(ascii: "}")) { scanner throws(Failure) in
                let name = try scanner.memberName()
                try scanner.member("\(path).\(name)", depth: depth + 1, keys)
            }
        case UInt8(ascii: "[") where keys.outer.contains(path):
            try container(closedBy: UInt8(ascii: "]")) { scanner throws(Failure) in
                try scanner.member(path, depth: depth + 1, keys)
            }
        default:
            if let value = try value(depth: depth, isKept: keys.kept.contains(path)) {
                keep(value, at: path)
            }
        }
    }

    private mutating func keep(_ value: Value, at path: String) {
        guard let first = nested[path] else { return nested[path] = value }
        repeated[path, default: first.scalars] += value.scalars
    }

    private mutating func word(_ text: StaticString, _ value: Value) throws(Failure) -> Value {
        let expected = Array(text.description.utf8)
        guard bytes[position...].starts(with: expected) else { throw failure("expected a value") }
        position += expected.count
        return value
    }

    private mutating func number() throws(Failure) -> String {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let first = position
        guard digits() > 0 else { throw failure("expected a value") }
        if bytes[first] == UInt8(ascii: "0") && position > first + 1 {
            throw failure("a number begins with 0")
        }
        if peek == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { throw failure("expected a digit") }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { throw failure("expected a digit") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
            position += 1
        }
        return position - start
    }
}

// MARK: - Strings

extension JSONScanner {
    /// Reads a string whose quotation mark is next; nil when it need not be kept.
    private mutating func string(isKept: Bool) throws(Failure) -> String? {
        position += 1
        let start = position
        plainRun()
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return isKept ? text(bytes[start..<position]) : nil
        }
        var unescaped = Array(bytes[start..<position])
        while true {
            switch peek {
            case UInt8(ascii: "\""):
                position += 1
                return isKept ? text(unescaped[...]) : nil
            case UInt8(ascii: "\\"):
                try escape(into: &unescaped)
            case nil:
                throw failure("a string is not closed")
            default:
                throw failure("a control character in a string")
            }
            let run = position
            plainRun()
            unescaped.append(contentsOf: bytes[run..<position])
        }
    }

    /// Moves over bytes that stand for themselves.
    private mutating func plainRun() {
        var next = position
        while next < bytes.count {
            let byte = bytes[next]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            next += 1
        }
        position = next
    }

    private mutating func text(_ utf8: ArraySlice<UInt8>) -> String {
        if let text = String(validating: utf8, as: UTF8.self) { return text }
        isRepaired = true
        return String(decoding: utf8, as: UTF8.self)
    }

    private mutating func escape(into utf8: inout [UInt8]) throws(Failure) {
        position += 1
        let letter = peek
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            utf8.append(letter ?? 0)
        case UInt8(ascii: "b"): utf8.append(0x08)
        case UInt8(ascii: "f"): utf8.append(0x0C)
        case UInt8(ascii: "n"): utf8.append(0x0A)
        case UInt8(ascii: "r"): utf8.append(0x0D)
        case UInt8(ascii: "t"): utf8.append(0x09)
        case UInt8(ascii: "u"):
            utf8.append(contentsOf: String(try escapedScalar()).utf8)
        default:
            position = min(position - 1, bytes.count)
            throw failure("an unknown escape in a string")
        }
    }

    /// Reads what follows `\u`, and the second half of a surrogate pair.
    private mutating func escapedScalar() throws(Failure) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let next = position
        if unit < 0xDC00, bytes[next...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            position += 2
            let second = try hexadecimal()
            if (0xDC00...0xDFFF).contains(second) {
                let code = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                return Unicode.Scalar(code) ?? "\u{FFFD}"
            }
            position = next
        }
        isRepaired = true
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(Failure) -> UInt16 {
        guard bytes.count - position >= 4,
            let unit = UInt16(
                String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
            bytes[position] != UInt8(ascii: "+")
        else { throw failure("expected four hexadecimal digits") }
        position += 4
        return unit
    }
}
