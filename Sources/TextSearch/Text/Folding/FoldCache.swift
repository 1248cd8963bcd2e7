/// What words fold to, by how they are written: each distinct one is folded once for a term table.
///
/// It holds a bounded number of short words and begins anew when it is full, so that its memory
/// does not grow with the text.
///
/// **Invariants**: 1. A slot's bytes and clusters lie in `bytes` and `clusters`. 2. At most half of
/// the slots are taken, so that a search ends. 3. A term number is one of the term table that owns
/// this cache.
struct FoldCache: ~Copyable {
    /// Stands for a word that folds to nothing.
    static let noTerm = UInt32.max
    /// Stands for a word that is several terms; never in the cache.
    static let severalTerms = UInt32.max - 1

    private static let maximumWords = 1 << 14
    private static let maximumWordLength = 255
    private static let firstSlotCount = 256

    // Not private: Swift 6.3.1 crashes on a private element of a buffer in a noncopyable type.
    struct Slot: BitwiseCopyable {
        var hash: UInt32 = 0
        var start: UInt32 = 0
        var term: UInt32 = 0
        var clusters: UInt32 = 0
        /// 0: a free slot; no word is empty.
        var length: UInt8 = 0
        /// The analysis by which it was folded, and the language of the text; the highest bit is
        /// set when the word is regular.
        var analysis: UInt16 = 0
        var clusterCount: UInt16 = 0
        /// Of its stem: see `StemLog`.
        var variant: UInt32 = 0

        var isRegular: Bool { analysis & 0x8000 != 0 }
    }

    private var slots = Buffer<Slot>()
    private var bytes = Buffer<UInt8>()
    /// Folded length in the upper half, UTF-16 length in the lower.
    private var clusters = Buffer<UInt32>()
    private var used = 0

    static func hash(_ word: UnsafeBufferPointer<UInt8>, analysis: Int) -> UInt32 {
        let seed = HashSeed.process
        let hash = seed.hash(seed.hash(word) ^ UInt64(truncatingIfNeeded: analysis))
        return UInt32(truncatingIfNeeded: hash >> 32)
    }

    /// The term of a word that was inserted, and the variant of its stem, nil for another; `folded`
    /// takes `isRegular`, and `clusters` when it is not.
    func term(
        of word: UnsafeBufferPointer<UInt8>, _ hash: UInt32, analysis: Int,
        _ folded: inout FoldedWord
    ) -> (term: UInt32, variant: UInt32)? {
        guard used > 0 else { return nil }
        let mask = slots.count &- 1
        var index = Int(hash) & mask
        while true {
            let slot = slots[index]
            if slot.length == 0 { return nil }
            if slot.hash == hash, Int(slot.length) == word.count,
                Int(slot.analysis & 0x7fff) == analysis, matches(slot, word)
            {
                folded.isRegular = slot.isRegular
                if !slot.isRegular {
                    folded.clusters.removeAll(keepingCapacity: true)
                    for place in Int(slot.clusters)..<(Int(slot.clusters) + Int(slot.clusterCount))
                    {
                        let cluster = clusters[place]
                        folded.clusters.append(
                            .init(
                                foldedLength: Int(cluster >> 16),
                                utf16Length: Int(cluster & 0xffff)))
                    }
                }
                return (slot.term, slot.variant)
            }
            index = (index &+ 1) & mask
        }
    }

    /// Keeps what a word that is not there folds to.
    mutating func insert(
        _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt32, analysis: Int, _ folded: FoldedWord,
        term: UInt32, variant: UInt32
    ) {
        guard word.count > 0, word.count <= Self.maximumWordLength else { return }
        if used == Self.maximumWords { removeAll() }
        if slots.isEmpty { slots = Buffer(repeating: Slot(), count: Self.firstSlotCount) }
        if used * 2 >= slots.count { grow() }
        let slot = Slot(
            hash: hash, start: UInt32(bytes.count), term: term, clusters: UInt32(clusters.count),
            length: UInt8(word.count),
            analysis: UInt16(truncatingIfNeeded: analysis) | (folded.isRegular ? 0x8000 : 0),
            clusterCount: folded.isRegular ? 0 : UInt16(folded.clusters.count), variant: variant)
        bytes.append(contentsOf: word)
        if !folded.isRegular {
            // A word of at most 255 bytes: every length fits.
            for cluster in folded.clusters {
                clusters.append(
                    UInt32(truncatingIfNeeded: cluster.foldedLength << 16 | cluster.utf16Length))
            }
        }
        place(slot)
        used += 1
    }

    private func matches(_ slot: Slot, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withElements { stored in
            let start = Int(slot.start)
            for offset in 0..<word.count where stored[start + offset] != word[offset] {
                return false
            }
            return true
        }
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.hash) & mask
        while slots[index].length > 0 { index = (index + 1) & mask }
        slots[index] = slot
    }

    private mutating func grow() {
        var larger = Buffer(repeating: Slot(), count: slots.count * 2)
        swap(&larger, &slots)
        for index in 0..<larger.count where larger[index].length > 0 { place(larger[index]) }
    }

    private mutating func removeAll() {
        for index in 0..<slots.count { slots[index] = Slot() }
        bytes.removeAll()
        clusters.removeAll()
        used = 0
    }
}
