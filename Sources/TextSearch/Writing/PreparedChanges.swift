import Foundation
import Synchronization

/// Changes of an application that become durable in their order, and the states that stand for them.
struct PreparedChanges: Sendable {
    /// Taken after `removals`.
    var documents: AnalysedDocuments?
    /// The strings of `documents` as the journal wants them; nothing where they are accepted in bulk.
    var journal: [[UInt8]] = []
    /// Identifiers of objects to remove, before `documents` are added.
    var removals: [[UInt8]] = []
    /// Stored exactly when all of the above is.
    var states: [ClientState] = []
    /// The stream that the changes are a part of.
    var fate: ChangeFate?
    /// Whether a flush makes `documents` durable, when enough has come together.
    var isBulk = false
    /// Whether that flush is begun and waited for at once.
    var settles = false
}

extension LoadChunk {
    /// Whether the journal takes all of it, so that it can become durable and visible with one batch.
    var isSmall: Bool {
        byteCount < JournalEntry.largestText && removals.count <= Self.removalCount
    }

    /// All of it, to become durable with one batch.
    func changes(under snapshot: Snapshot, _ fate: ChangeFate?) -> PreparedChanges {
        var changes = bulkChanges(under: snapshot, fate)
        changes.isBulk = false
        changes.journal = objects.map { JournalEntry.encode($0) }
        changes.removals = removals
        return changes
    }

    /// Its objects and its states; `removals` come before.
    func bulkChanges(under snapshot: Snapshot, _ fate: ChangeFate?) -> PreparedChanges {
        let documents =
            objects.isEmpty ? nil : AnalysedDocuments(under: snapshot) { self.analysed($0) }
        return PreparedChanges(documents: documents, states: states, fate: fate, isBulk: true)
    }
}

extension IndexWriter {
    /// What the operations of a stream that begins now have in common.
    func makeFate() -> ChangeFate { ChangeFate(lossCount: state.withLock { $0.bulkLossCount }) }
}

/// What the operations of one stream of changes have in common: once a part of it has failed, no later part may take effect.
///
/// Otherwise the state of a later part would stand for changes that are not there.
final class ChangeFate: Sendable {
    private let failure = Mutex<(any Error)?>(nil)
    /// How many losses of pending documents the writer had counted when the stream began.
    private let lossCount: Int

    init(lossCount: Int) { self.lossCount = lossCount }

    /// Says that a part failed; the first error counts.
    func fail(_ error: any Error) { failure.withLock { $0 = $0 ?? error } }

    /// Throws when an earlier part failed or was lost.
    func check(_ writer: IndexWriter) throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        if let loss = writer.bulkLoss(since: lossCount) { throw loss }
    }
}
