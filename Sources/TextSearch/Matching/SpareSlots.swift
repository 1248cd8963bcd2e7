// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Room for a sum under each slot.
struct SlotMemory: ~Copyable, Sendable {
    var counts = Buffer<UInt32>()
    /// A bit for each slot, set where something was added.
    var touched = Buffer<UInt64>()

    init() {}

    init(slotCount: Int) {
        counts = Buffer(repeating: 0, count: slotCount)
        touched = Buffer(repeating: 0, count: slotCount / 64 + 1)
    }

    /// Takes away all that was added.
    ///
    /// Complexity: linear in the number of slots, but a small part of it where few of them were used.
    mutating func clear() {
        counts.withMutableElements { counts in
            touched.withMutableElements { touched in
                for word in touched.indices where touched[word] != 0 {
                    touched[word] = 0
                    let end = min(word << 6 &+ 64, counts.count)
                    counts[(word << 6)..<end].update(repeating: 0)
                }
            }
        }
    }
}

/// Room for the sums of a segment's slots that one search leaves to the next: asked for each time anew, it would have to be fetched from the system and cleared, which takes
/// as long as many a search.
///
/// **Thread safety**: may be used from any thread; of several searches at a time all but one get room of their own.
final class SpareSlots: Sendable {
    /// More are not kept: 2 MB.
    static let mostSlots = 1 << 19
    private let spare = Mutex<SlotMemory?>(nil)

    /// Room for as many slots as the segment has, with nothing added.
    func take(slotCount: Int) -> SlotMemory {
        let found = spare.withLock { $0.take() }
        if let found, found.counts.count == slotCount { return found }
        return SlotMemory(slotCount: slotCount)
    }

    func keep(_ memory: consuming SlotMemory) {
        guard memory.counts.count <= Self.mostSlots else { return }
        memory.clear()
        var kept = Optional(memory)
        spare.withLock { swap(&$0, &kept) }
    }
}
