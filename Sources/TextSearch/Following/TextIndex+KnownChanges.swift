import Foundation

extension TextIndex {
    /// Changes without those of objects that the index has as they are, by their fingerprints.
    ///
    /// Complexity: two reads of the index for each object, half of what it takes to index it again
    /// and to remove what was there.
    func without(known changes: [ReadChange]) throws -> [ReadChange] {
        try usage.search {
            let snapshot = writer.snapshot
            var lookup = IdentifierLookup(store: store)
            var records = RecordReader(store: store)
            var left: [ReadChange] = []
            for change in changes {
                guard case .index(let object?, let identifier) = change,
                    let document = try Array(identifier).withUnsafeBufferPointer({
                        try lookup.document(for: $0, in: snapshot)
                    }),
                    // A record that is damaged is written anew.
                    let known = try? records.fingerprint(of: document),
                    known == ObjectRecord.fingerprint(of: object)
                else {
                    left.append(change)
                    continue
                }
            }
            return left
        }
    }
}
