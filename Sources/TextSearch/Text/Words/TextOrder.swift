internal import Foundation

/// The order of texts as attributes have it: that of the scalars of their canonical compositions,
/// so that it is one order for texts that are equal, however they are composed.
///
/// `<` of strings (Swift 6.3) is none: "\u{e9}" is before "\u{e9}a", and the same letter of two
/// scalars, which equals it, is not.
enum TextOrder {
    static func precedes(_ a: String, _ b: String) -> Bool {
        let a = isComposed(a.utf8) ? a : composed(a)
        let b = isComposed(b.utf8) ? b : composed(b)
        return a.utf8.lexicographicallyPrecedes(b.utf8)
    }

    /// Whether UTF-8 has no scalar that a composition may change: none from the first combining
    /// mark (U+0300) on.
    @inline(__always)
    static func isComposed(_ utf8: some Sequence<UInt8>) -> Bool { utf8.allSatisfy { $0 < 0xcc } }

    /// The canonical composition.
    static func composed(_ text: String) -> String {
        // Scripts without compositions, and those whose letters are composed.
        text.unicodeScalars.allSatisfy(isComposed)
            ? text : text.precomposedStringWithCanonicalMapping
    }

    /// Whether a scalar stays as it is beside others of which that is true.
    private static func isComposed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300, 0x400...0x482, 0x48a...0x52f, 0x3041...0x3096, 0x30a1...0x30fa,
            0x3400...0x4dbf, 0x4e00...0x9fff, 0xac00...0xd7a3:
            true
        default: false
        }
    }
}
