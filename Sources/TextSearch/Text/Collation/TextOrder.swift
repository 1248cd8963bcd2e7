internal import Foundation

/// The order of texts as attributes have it: the root collation of CLDR, then the scalars of their
/// canonical compositions.
///
/// So case and accents only decide between texts that are otherwise alike, and no two texts are at
/// one place that are not equal. It is one order for texts that are equal, however they are
/// composed; `<` of strings (Swift 6.3) is none: "\u{e9}" is before "\u{e9}a", and the same letter
/// of two scalars, which equals it, is not.
enum TextOrder {
    static func precedes(_ a: String, _ b: String) -> Bool { compare(a, b) < 0 }

    /// Negative, zero or positive as a text is before, equal to or after another.
    static func compare(_ a: String, _ b: String) -> Int {
        if let order = a.utf8.withContiguousStorageIfAvailable({ a in
            b.utf8.withContiguousStorageIfAvailable { compareASCII(a, $0) } ?? nil
        }) ?? nil {
            return order
        }
        var keys = CollationKeys()
        let (one, other) = (keys.key(of: a), keys.key(of: b))
        if one == other { return 0 }
        return one.lexicographicallyPrecedes(other) ? -1 : 1
    }

    /// The same of texts that are ASCII; nil for others.
    ///
    /// Complexity: linear in the shorter one where they differ by more than case.
    private static func compareASCII(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard a.allSatisfy({ $0 < 0x80 }), b.allSatisfy({ $0 < 0x80 }) else { return nil }
        return CollationTables.shared.ascii.withUnsafeBufferPointer { elements in
            var (i, j) = (0, 0)
            // Each has the same secondary weight.
            var byCase = 0
            while true {
                while i < a.count, elements[Int(a[i])] == 0 { i += 1 }
                while j < b.count, elements[Int(b[j])] == 0 { j += 1 }
                guard i < a.count, j < b.count else { break }
                let (one, other) = (elements[Int(a[i])], elements[Int(b[j])])
                if one != other {
                    if one >> 14 != other >> 14 { return one < other ? -1 : 1 }
                    if byCase == 0 { byCase = one < other ? -1 : 1 }
                }
                i += 1
                j += 1
            }
            if i < a.count || j < b.count { return i < a.count ? 1 : -1 }
            if byCase != 0 { return byCase }
            return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        }
    }

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
