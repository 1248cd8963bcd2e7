/// Computes optimal string alignment distances of at most two to a word of at most 62 characters,
/// as the states of an automaton in the bits of machine words.
///
/// The automaton is that of Wu and Manber ("Fast text searching allowing errors", 1992), with swaps
/// of neighbours besides (Navarro, "A guided tour to approximate string matching", 2001): bit *i*
/// of the state for *j* edits says that the first *i* characters of the word are at most *j* edits
/// from what was read.
struct AlignmentBits: Sendable {
    static let maximumCount = 62

    /// For each ASCII character the states that it leads to: a bit higher than where it stands in
    /// the word.
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
            let bit: UInt64 = 2 << UInt64(place)
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

    @inline(__always)
    private func places(of scalar: UInt32) -> UInt64 {
        if scalar < 128 { return ascii[Int(scalar)] }
        return others.first { $0.scalar == scalar }?.places ?? 0
    }

    /// The distance of a term, or nil if it is more than `limit`.
    ///
    /// Ends as soon as nothing that begins like what was read can be near enough; `scalars` then
    /// stand behind it.
    ///
    /// - Parameters:
    ///   - scalars: The characters of the term.
    ///   - limit: The greatest distance that matters, 0 to 2.
    /// - Returns: The distance, or nil.
    func distance(to scalars: inout TermScalars, limit: Int) -> Int? {
        // States for no, one and two edits, now and one character ago. Characters of the word that
        // are missing are edits too.
        var none: UInt64 = 1
        var one: UInt64 = limit > 0 ? 0b11 : 0
        var two: UInt64 = limit > 1 ? 0b111 : 0
        var earlierNone: UInt64 = 0
        var earlierOne: UInt64 = 0
        var earlierPlaces: UInt64 = 0
        let withOne: UInt64 = limit > 0 ? ~0 : 0
        let withTwo: UInt64 = limit > 1 ? ~0 : 0
        while let scalar = scalars.next() {
            let places = places(of: scalar)
            let swap = places << 1 & earlierPlaces
            let nextNone = none << 1 & places
            let nextOne =
                (one << 1 & places | none | none << 1 | nextNone << 1 | earlierNone << 2 & swap)
                & withOne
            let nextTwo =
                (two << 1 & places | one | one << 1 | nextOne << 1 | earlierOne << 2 & swap)
                & withTwo
            if nextNone | nextOne | nextTwo == 0 { return nil }
            earlierNone = none
            earlierOne = one
            earlierPlaces = places
            none = nextNone
            one = nextOne
            two = nextTwo
        }
        let whole: UInt64 = 1 << UInt64(count)
        if none & whole != 0 { return 0 }
        if one & whole != 0 { return 1 }
        return two & whole != 0 ? 2 : nil
    }
}
