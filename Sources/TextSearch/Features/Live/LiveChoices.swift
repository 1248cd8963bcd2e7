/// What was chosen for a query, kept up to date by a look at its own entry alone.
struct LiveChoices {
    /// What all entries added up to when its own was looked at; nil while it was not.
    private var totals: EngagementTotals?
    private var engagements: QueryEngagements?

    /// Goes on to another state: whether something was recorded or forgotten for the query.
    /// `stored` gives its entry, if the ranking learns.
    ///
    /// The entry may be one of a later state. Then the search, which reads it again, has it too, or
    /// is made again at the next commit.
    mutating func update(
        to snapshot: Snapshot, stored: () throws -> QueryEngagements?
    ) rethrows -> Bool {
        guard totals != snapshot.engagements else { return false }
        let found = try stored()
        defer {
            totals = snapshot.engagements
            engagements = found
        }
        return found != engagements
    }
}
