import CUnicode

/// The root collation of CLDR, from the generated tables: what each scalar weighs in the order of
/// texts.
///
/// A collation element is a primary weight of 16 bits, a secondary of nine and a tertiary of five,
/// which are compared in this order. A test checks every number in the tables against what it
/// points at, so that reading them checks only the scalar.
///
/// **Thread safety**: immutable.
struct CollationTables: @unchecked Sendable {
    // Unchecked for its pointers: nothing writes through them, and nothing frees what they point
    // to.

    static let shared = CollationTables()

    /// What an entry of a scalar is. Stored by the generator; never renumber.
    enum Kind: UInt32 {
        /// One element, which the entry itself is; where it is 0, weights come by a rule.
        case single
        /// The place of several elements, or of none.
        case expansion
        /// The place of the elements of a scalar, and of those of sequences that begin with it.
        case contractions
        /// The place of a canonical decomposition.
        case decomposition
    }

    private static let blockCount = 0x110000 >> 7

    private let blocks: UnsafePointer<UInt16>
    private let values: UnsafePointer<UInt32>
    let pool: UnsafeBufferPointer<UInt32>
    private let ideographs: UnsafeBufferPointer<UInt32>
    /// The element of each ASCII character; 0 for one that does not count.
    let ascii: [UInt32]

    private init() {
        blocks = cunicode_collation_blocks().numbers
        values = cunicode_collation_values().numbers
        pool = UnicodeTables.buffer(cunicode_collation_pool())
        ideographs = UnicodeTables.buffer(cunicode_collation_ideographs())
        var ascii: [UInt32] = []
        for scalar in 0..<128 as Range<UInt32> {
            let entry = values[Int(blocks[0]) &<< 7 | Int(scalar)]
            let place = Int(entry & Self.placeMask)
            let isElement = Kind(rawValue: entry >> 30) == .single
            ascii.append(isElement ? entry : pool[place] == 0 ? 0 : pool[place + 1])
        }
        self.ascii = ascii
    }

    /// The part of an entry that is a place in the pool.
    static let placeMask: UInt32 = 1 << 30 - 1

    /// The entry of a scalar: a kind in the first two bits, then an element or a place in the pool.
    @inline(__always)
    func entry(_ scalar: UInt32) -> UInt32 {
        let block = Int(scalar >> 7)
        guard block < Self.blockCount else { return 0 }
        return values[Int(blocks[block]) &<< 7 | Int(scalar & 127)]
    }

    @inline(__always)
    static func element(_ primary: UInt32, _ secondary: UInt32, _ tertiary: UInt32) -> UInt32 {
        primary << 14 | secondary << 5 | tertiary
    }

    /// The elements of a scalar without an entry: an ideograph, or one that Unicode 15 does not
    /// know (UTS #10, 10.1.3).
    func ruled(_ scalar: UInt32) -> (UInt32, UInt32) {
        let base: UInt32
        var rest = scalar & 0x7fff
        switch scalar {
        case 0x17000..<0x18b00, 0x18d00..<0x18d80: (base, rest) = (0xfb00, scalar - 0x17000)
        case 0x1b170..<0x1b300: (base, rest) = (0xfb01, scalar - 0x1b170)
        case 0x18b00..<0x18d00: (base, rest) = (0xfb02, scalar - 0x18b00)
        default:
            let isOld = 0x4e00..<0xa000 ~= scalar || 0xf900..<0xfb00 ~= scalar
            let range: UInt32 = isIdeograph(scalar) ? isOld ? 0xfb40 : 0xfb80 : 0xfbc0
            base = range + scalar >> 15
        }
        return (Self.element(base, 0x20, 2), Self.element(rest | 0x8000, 0, 0))
    }

    private func isIdeograph(_ scalar: UInt32) -> Bool {
        for place in stride(from: 0, to: ideographs.count, by: 2)
        where scalar <= ideographs[place + 1] {
            return scalar >= ideographs[place]
        }
        return false
    }
}
