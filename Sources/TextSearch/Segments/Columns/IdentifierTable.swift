/// Finds the document of an identifier among those of one memory segment.
///
/// What is not there is mostly told by the tags alone, a byte for each slot, without a look at
/// other identifiers.
struct IdentifierTable: ~Copyable {
    /// Document numbers, relative; open addressing by the identifier's hash.
    private var slots: Buffer<UInt32>
    /// Some bits of the hashes of the identifiers in the slots; 0 for an empty slot.
    private var tags: Buffer<UInt8>
    /// Documents whose identifier comes again later in the segment, ascending.
    let superseded: Buffer<UInt32>

    var byteCount: Int { slots.byteCount + tags.byteCount }

    init(_ documents: borrowing DocumentTable) {
        var size = 8
        while size < documents.count * 2 { size *= 2 }
        var slots = Buffer<UInt32>(repeating: 0, count: size)
        var tags = Buffer<UInt8>(repeating: 0, count: size)
        var superseded = Buffer<UInt32>(capacity: 1)
        for document in 0..<documents.count {
            documents.withIdentifier(of: document) {
                let probe = IdentifierProbe($0)
                let slot = Self.slot(of: probe, in: slots, tags, documents)
                if tags[slot] != 0 { superseded.append(slots[slot]) }
                slots[slot] = UInt32(document)
                tags[slot] = probe.tag
            }
        }
        superseded.withMutableElements { all in
            var elements = all
            elements.sort()
        }
        self.slots = slots
        self.tags = tags
        self.superseded = superseded
    }

    /// The last document of the segment that has this identifier.
    borrowing func document(
        for identifier: IdentifierProbe, in documents: borrowing DocumentTable
    ) -> UInt32? {
        let slot = Self.slot(of: identifier, in: slots, tags, documents)
        return tags[slot] == 0 ? nil : slots[slot]
    }

    /// Where an identifier is, or the empty slot that it would come to.
    private static func slot(
        of identifier: IdentifierProbe, in slots: borrowing Buffer<UInt32>,
        _ tags: borrowing Buffer<UInt8>, _ documents: borrowing DocumentTable
    ) -> Int {
        let mask = slots.count - 1
        let tag = identifier.tag
        var index = Int(truncatingIfNeeded: identifier.hash >> 20) & mask
        while tags[index] != 0 {
            if tags[index] == tag, documents.hasIdentifier(identifier, at: Int(slots[index])) {
                return index
            }
            index = (index + 1) & mask
        }
        return index
    }
}

extension DocumentTable {
    /// The hashes of the identifiers, in the order of the documents.
    borrowing func identifierHashes() -> Buffer<UInt64> {
        var hashes = Buffer<UInt64>(capacity: count)
        for document in 0..<count {
            hashes.append(withIdentifier(of: document) { IdentifierProbe($0).hash })
        }
        return hashes
    }

    fileprivate borrowing func hasIdentifier(
        _ identifier: IdentifierProbe, at document: Int
    ) -> Bool {
        withIdentifier(of: document) {
            UnsafeRawBufferPointer($0).hasSameBytes(as: UnsafeRawBufferPointer(identifier.bytes))
        }
    }
}

/// An identifier that is looked for in many tables, and its hash.
struct IdentifierProbe {
    let bytes: UnsafeBufferPointer<UInt8>
    let hash: UInt64
    /// Bits of the hash that do not choose the slot, and one that is set.
    var tag: UInt8 { UInt8(truncatingIfNeeded: hash) | 1 }

    init(_ identifier: UnsafeBufferPointer<UInt8>, hash: UInt64) {
        bytes = identifier
        self.hash = hash
    }

    /// Complexity: linear in the bytes, eight at a time.
    init(_ identifier: UnsafeBufferPointer<UInt8>) {
        self.init(identifier, hash: HashSeed.process.hash(identifier))
    }
}
