/// Finds the document of an identifier among those of one memory segment.
struct IdentifierTable: ~Copyable {
    /// Document numbers, relative; open addressing by the identifier's hash.
    private var slots: Buffer<UInt32>
    /// Documents whose identifier comes again later in the segment, ascending.
    let superseded: Buffer<UInt32>

    var byteCount: Int { slots.byteCount }

    init(_ documents: borrowing DocumentTable) {
        var size = 8
        while size < documents.count * 2 { size *= 2 }
        var slots = Buffer<UInt32>(repeating: .max, count: size)
        var superseded = Buffer<UInt32>(capacity: 1)
        for document in 0..<documents.count {
            let slot = documents.withIdentifier(of: document) {
                Self.slot(of: $0, in: slots, documents)
            }
            if slots[slot] != .max { superseded.append(slots[slot]) }
            slots[slot] = UInt32(document)
        }
        superseded.withMutableElements { all in
            var elements = all
            elements.sort()
        }
        self.slots = slots
        self.superseded = superseded
    }

    /// The last document of the segment that has this identifier.
    borrowing func document(
        for identifier: UnsafeBufferPointer<UInt8>, in documents: borrowing DocumentTable
    ) -> UInt32? {
        let found = slots[Self.slot(of: identifier, in: slots, documents)]
        return found == .max ? nil : found
    }

    private static func slot(
        of identifier: UnsafeBufferPointer<UInt8>, in slots: borrowing Buffer<UInt32>,
        _ documents: borrowing DocumentTable
    ) -> Int {
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: hash(identifier) >> 20) & mask
        while slots[index] != .max {
            let same = documents.withIdentifier(of: Int(slots[index])) {
                TermOrder.compare($0, identifier) == 0
            }
            if same { return index }
            index = (index + 1) & mask
        }
        return index
    }

    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash &* 0x9e37_79b9_7f4a_7c15
    }
}
