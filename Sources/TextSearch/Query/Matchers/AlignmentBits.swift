/// Computes optimal string alignment distances to a word of at most 64 characters, a column of the
/// table at a time, as the bits of a machine word.
///
/// The recurrence is Hyyrö's ("A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances", 2003): differences between neighbouring cells are 1, 0 or -1, so two bits hold each.
struct AlignmentBits: Sendable {
    static let maximumCount = 64

    /// For each ASCII character, where in the word it stands.
    private let ascii: [UInt64]
    /// The same for the word's other characters, few as they are.
    private let others: [(scalar: UInt32, places: UInt64)]
    private let count: Int

    /// Nil for a word that is empty or too long.
    init?(_ word: some Collection<UInt32>) {
        guard (1...Self.maximumCount).contains(word.count) else { return nil }
        var ascii = [UInt64](repeating: 0, count: 128)
        var others: [(scalar: UInt32, places: UInt64)] = []
        for (place, scalar) in word.enumerated() {
            let bit: UInt64 = 1 << UInt64(place)
            if scalar < 128 {
                ascii[Int(scalar)] |= bit
            } else if let index = others.firstIndex(where: { $0.scalar == scalar }) {
                others[index].places |= bit
            } else {
                others.append((scalar, bit))
            }
        }
        self.ascii = ascii
        self.others = others
        count = word.count
    }

    private func places(of scalar: UInt32) -> UInt64 {
        if scalar < 128 { return ascii[Int(scalar)] }
        return others.first { $0.scalar == scalar }?.places ?? 0
    }

    /// The distance of a term, or nil if it is more than `limit`.
    ///
    /// - Parameters:
    ///   - scalars: The characters of the term, of which there are at most `byteCount`.
    ///   - byteCount: How many bytes of the term are left.
    ///   - limit: The greatest distance that matters.
    /// - Returns: The distance, or nil.
    func distance(to scalars: inout TermScalars, byteCount: Int, limit: Int) -> Int? {
        // The names are the paper's: VP and VN say where a cell is one more or less than the cell
        // above it, HP and HN than the one to its left, D0 where it equals the diagonal one.
        var vp: UInt64 = count == 64 ? ~0 : (1 << UInt64(count)) - 1
        var vn: UInt64 = 0
        var d0: UInt64 = 0
        var previous: UInt64 = 0
        let last: UInt64 = 1 << UInt64(count - 1)
        var distance = count
        var left = byteCount
        while let scalar = scalars.next() {
            let places = places(of: scalar)
            let swaps = ((~d0 & places) << 1) & previous
            d0 = (((places & vp) &+ vp) ^ vp) | places | vn | swaps
            let hp = vn | ~(d0 | vp)
            let hn = d0 & vp
            if hp & last != 0 { distance += 1 }
            if hn & last != 0 { distance -= 1 }
            left -= 1
            // Each character can lower the distance by one only.
            if distance - left > limit { return nil }
            let shifted = hp << 1 | 1
            vp = hn << 1 | ~(d0 | shifted)
            vn = d0 & shifted
            previous = places
        }
        return distance <= limit ? distance : nil
    }
}
