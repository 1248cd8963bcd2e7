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
                Self.slot(of: IdentifierProbe($0), in: slots, documents)
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
        for identifier: IdentifierProbe, in documents: borrowing DocumentTable
    ) -> UInt32? {
        let found = slots[Self.slot(of: identifier, in: slots, documents)]
        return found == .max ? nil : found
    }

    private static func slot(
        of identifier: IdentifierProbe, in slots: borrowing Buffer<UInt32>,
        _ documents: borrowing DocumentTable
    ) -> Int {
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: identifier.hash >> 20) & mask
        while slots[index] != .max {
            let same = documents.withIdentifier(of: Int(slots[index])) {
                $0.elementsEqual(identifier.bytes)
            }
            if same { return index }
            index = (index + 1) & mask
        }
        return index
    }
}

/// An identifier that is looked for in many tables, and its hash.
struct IdentifierProbe {
    let bytes: UnsafeBufferPointer<UInt8>
    let hash: UInt64

    /// Complexity: linear in the bytes, eight at a time.
    init(_ identifier: UnsafeBufferPointer<UInt8>) {
        bytes = identifier
        let words = UnsafeRawBufferPointer(identifier)
        var hash = UInt64(identifier.count)
        var offset = 0
        while offset &+ 8 <= words.count {
            hash = Self.mix(hash, words.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < words.count {
            rest = rest << 8 | UInt64(words[offset])
            offset &+= 1
        }
        self.hash = Self.mix(hash, rest)
    }

    @inline(__always)
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        return mixed ^ mixed >> 32
    }
}
