extension QueryText {
    /// Reads `"…"` with plain quotes and moves past it, or returns nil.
    func string(at position: inout Int) -> String? {
        guard self[position] == UInt8(ascii: "\"") else { return nil }
        let start = position
        position += 1
        var value: [UInt8] = []
        while position < count {
            switch self[position] {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\") where isEscape(at: position):
                let end = position + 1 + scalarLength(at: position + 1)
                value.append(contentsOf: bytes[position + 1..<end])
                position = end
            default:
                value.append(self[position])
                position += 1
            }
        }
        position = start
        return nil
    }

    /// Reads a value without quotes and moves past it, or returns nil.
    func bareValue(at position: inout Int) -> (word: String, hasEscape: Bool)? {
        var value: [UInt8] = []
        var hasEscape = false
        let end: Set<UInt8> = [UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\"")]
        while !isBoundary(position), !end.contains(self[position]) {
            if isEscape(at: position) {
                hasEscape = true
                position += 1
                let length = scalarLength(at: position)
                value.append(contentsOf: bytes[position..<position + length])
                position += length
            } else {
                value.append(self[position])
                position += 1
            }
        }
        return value.isEmpty ? nil : (String(decoding: value, as: UTF8.self), hasEscape)
    }
}
