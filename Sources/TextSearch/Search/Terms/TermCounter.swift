/// Counts the living documents that have a term, without its positions.
struct TermCounter: ~Copyable {
    private var terms: TermHits

    init(snapshot: Snapshot, store: IndexStore, clock: SearchClock) {
        terms = TermHits(snapshot: snapshot, store: store, clock: clock)
    }

    /// In how many living documents a term stands, and how often in all, in the strings that are
    /// looked in.
    ///
    /// Complexity: linear in the term's documents.
    mutating func count(
        _ term: [UInt8], in isWanted: (_ string: UInt32) -> Bool = { _ in true }
    ) throws -> (documents: Int, occurrences: Int) {
        var documents = 0
        var occurrences = 0
        var last: UInt32?
        try CountFinder(.exact(term), in: .all, .documents).counts(&terms).withElements { counts in
            for count in counts where isWanted(count.string) {
                occurrences += Int(count.count)
                if count.document != last { documents += 1 }
                last = count.document
            }
        }
        return (documents, occurrences)
    }
}
