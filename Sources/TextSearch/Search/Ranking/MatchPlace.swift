/// Where an object's matches are, for the order of results: the earliest first match, then the most
/// matches.
struct MatchPlace: Comparable {
    /// The first match: its string, the ordinal position of its word, and its offset in the folded
    /// word, in bytes.
    var string: UInt32 = .max
    var position: UInt32 = .max
    var offset: UInt16 = .max
    var count = 0

    init() {}

    /// The place of hits in text order.
    init(_ first: Hit, count: Int, _ matched: borrowing MatchedTerms) {
        string = first.string
        position = first.position
        offset = matched.terms[Int(first.term)].offset
        self.count = count
    }

    static func < (a: MatchPlace, b: MatchPlace) -> Bool {
        (a.string, a.position, a.offset, b.count) < (b.string, b.position, b.offset, a.count)
    }
}
