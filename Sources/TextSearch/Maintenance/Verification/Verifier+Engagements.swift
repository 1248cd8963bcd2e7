import Foundation

/// The tables of what was learned: each of them says what the other does.
extension Verifier {
    func examineEngagements() throws {
        var found = EngagementTotals()
        var pairs: (ofQueries: UInt64, ofObjects: UInt64) = (0, 0)
        try forEachEntry(of: .engagements) { key, value in
            found.insert(EntryDigest.of(key, value))
            let query = key.dropFirst()
            for identifier in try QueryEngagements(key, value).objects.keys {
                pairs.ofQueries &+= Self.pair(Array(query), identifier)
            }
        }
        try forEachEntry(of: .engagedObjects) { key, value in
            found.insert(EntryDigest.of(key, value))
            let identifier = Array(key.dropFirst())
            for query in try EngagedObject(key, value).queries.keys {
                pairs.ofObjects &+= Self.pair(query, identifier)
            }
        }
        if found != view.engagements {
            report.add(.mismatch, .engagements, "the engagements are not those that were committed")
        }
        if pairs.ofQueries != pairs.ofObjects {
            report.add(
                .mismatch, .engagedObjects, "queries and objects have different engagements")
        }
    }

    private static func pair(_ query: [UInt8], _ identifier: [UInt8]) -> UInt64 {
        query.withUnsafeBytes { query in
            identifier.withUnsafeBytes { EntryDigest.of(query, $0) }
        }
    }
}
