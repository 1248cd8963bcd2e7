import Synchronization

/// One committed state of an index, held still while it is examined: all of it is read through
/// cursors that were made with it.
///
/// **Thread safety**: belongs to one thread.
struct VerificationView {
    let snapshot: Snapshot
    let rebuilt: [FlushedSegment]
    let living: LivingDocuments
    let engagements: EngagementTotals
    let clientStates: ClientStates.Values
    let fingerprint: [String: String]
    let nextDocument: UInt32
    let nextSegment: UInt32
    let watermark: UInt32
    let cursor: StoreCursor
    /// For what is read beside what `cursor` stands on.
    let second: StoreCursor

    /// The value of a key in this state.
    func value(_ key: [UInt8]) throws -> [UInt8]? {
        try second.seek(to: key)
        guard second.isValid else {
            try second.check()
            return nil
        }
        return try second.withEntry { found, value in
            found.elementsEqual(key) ? Array(value) : nil
        }
    }
}

extension VerificationView {
    /// The committed state of now. Commits wait for a few microseconds.
    static func now(of writer: IndexWriter) throws -> VerificationView {
        try writer.state.withLock { state in
            VerificationView(
                snapshot: IndexWriter.snapshot(of: state), rebuilt: state.rebuilt.segments,
                living: state.living, engagements: state.engagements,
                clientStates: state.clientStates, fingerprint: state.fingerprint,
                nextDocument: state.nextDocument, nextSegment: state.manifest.nextSegment,
                watermark: state.manifest.watermark,
                cursor: try writer.store.makeCursor(fillCache: false),
                second: try writer.store.makeCursor(fillCache: false))
        }
    }
}
