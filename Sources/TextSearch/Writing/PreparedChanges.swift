import Foundation
import Synchronization

/// Changes of an application that become durable in their order, and the states that stand for
/// them.
struct PreparedChanges: Sendable {
    /// Taken after `removals`.
    var documents: AnalysedDocuments?
    /// The strings of `documents` as the journal wants them; nothing where they are accepted in
    /// bulk.
    var journal: [[UInt8]] = []
    /// Identifiers of objects to remove, before `documents` are added.
    var removals: [[UInt8]] = []
    /// Stored exactly when all of the above is.
    var states: [ClientState] = []
    /// The stream that the changes are a part of, and which part they are.
    var fate: ChangeFate.Turn?
    /// Whether a flush makes `documents` durable, when enough has come together.
    var isBulk = false
    /// Whether that flush is begun and waited for at once.
    var settles = false
}

extension LoadChunk {
    /// Whether the journal takes all of it, so that it can become durable and visible with one
    /// batch.
    var isSmall: Bool {
        byteCount < JournalEntry.largestText && removals.count <= Self.removalCount
    }

    /// All of it, to become durable with one batch.
    func changes(under snapshot: Snapshot, _ fate: ChangeFate.Turn?) -> PreparedChanges {
        var changes = bulkChanges(under: snapshot, fate)
        changes.isBulk = false
        changes.journal = objects.map { JournalEntry.encode($0) }
        changes.removals = removals
        return changes
    }

    /// Its objects and its states; `removals` come before.
    func bulkChanges(under snapshot: Snapshot, _ fate: ChangeFate.Turn?) -> PreparedChanges {
        let documents =
            objects.isEmpty ? nil : AnalysedDocuments(under: snapshot) { self.analysed($0) }
        return PreparedChanges(documents: documents, states: states, fate: fate, isBulk: true)
    }
}

/// What the operations of one stream of changes have in common: a part takes effect only when all
/// earlier ones did.
///
/// Otherwise the state of a later part would stand for changes that are not there: those of a part
/// that failed, was lost or was cancelled.
final class ChangeFate: Sendable {
    /// One part of the stream, by its place among those that were submitted.
    struct Turn: Sendable {
        let fate: ChangeFate
        fileprivate let number: Int

        /// Throws when an earlier part failed or was lost, or has not taken effect.
        func check(_ writer: IndexWriter) throws {
            let state = fate.state.withLock { $0 }
            if let failure = state.failure { throw failure }
            if let loss = writer.bulkLoss(since: fate.lossCount) { throw loss }
            guard number == state.doneCount else {
                throw IndexWriter.Untried(
                    cause: TextIndexError(
                        .invalidArgument, "An earlier part of the changes was cancelled."))
            }
        }

        /// Says that the part took effect.
        func finish() { fate.state.withLock { $0.doneCount += 1 } }

        /// Says that the part failed; the first error of a stream counts.
        func fail(_ error: any Error) {
            fate.state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private struct State {
        var failure: (any Error)?
        var submittedCount = 0
        var doneCount = 0
    }

    private let state = Mutex(State())
    /// How many losses of pending documents the writer had counted when the stream began.
    private let lossCount: Int

    /// Of a stream that begins now.
    init(_ writer: IndexWriter) { lossCount = writer.state.withLock { $0.bulk.lossCount } }

    /// The next part, to be taken in the order in which they are submitted.
    func nextTurn() -> Turn {
        state.withLock { state in
            defer { state.submittedCount += 1 }
            return Turn(fate: self, number: state.submittedCount)
        }
    }
}
