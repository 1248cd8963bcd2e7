/// The distinct terms of a segment being built, numbered in the order in which they first came.
///
/// Open addressing with linear probing over 16-byte slots: a term of up to eight bytes is compared
/// within its slot, so that most words cost one cache miss. Terms lie in one arena, each followed
/// by a zero byte (`Folder` and `FieldAnalyzer.makeTerm` let none into a term).
struct TermTable: ~Copyable {
    /// The longest term in bytes; longer words are cut for their term.
    static let maximumTermLength = 255
    /// A term, the zero byte behind it, and what may be read behind that.
    static let scratchLength = maximumTermLength + 9

    /// Set in a term number when the term is a stop word.
    static let stopBit: UInt32 = 0x8000_0000

    // Not private: Swift 6.3.1 crashes on a private element of a buffer in a noncopyable type.
    struct Slot: BitwiseCopyable {
        var key: UInt64 = 0
        var term: UInt32 = .max
        var length: UInt32 = 0
    }

    var bytes: Buffer<UInt8>
    /// Where each term begins in `bytes`, and one entry for the end.
    var starts: Buffer<UInt32>
    /// The words whose folding takes longer, by how they are written.
    var folds = FoldCache()
    /// The stems of words, where they are asked for.
    var stems = StemLog()
    private var slots: Buffer<Slot>
    private var shift: UInt64
    private var used = 0
    private let seed: HashSeed

    init(slotBits: Int = 10, seed: HashSeed = .process) {
        self.seed = seed
        slots = Buffer(repeating: Slot(), count: 1 << slotBits)
        starts = Buffer(capacity: min(slots.count, 256))
        bytes = Buffer(capacity: min(Self.scratchLength + 4 * slots.count, 4096))
        shift = UInt64(64 - slotBits)
        starts.append(0)
    }

    var count: Int { starts.count - 1 }

    /// Room for the bytes of a term about to be looked up with `intern(length:)`, and eight more.
    @inline(__always)
    mutating func scratch() -> UnsafeMutablePointer<UInt8> {
        bytes.tail(room: Self.scratchLength)
    }

    /// What a word is looked up by.
    struct Probe: BitwiseCopyable {
        /// The word itself, where it has no more than eight bytes.
        var key: UInt64
        var hash: UInt64
    }

    /// Eight bytes past the word must be readable.
    @inline(__always)
    borrowing func probe(_ word: UnsafePointer<UInt8>, _ length: Int) -> Probe {
        let key = key(word, length)
        return Probe(key: key, hash: seed.hash(key))
    }

    /// Has the slot fetched where a word would be: who looks it up later does not wait for memory
    /// then.
    @inline(__always)
    borrowing func prefetch(_ probe: Probe) {
        slots.prefetch(Int(truncatingIfNeeded: probe.hash >> shift))
    }

    /// The number of the term whose `length` bytes were written to `scratch()`, new or known; with
    /// `stopBit` set when `isStopWord` said so as the term was first met.
    @inline(__always)
    mutating func intern(
        length: Int, isStopWord: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> UInt32 {
        let word = UnsafePointer(scratch())
        return intern(word, length, probe(word, length), isStopWord: isStopWord)
    }

    /// The number of the term of `length` bytes at `word`, as `intern(length:isStopWord:)`.
    @inline(__always)
    mutating func intern(
        _ word: UnsafePointer<UInt8>, _ length: Int, _ probe: Probe,
        isStopWord: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> UInt32 {
        let key = probe.key
        var index = Int(truncatingIfNeeded: probe.hash >> shift)
        let mask = slots.count &- 1
        while true {
            let slot = slots[index]
            if slot.key == key, slot.length == UInt32(truncatingIfNeeded: length),
                length <= 8 || matches(slot.term, word, length)
            {
                return slot.term
            }
            if slot.term == .max { break }
            index = (index &+ 1) & mask
        }
        var number = UInt32(truncatingIfNeeded: count)
        let bytes = UnsafeBufferPointer(start: word, count: length)
        if isStopWord(bytes) { number |= Self.stopBit }
        insert(
            Slot(key: key, term: number, length: UInt32(truncatingIfNeeded: length)), bytes,
            at: index)
        return number
    }

    @inline(__always)
    borrowing func withTerm<R>(_ term: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        let number = Int(term & ~Self.stopBit)
        let range = Int(starts[number])..<(Int(starts[number + 1]) - 1)
        return bytes.withElements { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    func array(_ term: Int) -> [UInt8] { withTerm(UInt32(term)) { Array($0) } }

    /// `word` may be the scratch of the table: there is room behind that, so that nothing moves.
    @inline(never)
    private mutating func insert(
        _ slot: Slot, _ word: UnsafeBufferPointer<UInt8>, at index: Int
    ) {
        slots[index] = slot
        used += 1
        bytes.append(contentsOf: word)
        bytes.append(0)
        starts.append(UInt32(truncatingIfNeeded: bytes.count))
        if used * 8 > slots.count * 5 { rehash() }
    }

    /// Compares a word of more than eight bytes, the last eight of which may be compared twice.
    @inline(__always)
    private func matches(_ term: UInt32, _ word: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard term != .max else { return false }
        let start = Int(starts[Int(term & ~Self.stopBit)])
        return bytes.withBytes { all in
            let stored = UnsafeRawBufferPointer(rebasing: all[start..<(start &+ length)])
            let word = UnsafeRawPointer(word)
            var offset = 0
            while true {
                let place = min(offset, length &- 8)
                let a = stored.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let b = word.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                if a != b { return false }
                offset &+= 8
                if offset >= length { return true }
            }
        }
    }

    private mutating func rehash() {
        var larger = Buffer(repeating: Slot(), count: slots.count * 2)
        shift -= 1
        let mask = larger.count - 1
        for old in 0..<slots.count {
            let slot = slots[old]
            guard slot.term != .max else { continue }
            var index = Int(truncatingIfNeeded: seed.hash(slot.key) >> shift)
            while larger[index].term != .max { index = (index + 1) & mask }
            larger[index] = slot
        }
        slots = larger
    }

    /// Up to eight bytes are their own key; a longer word is hashed, eight bytes at a time.
    /// Eight bytes past the word must be readable, as they are in what `scratch()` gives.
    @inline(__always)
    private borrowing func key(_ word: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        let raw = UnsafeRawPointer(word)
        if length <= 8 {
            guard length > 0 else { return 0 }
            let head = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
            return head & (UInt64.max >> UInt64(64 &- length &* 8))
        }
        var hash = UInt64(truncatingIfNeeded: length)
        var offset = 0
        while offset &+ 8 <= length {
            hash = seed.hash(
                hash
                    ^ UInt64(
                        littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        let last = UInt64(
            littleEndian: raw.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
        return seed.hash(hash ^ last)
    }
}
