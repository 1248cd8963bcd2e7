/// Counts what a query matches by facets, over one snapshot.
struct FacetCounter {
    let snapshot: Snapshot
    let store: IndexStore
    let clock: SearchClock

    /// Counts all matches.
    ///
    /// Where the time is over the counts are lower bounds.
    func count(_ facets: [Facet], _ matches: FacetMatches) throws -> [FacetTally] {
        let tallies = facets.map { FacetTally($0, clock) }
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
            try take(part.documents) { try part.segment.attribute($0) }
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
                column = try recorded(
                    tally.facet.attribute, matches.documents[range], documents)
            }
            try tally.add(column, matches, range, first: documents.lowerBound, clock)
        } catch is SearchEnded {
            tally.noteEnd()
        }
    }

    /// The values of some documents, from their records.
    private func recorded(
        _ name: String, _ wanted: ArraySlice<UInt32>, _ documents: Range<UInt32>
    ) throws -> AttributeColumn {
        var builder = AttributeColumnBuilder(documentCount: documents.count)
        var key = Buffer<UInt8>(capacity: 8)
        for document in wanted {
            if clock.check() { throw SearchEnded() }
            Key.document(.objects, document, into: &key)
            let head = try store.withValue(key, .objects) { try RecordHead($0) }
            guard let head else {
                throw TextIndexError.corrupted("the record of document \(document)")
            }
            guard let value = head.attributes[name] else { continue }
            builder.add(value, of: Int(document - documents.lowerBound))
        }
        return builder.finish()
    }
}
