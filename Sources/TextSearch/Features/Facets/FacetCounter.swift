/// Counts what a query matches by facets, over one snapshot.
struct FacetCounter {
    let snapshot: Snapshot
    let store: IndexStore
    let clock: SearchClock

    /// Counts all matches.
    ///
    /// Where the time is over the counts are lower bounds.
    func count(_ facets: [Facet], _ matches: FacetMatches) throws -> [FacetTally] {
        let tallies = try facets.map { facet in
            FacetTally(facet, try facet.kind { try spread(of: $0, matches) }, clock)
        }
        try count(tallies, matches)
        return tallies
    }

    /// Counts all matches by each of some tallies.
    func count(_ tallies: [FacetTally], _ matches: FacetMatches) throws {
        try forEachSegment(matches) { range, documents, source in
            for tally in tallies { try count(tally, matches, range, documents, source) }
        }
    }

    /// Calls `body` with the matches of each segment, its documents, and where the values of an
    /// attribute are.
    private func forEachSegment(
        _ matches: FacetMatches,
        _ body: (Range<Int>, Range<UInt32>, _ source: @escaping (String) throws -> AttributeSource)
            throws
            -> Void
    ) throws {
        var start = 0
        for segment in snapshot.segments {
            let documents = segment.documents
            let end = matches.documents[start...].firstPlace { $0 >= documents.upperBound }
            defer { start = end }
            guard start < end else { continue }
            try body(start..<end, documents) { try segment.attribute($0, clock) }
        }
    }

    /// How the numbers and dates of what matches are spread, as far as it is known before the time
    /// is over.
    func spread(of name: String, _ matches: FacetMatches) throws -> FacetSpread {
        var spread = FacetSpread()
        do {
            try forEachSegment(matches) { range, documents, source in
                let own = matches.documents[range]
                switch try source(name) {
                case .nowhere: break
                case .column(let column):
                    try spread.add(column, own, first: documents.lowerBound, clock)
                case .records:
                    let column = try AttributeColumn.recorded(
                        name, of: own, in: documents, store, clock)
                    try spread.add(column, own, first: documents.lowerBound, clock)
                }
            }
        } catch is SearchEnded {
            // The counts end, too.
        }
        return spread
    }

    private func count(
        _ tally: FacetTally, _ matches: FacetMatches, _ range: Range<Int>,
        _ documents: Range<UInt32>, _ source: (String) throws -> AttributeSource
    ) throws {
        guard !clock.check() else { return tally.noteEnd() }
        do {
            let column: AttributeColumn
            switch try source(tally.facet.attribute) {
            case .nowhere: return tally.addMissing(range.count)
            case .column(let found): column = found
            case .records:
                column = try .recorded(
                    tally.facet.attribute, of: matches.documents[range], in: documents, store,
                    clock)
            }
            try tally.add(column, matches, range, first: documents.lowerBound, clock)
        } catch is SearchEnded {
            tally.noteEnd()
        }
    }
}

extension Facet {
    /// What is counted by: where the facet leaves that to the values there are, as they say.
    func kind(_ spread: (_ attribute: String) throws -> FacetSpread) rethrows -> Kind {
        guard case .automatic(let count, let timeZone) = kind else { return kind }
        return try spread(attribute).kind(atMost: count, timeZone) ?? kind
    }
}
