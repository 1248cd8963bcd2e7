/// Counts the living documents that have a term.
struct TermCounter: ~Copyable {
    private let snapshot: Snapshot
    private var reader: TermPostingsReader

    init(snapshot: Snapshot, store: IndexStore) {
        self.snapshot = snapshot
        reader = TermPostingsReader(store: store)
    }

    /// In how many living documents a term stands, and how often in all, in the strings that are looked in.
    ///
    /// Complexity: linear in the term's postings.
    mutating func count(
        _ term: [UInt8], in isWanted: (_ string: UInt32) -> Bool = { _ in true }
    ) throws -> (documents: Int, occurrences: Int) {
        var documents = 0
        var occurrences = 0
        var last: UInt32?
        func add(_ document: UInt32) {
            occurrences += 1
            if document != last { documents += 1 }
            last = document
        }
        let dead = snapshot.dead
        try term.withUnsafeBufferPointer { bytes in
            for segment in snapshot.flushed where try reader.readIfPresent(bytes, segment.number) {
                let first = segment.manifest.firstDocument
                try reader.forEachOccurrence(where: { !dead.contains(first &+ $0) }) {
                    document, string, _ in
                    if isWanted(string) { add(first &+ document) }
                }
            }
            for part in snapshot.memory {
                let segment = part.segment
                let place = segment.sortedIndex(of: bytes)
                guard place.found else { continue }
                segment.withOccurrences(of: Int(segment.sorted[place.index].term)) { all in
                    for occurrence in all {
                        let string = Int(occurrence.string)
                        let document = part.firstDocument + segment.strings.document[string]
                        if !dead.contains(document), isWanted(segment.strings.index[string]) {
                            add(document)
                        }
                    }
                }
            }
        }
        return (documents, occurrences)
    }
}
