/// The stems of flushed segments: under the segment, the language and the stem, the terms that have
/// it.
///
/// Stored form (`s` table of a segment): the terms that have the stem in all of their documents,
/// each length first. Where others have it in some documents alone, then a zero, and of each of
/// those the length, the term, the number of documents, and these (relative to the segment: the
/// first one, then gaps), varints.
struct StoredStems {
    let store: IndexStore

    /// The terms of a segment that have a stem.
    func terms(of key: [UInt8], segment: UInt32) throws -> [StemList.Term] {
        var buffer = Buffer<UInt8>()
        Key.stem(segment: segment, key[...], into: &buffer)
        return try store.withValue(buffer, .stems, Self.decode) ?? []
    }

    static func decode(_ value: UnsafeRawBufferPointer) throws(MalformedData) -> [StemList.Term] {
        var reader = ByteReader(value)
        var terms: [StemList.Term] = []
        var isWhole = true
        while !reader.isAtEnd {
            let term = Array(try reader.prefixed())
            if term.isEmpty {
                guard isWhole else { throw MalformedData() }
                isWhole = false
                continue
            }
            var documents: [UInt32]?
            if !isWhole {
                var all: [UInt32] = []
                for number in 0..<(try reader.varint(atMost: reader.remaining)) {
                    let gap = try reader.uint32()
                    let (document, isTooLarge) = (all.last ?? 0).addingReportingOverflow(gap)
                    guard !isTooLarge, number == 0 || gap > 0 else { throw MalformedData() }
                    all.append(document)
                }
                documents = all
            }
            terms.append(StemList.Term(bytes: term, documents: documents))
        }
        return terms
    }

    static func encode(_ terms: [StemList.Term], into value: inout Buffer<UInt8>) {
        value.removeAll()
        for term in terms where term.documents == nil { value.appendPrefixed(term.bytes) }
        guard terms.contains(where: { $0.documents != nil }) else { return }
        value.appendVarint(0)
        for term in terms {
            guard let documents = term.documents else { continue }
            value.appendPrefixed(term.bytes)
            value.appendVarint(documents.count)
            var last: UInt32 = 0
            for document in documents {
                value.appendVarint(UInt64(document - last))
                last = document
            }
        }
    }

    static func write(
        _ list: StemList, segment: UInt32, into batch: StoreBatch, commitIfLarge: () throws -> Void
    ) throws {
        var key = Buffer<UInt8>()
        var value = Buffer<UInt8>()
        try list.forEachKey { stem, terms in
            Key.stem(segment: segment, stem, into: &key)
            encode(terms, into: &value)
            batch.put(key, value)
            try commitIfLarge()
        }
    }

    /// Calls `body` with each stored key of a segment and its value.
    func forEach(
        of segment: UInt32,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var key = Buffer<UInt8>()
        Key.stem(segment: segment, [], into: &key)
        try store.makeCursor(fillCache: false).forEach(prefix: key, of: .stems, body)
    }
}
