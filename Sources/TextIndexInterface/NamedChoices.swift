package import TextSearch

/// What hits of a query text are ordered by.
package enum RankingChoice: String, CaseIterable, Sendable {
    case relevance, weight, combined

    package var ranking: Ranking {
        switch self {
        case .relevance: .relevance
        case .weight: .weight
        case .combined: .combined
        }
    }
}

/// The keyboard that typing errors are made on.
package enum KeyboardChoice: String, CaseIterable, Sendable {
    case qwerty, qwertz, azerty, none

    package var layout: KeyboardLayout {
        switch self {
        case .qwerty: .qwerty
        case .qwertz: .qwertz
        case .azerty: .azerty
        case .none: .none
        }
    }
}
