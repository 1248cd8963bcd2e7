/// Writes the records and identifiers of documents that are not in the store yet.
///
/// They have no segment in their keys, and nobody finds them before the segment is named.
struct ObjectWriter: Sendable {
    let store: IndexStore
    let parts: [SegmentWriter.Part]

    func write() throws {
        let batch = StoreBatch()
        func commitIfLarge() throws {
            if batch.byteCount >= SegmentWriter.batchSize { try store.commit(batch, sync: false) }
        }
        for part in parts {
            for document in 0..<part.segment.documentCount {
                part.segment.documents.withRecord(of: document) {
                    batch.putSealed(.objects, part.firstDocument + UInt32(document), $0)
                }
                try commitIfLarge()
            }
            for document in 0..<part.segment.documentCount {
                part.segment.documents.withIdentifier(of: document) {
                    batch.putIdentifier($0, part.firstDocument + UInt32(document))
                }
                try commitIfLarge()
            }
        }
        try store.commit(batch, sync: false)
    }
}
