/// Bytes that are meant to be text.
enum TextDecoding {
    /// Decodes UTF-8; what is not valid becomes U+FFFD. A byte order mark is dropped.
    ///
    /// - Returns: the text, and whether something had to be replaced.
    static func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, isRepaired: Bool) {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        if let text = String(validating: body, as: UTF8.self) { return (text, false) }
        return (String(decoding: body, as: UTF8.self), true)
    }
}
