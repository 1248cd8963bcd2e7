/// Bytes that are meant to be text.
enum TextDecoding {
    /// What bytes were taken for.
    enum Encoding: Equatable {
        /// Valid UTF-8, with or without a mark.
        case utf8
        /// UTF-8 with mistakes, which became U+FFFD.
        case repaired
        /// UTF-16, as a mark says.
        case utf16
        /// UTF-16 with mistakes, which became U+FFFD.
        case repairedUTF16
        /// Windows-1252, a guess.
        case windows1252

        /// What is worth saying of it; nil for what is as it should be.
        var remark: String? {
            switch self {
            case .utf8, .utf16: nil
            case .repaired: "not valid UTF-8; replaced what cannot be read"
            case .repairedUTF16: "not valid UTF-16; replaced what cannot be read"
            case .windows1252: "not valid UTF-8; read as Windows-1252"
            }
        }
    }

    /// Decodes UTF-8; UTF-16 where a mark begins it; Windows-1252 where nothing speaks for UTF-8.
    /// What is not valid becomes U+FFFD. Marks are dropped.
    ///
    /// - Returns: the text, and what it was taken for.
    static func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, encoding: Encoding) {
        if bytes.starts(with: [0xFF, 0xFE]) {
            return utf16(bytes.dropFirst(2), lowShift: 0)
        }
        if bytes.starts(with: [0xFE, 0xFF]) {
            return utf16(bytes.dropFirst(2), lowShift: 8)
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        if let text = String(validating: body, as: UTF8.self) { return (text, .utf8) }
        if body.count == bytes.count, let text = windows1252(body) { return (text, .windows1252) }
        return (String(decoding: body, as: UTF8.self), .repaired)
    }

    /// `lowShift`: how far the first byte of a unit is shifted.
    private static func utf16(
        _ body: ArraySlice<UInt8>, lowShift: UInt16
    ) -> (text: String, encoding: Encoding) {
        var units: [UInt16] = []
        units.reserveCapacity(body.count / 2 + 1)
        var place = body.startIndex
        while place + 1 < body.endIndex {
            let first = UInt16(body[place]) << lowShift
            units.append(first | UInt16(body[place + 1]) << (8 - lowShift))
            place += 2
        }
        if place < body.endIndex { units.append(0xFFFD) }
        if place == body.endIndex, let text = String(validating: units, as: UTF16.self) {
            return (text, .utf16)
        }
        return (String(decoding: units, as: UTF16.self), .repairedUTF16)
    }

    /// The characters of 0x80 to 0x9F; 0 where there is none.
    private static let upper: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
        0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
        0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]

    /// The text, if bytes may be Windows-1252 and not rather UTF-8 with mistakes or no text:
    /// nothing controls anything.
    private static func windows1252(_ body: ArraySlice<UInt8>) -> String? {
        guard !isRatherUTF8(body) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(body.count)
        for byte in body {
            switch byte {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20..<0x7F, 0xA0...0xFF: units.append(UInt16(byte))
            case 0x80..<0xA0:
                let character = upper[Int(byte) - 0x80]
                if character == 0 { return nil }
                units.append(character)
            default: return nil
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Whether characters of several bytes in UTF-8 are at least as many as other bytes beyond
    /// ASCII.
    private static func isRatherUTF8(_ body: ArraySlice<UInt8>) -> Bool {
        var (together, alone) = (0, 0)
        var place = body.startIndex
        while place < body.endIndex {
            let byte = body[place]
            place += 1
            if byte < 0x80 { continue }
            let start = place
            let longest = min(body.endIndex, start + 3)
            while 0xC2..<0xF5 ~= byte, place < longest, 0x80..<0xC0 ~= body[place] { place += 1 }
            if place > start { together += 1 } else { alone += 1 }
        }
        return together >= alone
    }
}
