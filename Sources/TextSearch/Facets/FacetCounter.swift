/// Counts what a query matches by facets, over one snapshot.
struct FacetCounter {
    let snapshot: Snapshot
    let store: IndexStore
    let clock: SearchClock

    /// Counts all matches.
    ///
    /// Where the time is over the counts are lower bounds.
    func count(_ facets: [Facet], _ matches: FacetMatches) throws -> [FacetTally] {
        let tallies = facets.map { FacetTally($0) }
        var start = 0
        func take(
            _ range: Range<UInt32>, _ source: (String) throws -> AttributeSource
        ) throws {
            let end =
                start + matches.documents[start...].firstPlace { $0 >= range.upperBound }
                - start
            defer { start = end }
            guard start < end else { return }
            for tally in tallies {
                try count(tally, matches, start..<end, range, source)
            }
        }
        for segment in snapshot.flushed {
            try take(segment.manifest.documents) { try segment.attribute($0, clock) }
        }
        for part in snapshot.memory {
            try take(part.documents) { try part.segment.attribute($0, clock) }
        }
        return tallies
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
            tally.add(column, matches, range, first: documents.lowerBound, clock)
        } catch is SearchEnded {
            tally.noteEnd()
        }
    }
}
