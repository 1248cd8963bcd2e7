/// A piece of query text, with its meaning where that does not depend on what surrounds it.
struct QueryToken {
    enum Kind {
        /// A complete condition, with its own boost.
        case operand(Query)
        case must
        case mustNot
        /// `name:` before an operand, which it applies to.
        case field(String)
        /// `name:` of an attribute before a parenthesis.
        case attribute(String)
        case open(Group)
        case close(ScoreSuffix)
        case and
        case or
        case not
    }

    /// What a parenthesis opens.
    enum Group: Equatable {
        case plain
        case near(Int, ordered: Bool)
        case atLeast(Int)
        case first
        case filter
    }

    var kind: Kind
    /// Where in the text, in UTF-8 code units.
    var range: Range<Int>
}

/// `^2` or `^=2` after an operand.
enum ScoreSuffix {
    case none
    case boost(Double)
    case constant(Double)

    /// The query, which is in normal form, with the suffix applied.
    func applied(to query: Query) -> Query {
        switch self {
        case .none: return query
        case .boost(let factor): return NormalForm.boost(query, Query.clampedBoost(factor))
        case .constant(let score): return NormalForm.constantScore(query, Query.clampedBoost(score))
        }
    }
}
