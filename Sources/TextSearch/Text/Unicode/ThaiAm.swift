/// The vowel am of Thai and Lao, ำ and ຳ, which people also write in two: a circle above (nikhahit)
/// and aa, with or without a tone mark between them. Unicode takes the two ways for compatible, but
/// aa is a character of its own.
enum ThaiAm {
    /// Whether `scalar` is an aa that ends an am which the last scalars of `before` begin.
    @inline(__always)
    static func ends(with scalar: UInt32, after before: [UInt32]) -> Bool {
        guard let block = block(ofAa: scalar) else { return false }
        return place(of: block + 0x4d, in: before) != nil
    }

    /// Puts an am in the place of its first part.
    static func join(_ aa: UInt32, to scalars: inout [UInt32]) {
        guard let block = block(ofAa: aa), let place = place(of: block + 0x4d, in: scalars)
        else { return }
        scalars.remove(at: place)
        scalars.append(block + 0x33)
    }

    /// The same for the bytes of `text` that end at `index`, of one character that began at
    /// `start`.
    @inline(__always)
    static func ends(
        with scalar: UInt32, at index: Int, after start: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let block = block(ofAa: scalar) else { return false }
        return hasNikhahit(of: block, before: index, after: start, in: text)
    }

    @inline(never)
    private static func hasNikhahit(
        of block: UInt32, before index: Int, after start: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // Each mark has three bytes.
        guard index - start >= 3 else { return false }
        let last = UTF8Decoding.scalar(at: index - 3, in: text).scalar
        if last == block + 0x4d { return true }
        guard isTone(last, block), index - start >= 6 else { return false }
        return UTF8Decoding.scalar(at: index - 6, in: text).scalar == block + 0x4d
    }

    private static func place(of nikhahit: UInt32, in scalars: [UInt32]) -> Int? {
        guard let last = scalars.last else { return nil }
        if last == nikhahit { return scalars.count - 1 }
        guard scalars.count > 1, isTone(last, nikhahit - 0x4d),
            scalars[scalars.count - 2] == nikhahit
        else { return nil }
        return scalars.count - 2
    }

    /// Lao has the letters of Thai at the same places of its block.
    @inline(__always)
    private static func block(ofAa scalar: UInt32) -> UInt32? {
        scalar == 0xe32 || scalar == 0xeb2 ? scalar - 0x32 : nil
    }

    private static func isTone(_ scalar: UInt32, _ block: UInt32) -> Bool {
        (block + 0x48...block + 0x4b).contains(scalar)
    }
}
