/// How often a word stands in an object, weighted, over what the lengths of the strings divide that
/// by: a fraction, so that a score takes one division, of however many strings.
struct NormalizedFrequency: Equatable {
    private(set) var weighted = 0.0
    private(set) var divisor = 1.0
    /// Where products of divisors stay, so that the next one is a number above 0 too.
    static let divisors = 1e-100...1e100

    /// None.
    init() {}

    /// `divisor` is more than 0.
    @inline(__always)
    init(weighted: Double, divisor: Double = 1) {
        self.weighted = weighted
        self.divisor = divisor
    }

    var value: Double { weighted / divisor }

    /// Adds that of another string, as fractions are added.
    @inline(__always)
    mutating func add(_ other: Self) {
        weighted = weighted * other.divisor + other.weighted * divisor
        divisor *= other.divisor
        if !Self.divisors.contains(divisor) { self = Self(weighted: value) }
    }
}
