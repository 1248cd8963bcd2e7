/// Makes keys of texts: bytes of which the order is that of ``TextOrder``.
struct CollationKeys {
    private var reader = CollationElements()
    /// What makes room for keys.
    private var zeros: [UInt8] = []

    /// Complexity: linear in the text.
    mutating func key(of text: String) -> [UInt8] {
        var key: [UInt8] = []
        append(text, to: &key)
        return key
    }

    mutating func append(_ text: String, to key: inout [UInt8]) {
        let composed = TextOrder.composed(text)
        reader.read(composed.unicodeScalars)
        reader.appendKey(to: &key)
        key.append(contentsOf: composed.utf8)
    }

    /// The same of UTF-8 that is ASCII.
    mutating func append(ascii text: UnsafeBufferPointer<UInt8>, to key: inout [UInt8]) {
        // Two bytes of primary weight a letter, one of tertiary weight, the letter, and five zeros.
        let start = key.count
        let longest = start + 4 * text.count + 5
        if zeros.count < longest { zeros = [UInt8](repeating: 0, count: 2 * longest) }
        key.append(contentsOf: zeros[..<(longest - start)])
        var end = start
        CollationTables.shared.ascii.withUnsafeBufferPointer { elements in
            key.withUnsafeMutableBufferPointer { key in
                for byte in text {
                    let element = elements[Int(byte)]
                    key[end] = UInt8(truncatingIfNeeded: element >> 22)
                    key[end + 1] = UInt8(truncatingIfNeeded: element >> 14)
                    end += element == 0 ? 0 : 2
                }
                key[end] = 0
                key[end + 1] = 0
                end += 4
                var tertiary = end
                for byte in text {
                    let weight = elements[Int(byte)] & 0x1f
                    guard weight != 0 else { continue }
                    key[tertiary] = UInt8(truncatingIfNeeded: weight)
                    tertiary += 1
                    if weight != 2 { end = tertiary }
                }
                key[end] = 0
                end += 1
                for byte in text {
                    key[end] = byte
                    end += 1
                }
            }
        }
        key.removeLast(key.count - end)
    }
}
