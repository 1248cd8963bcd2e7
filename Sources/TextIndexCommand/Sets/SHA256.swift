/// The hash of FIPS 180-4, for short texts: identifiers.
///
/// The system's libraries have none on every platform, and a package for one function would be much
/// to carry.
enum SHA256 {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]

    /// The 32 bytes of the hash. Complexity: O(n) for n bytes.
    static func digest(of text: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(text)
        let bitCount = UInt64(bytes.count) * 8
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
            0x1f83_d9ab, 0x5be0_cd19,
        ]
        for start in stride(from: 0, to: bytes.count, by: 64) {
            add(bytes[start..<start + 64], to: &state)
        }
        return state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// A mark of some texts and of their order: the first 64 bits, in hexadecimal digits.
    static func mark(of texts: [String]) -> String {
        let digest = digest(of: texts.flatMap { Array("\($0.utf8.count) \($0)\n".utf8) })
        return digest.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words: [UInt32] = []
        words.reserveCapacity(64)
        for place in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for place in 16..<64 {
            let (a, b) = (words[place - 15], words[place - 2])
            let first = turned(a, 7) ^ turned(a, 18) ^ a >> 3
            let second = turned(b, 17) ^ turned(b, 19) ^ b >> 10
            words.append(words[place - 16] &+ first &+ words[place - 7] &+ second)
        }
        var s = state
        for place in 0..<64 {
            let e = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
            let choice = s[4] & s[5] ^ ~s[4] & s[6]
            let first = s[7] &+ e &+ choice &+ constants[place] &+ words[place]
            let a = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)
            let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
            let second = a &+ majority
            s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
        }
        for place in state.indices { state[place] = state[place] &+ s[place] }
    }

    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }
}
