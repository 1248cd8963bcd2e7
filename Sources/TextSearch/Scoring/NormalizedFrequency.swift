/// How often a word stands in an object, weighted, over what the lengths of the strings divide that by: a fraction, so that a score takes one
/// division, of however many strings.
struct NormalizedFrequency {
    private(set) var weighted = 0.0
    private(set) var share = 1.0
    /// Where products of shares stay, so that the next one is a number above 0 too.
    static let shares = 1e-100...1e100

    /// None.
    init() {}

    /// `share` is more than 0.
    @inline(__always)
    init(weighted: Double, share: Double = 1) {
        self.weighted = weighted
        self.share = share
    }

    var value: Double { weighted / share }

    /// Adds that of another string, as fractions are added.
    @inline(__always)
    mutating func add(_ other: Self) {
        weighted = weighted * other.share + other.weighted * share
        share *= other.share
        if !Self.shares.contains(share) { self = Self(weighted: value) }
    }
}
