/// A domain with the domains within it.
///
/// The index and the items that are not in it yet are asked by the same patterns. They tell apart
/// case and accents, but not how a letter is composed. A range of names would not do: texts are in
/// the order of dictionaries, in which `A.B.c` is between `a.b.` and `a.b/`.
struct ItemDomain {
    private let patterns: [StringPattern]
    private let matchers: [StringPattern.Matcher]

    init(_ name: String) {
        let own = name.unicodeScalars.map { StringPattern.Piece.character($0.value) }
        let dot = StringPattern.Piece.character(UInt32(UInt8(ascii: ".")))
        patterns = [StringPattern(pieces: own), StringPattern(pieces: own + [dot, .any])]
        matchers = patterns.map { StringPattern.Matcher($0) }
    }

    /// Everything in the domain.
    var query: Query {
        .any(of: patterns.map { .attribute(SearchableItem.Names.domain, .matches($0)) })
    }

    /// Whether a domain is this one, or within it.
    func contains(_ domain: String) -> Bool { matchers.contains { $0.matches(domain) } }
}
