// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Room for the sums of a segment's slots that one search leaves to the next: asked for each time
/// anew, it would have to be fetched from the system and cleared, which takes as long as many a
/// search.
///
/// **Thread safety**: may be used from any thread; of several searches at a time all but one get
/// room of their own.
final class SpareSlots: Sendable {
    /// More are not kept: 2 MB.
    static let mostSlots = 1 << 19
    private let spare = Mutex<SlotMemory?>(nil)

    /// Room for as many slots as the segment has, with nothing added.
    func take(documentCount: Int, width: Int) -> SlotMemory {
        let found = spare.withLock { $0.take() }
        if let found, found.documentCount == documentCount, found.width == width { return found }
        return SlotMemory(documentCount: documentCount, width: width)
    }

    func keep(_ memory: consuming SlotMemory) {
        guard memory.slotCount <= Self.mostSlots else { return }
        memory.clear()
        var kept = Optional(memory)
        spare.withLock { swap(&$0, &kept) }
    }
}
