import Foundation

/// What an index has of its objects, by their identifiers, and which of them a database had, too.
///
/// All identifiers lie in one array, behind a table of hashes: a dictionary of them took a third of
/// a comparison.
struct DriftEntries: ~Copyable {
    struct Entry: BitwiseCopyable {
        var document: UInt32
        /// Nil in an index that an earlier version made.
        var fingerprint: UInt64?
    }

    private var entries = Buffer<Entry>()
    private var bytes = Buffer<UInt8>()
    /// Where each identifier ends.
    private var ends = Buffer<Int>()
    private var isMet = Buffer<Bool>()
    /// Open addressing, at most half full: an entry's place plus one, 0 for an empty slot.
    private var slots: Buffer<UInt32>
    private let mask: Int

    /// With room for so many.
    init(most: Int) {
        var size = 64
        while size < 2 * most { size *= 2 }
        slots = Buffer(repeating: 0, count: size)
        mask = size - 1
        entries.reserve(most)
        ends.reserve(most)
        isMet.reserve(most)
    }

    var count: Int { entries.count }

    /// Adds an entry; false where there is one of its identifier, or no room.
    mutating func insert(_ identifier: Data, _ entry: Entry) -> Bool {
        guard 2 * (entries.count + 1) <= slots.count else { return false }
        let slot = slot(of: identifier)
        guard slots[slot] == 0 else { return false }
        identifier.withUnsafeBytes { bytes.append(bytes: $0) }
        entries.append(entry)
        ends.append(bytes.count)
        isMet.append(false)
        slots[slot] = UInt32(truncatingIfNeeded: entries.count)
        return true
    }

    /// The entry of an identifier that was not met before; it counts as met from then on.
    mutating func meet(_ identifier: Data) -> Entry? {
        guard let place = place(of: identifier), !isMet[place] else { return nil }
        isMet[place] = true
        return entries[place]
    }

    /// Whether there is an entry of an identifier, met or not.
    func contains(_ identifier: Data) -> Bool { place(of: identifier) != nil }

    /// The identifiers that were not met, in the order in which they came.
    func unmet() -> [Data] {
        (0..<entries.count).compactMap { place in
            isMet[place] ? nil : bytes.withElements { Data($0[range(of: place)]) }
        }
    }

    private func place(of identifier: Data) -> Int? {
        let found = slots[slot(of: identifier)]
        return found == 0 ? nil : Int(found) - 1
    }

    private func range(of place: Int) -> Range<Int> {
        (place == 0 ? 0 : ends[place - 1])..<ends[place]
    }

    /// The slot of an identifier, or the empty one that it would come to.
    private func slot(of identifier: Data) -> Int {
        identifier.withUnsafeBytes { raw in
            raw.withMemoryRebound(to: UInt8.self) { wanted in
                var slot = Int(truncatingIfNeeded: HashSeed.process.hash(wanted)) & mask
                while slots[slot] != 0, !isIdentifier(wanted, of: Int(slots[slot]) - 1) {
                    slot = (slot + 1) & mask
                }
                return slot
            }
        }
    }

    private func isIdentifier(_ wanted: UnsafeBufferPointer<UInt8>, of place: Int) -> Bool {
        let range = range(of: place)
        return range.count == wanted.count
            && bytes.withElements { $0[range].elementsEqual(wanted) }
    }
}
