import Dispatch
import Foundation

extension IndexWriter {
    /// What is committed, and what is under way; changed under one lock.
    struct State: Sendable {
        var manifest = Manifest()
        var flushed: [FlushedSegment] = []
        /// What searches read of them.
        let caches: SearchCaches
        var rebuilt = RebuiltSegments()
        /// What the visible state is analysed with.
        var analyzer: Analyzer
        var analyzerNumber = 0
        /// How often all documents were exchanged, or read again from the store.
        var exchangeCount = 0
        /// What the visible state was built with.
        var fingerprint: [String: String]
        /// Committed, journaled, visible. While a flush runs, its part of them stays at the front.
        var memory: [PlacedSegment] = []
        var bulk = Bulk()
        var dead = Tombstones()
        /// What was committed as alive.
        var living = LivingDocuments()
        /// What was committed of engagements.
        var engagements = EngagementTotals()
        /// What was committed of client states.
        var clientStates: ClientStates.Values = [:]
        var nextDocument: UInt32 = 0
        var generation: UInt64 = 0
        var epoch = Epoch()
        var flush: FlushJob?
        /// How many dead documents there have to be before a vacuum is thought of again.
        var nextVacuumCheck = 1000
        /// Why nothing can be written, until the store is opened anew.
        var failure: TextIndexError?
        var isRebuilding = false
        /// Segments that were deleted, the space of which LevelDB has yet to give back.
        var swept: Set<UInt32> = []

        init(_ analyzer: Analyzer, _ caches: SearchCaches) {
            self.analyzer = analyzer
            self.caches = caches
            fingerprint = analyzer.fingerprint
        }
    }

    /// What bulk loads brought that is not visible yet.
    struct Bulk: Sendable {
        /// Numbered, and to be flushed.
        var pending: [PlacedSegment] = []
        /// The identifiers of `pending`, and of pending parts that are being flushed.
        var hashes = IdentifierHashes()
        var flushHashes = IdentifierHashes()
        /// The documents that pending ones replace.
        var replaced: [UInt32] = []
        /// How many entries of parts, pending or being flushed, `ObjectWriter` has written already,
        /// by their first documents.
        var stored: [UInt32: Int] = [:]
        /// What comes of client states with pending documents.
        var clientStates: ClientStates.Values = [:]
        /// How often pending documents were lost to a failure, and to which one last.
        var lossCount = 0
        var loss: TextIndexError?
        /// Bytes of parts that were flushed since memory was given back.
        var flushedBytes = 0
        /// Whether memory is to be given back, and was not yet.
        var givesBackMemory = false
        /// How many bulk loads are under way, and how many of them only remove objects.
        var loadCount = 0
        var removingCount = 0

        /// Forgets what is pending, but for what is being flushed.
        mutating func lose(to error: TextIndexError) {
            pending = []
            hashes = IdentifierHashes()
            replaced = []
            clientStates = [:]
            stored = [:]
            lossCount += 1
            loss = error
        }
    }

    /// A flush that is asked for or under way.
    struct FlushJob: Sendable {
        var number: UInt32
        var parts: [PlacedSegment]
        var replaced: [UInt32]
        var clientStates: ClientStates.Values
        var done: DispatchGroup
        var hasBegun = false

        var journaledCount: Int { parts.count(where: \.isJournaled) }
        var isBulk: Bool { parts.contains { !$0.isJournaled } }
    }
}

extension IndexWriter.State {
    var bufferedBytes: Int { memory.byteCount + bulk.pending.byteCount }

    /// Whether anything was ever indexed that an identifier could name.
    var hasDocuments: Bool {
        !flushed.isEmpty || !memory.isEmpty || !bulk.pending.isEmpty || flush != nil
    }

    /// Documents that are numbered but in no flushed segment, oldest first.
    var unflushed: [PlacedSegment] {
        memory + (flush?.parts.filter { !$0.isJournaled } ?? []) + bulk.pending
    }
}
