import Foundation

/// Objects that go to one memory segment, and removals that come before.
///
/// Not within the loader, which is generic: what depends on a type parameter has its metadata
/// looked up at each access.
struct LoadChunk: Sendable {
    /// So many removals become durable together; other work waits for as long as that takes, some
    /// milliseconds.
    static let removalCount = 4096

    private(set) var objects: [IndexedObject] = []
    private(set) var removals: [[UInt8]] = []
    private(set) var textByteCount = 0
    /// Each stands for all that came before it, in this chunk and in those before.
    private(set) var states: [ClientState] = []
    /// Bytes of text, contexts and attributes.
    private(set) var byteCount = 0
    /// The identifiers of `objects`, one behind the other: to allocate an array for each costs as
    /// much as analysing some words.
    private var identifierBytes: [UInt8] = []
    private var identifierEnds: [Int] = []
    /// The identifiers of `objects`; only kept once an object is left out.
    private var known: Set<[UInt8]>?

    /// With room for so many objects; what stays empty takes no memory.
    init(capacity: Int) {
        objects.reserveCapacity(capacity)
        identifierEnds.reserveCapacity(capacity)
    }

    var isEmpty: Bool { objects.isEmpty && removals.isEmpty && states.isEmpty }

    /// `size` is that of the object.
    mutating func append(
        _ object: consuming IndexedObject, _ identifier: Data, size: ObjectSize
    ) {
        objects.append(object)
        textByteCount += size.text
        byteCount += size.text + size.values
        identifier.withUnsafeBytes { identifierBytes.append(contentsOf: $0) }
        identifierEnds.append(identifierBytes.count)
        known?.insert(Array(identifier))
    }

    /// Puts a state behind all that the chunk has. Of several with one name the last one is stored,
    /// and it expects what the first one did.
    ///
    /// - Throws: `.mismatchedClientState` when it expects another one than the one before it.
    mutating func mark(_ state: ClientState) throws {
        let name = state.name.utf8
        guard let place = states.firstIndex(where: { $0.name.utf8.elementsEqual(name) }) else {
            return states.append(state)
        }
        if case .some(let expected) = state.expected, expected != states[place].value {
            throw TextIndexError.mismatchedClientState
        }
        states[place].value = state.value
    }

    /// Leaves an object out, which may have come before. Removals take effect before the chunk's
    /// objects.
    mutating func remove(_ identifier: Data) {
        let identifier = Array(identifier)
        removals.append(identifier)
        if known == nil { known = Set(objects.indices.map { Array(self.identifier(at: $0)) }) }
        if known?.remove(identifier) != nil { drop(identifier) }
    }

    private mutating func drop(_ identifier: [UInt8]) {
        var (kept, start, end) = (0, 0, 0)
        for place in objects.indices {
            let range = start..<identifierEnds[place]
            start = range.upperBound
            if identifierBytes[range].elementsEqual(identifier) { continue }
            if kept < place {
                objects.swapAt(kept, place)
                for byte in range {
                    identifierBytes[end + byte - range.lowerBound] = identifierBytes[byte]
                }
            }
            end += range.count
            identifierEnds[kept] = end
            kept += 1
        }
        objects.removeSubrange(kept...)
        identifierEnds.removeSubrange(kept...)
        identifierBytes.removeSubrange(end...)
    }

    private func identifier(at place: Int) -> ArraySlice<UInt8> {
        identifierBytes[(place == 0 ? 0 : identifierEnds[place - 1])..<identifierEnds[place]]
    }

    /// The segment of the objects, in their order.
    func analysed(_ analyzer: Analyzer) -> MemorySegment {
        identifierBytes.withUnsafeBufferPointer { bytes in
            var builder = SegmentBuilder(analyzer: analyzer, textByteCount: textByteCount)
            var start = 0
            // Over a buffer: nothing is retained for each of them.
            objects.withUnsafeBufferPointer { objects in
                for place in objects.indices {
                    let end = identifierEnds[place]
                    builder.add(
                        objects[place], identifier: .init(rebasing: bytes[start..<end]))
                    start = end
                }
            }
            return builder.freeze()
        }
    }
}
