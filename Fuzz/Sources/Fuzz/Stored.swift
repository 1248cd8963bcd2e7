import Foundation

@testable import TextSearch

/// Stored values but postings: each is read, or refused as malformed.
func fuzzRecords(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    switch first % 12 {
    case 0: fuzzRecord(bytes)
    case 1: _ = try? JournalEntry.decode(bytes)
    case 2: _ = try? Manifest(bytes)
    case 3: _ = try? LivingDocuments(bytes)
    case 4: _ = try? LostObjects.decode(bytes)
    case 5: _ = try? IrregularWords(bytes)
    case 6: if let part = try? VocabularyPart(bytes) { part.forEachTerm { _ in } }
    case 7:
        var weights: [Double] = []
        _ = try? Column.decodeWeights(bytes, count: bytes.count, into: &weights)
    case 8:
        var reader = ByteSliceReader(Array(bytes))
        guard let value = try? ContextValue(decoding: &reader) else { return }
        var encoded: [UInt8] = []
        value.encode(into: &encoded)
        var again = ByteSliceReader(encoded)
        precondition((try? ContextValue(decoding: &again)) != nil, "a value is not read back")
    case 9:
        var lengths = LengthColumn()
        for document in 0..<256 {
            lengths.append([UInt32](repeating: 7, count: document % 4))
        }
        guard let lists = try? ChampionLists(bytes, lengths) else { return }
        var encoded = Buffer<UInt8>()
        lists.encode(into: &encoded)
        let again = try? encoded.withBytes { try ChampionLists($0, lengths) }
        precondition(again != nil, "lists are not read back")
    case 10: _ = Key.identifier(bytes)
    default: fuzzLengths(bytes)
    }
}

/// A page of lengths: what the quick way reads of it, the other reads as well.
private func fuzzLengths(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    var (even, ends) = (Buffer<UInt16>(), Buffer<UInt32>())
    let width = (try? LengthColumn.decodeEven(bytes, count: Int(first), into: &even)) ?? 0
    let all = try? LengthColumn.decode(bytes, count: Int(first), into: &ends)
    precondition(all == nil || ends.count == Int(first), "documents are missing")
    guard width > 0 else { return }
    guard let all else { preconditionFailure("a page is read in one way alone") }
    precondition(all.count == even.count && all.count == width * Int(first), "lengths differ")
    for place in 0..<even.count {
        precondition(all[place] == UInt32(even[place]), "lengths differ")
    }
    for document in 0..<ends.count {
        precondition(Int(ends[document]) == (document + 1) * width, "ends differ")
    }
}

private func fuzzRecord(_ bytes: UnsafeRawBufferPointer) {
    _ = try? ObjectRecord.identifier(bytes)
    guard var record = try? ObjectRecord(bytes) else { return }
    let term: [UInt8] = Array("térm".utf8)
    term.withUnsafeBufferPointer { term in
        for string in 0..<min(record.stringCount, 4) {
            for word in 0..<8 {
                _ = try? record.location(string: string, word: word, term: term, bytes: 0..<3)
            }
        }
    }
}

/// A chunk of postings: what the whole of it says, its blocks say.
func fuzzPostings(_ input: UnsafeRawBufferPointer) {
    var chunk = PostingsChunk()
    _ = try? chunk.open(input)
    guard let stored = try? StoredPostings(input), stored.blockCount <= 64 else { return }
    var documents = 0
    var isWhole = true
    for block in 0..<stored.blockCount {
        if (try? chunk.decodeBlock(block, of: stored)) == nil { isWhole = false }
        documents += chunk.documentCount
    }
    guard (try? chunk.decode(input)) != nil, isWhole else { return }
    precondition(chunk.documentCount == documents, "blocks and the whole differ")
    for index in 0..<chunk.documentCount { _ = chunk.runRange(at: index) }
    guard let positions = chunk.inlinePositions else { return }
    precondition(positions <= input.count, "positions behind the end")
    mergeTwice(chunk, positions: UnsafeRawBufferPointer(rebasing: input[positions...]))
}

/// Merges decoded postings with themselves: they are refused, or what comes of it can be decoded.
private func mergeTwice(_ chunk: borrowing PostingsChunk, positions: UnsafeRawBufferPointer) {
    let segmentCount = 1 << 20
    var encoder = PostingsEncoder()
    for round in 0..<2 {
        let offset = UInt32(round * segmentCount)
        let done: Void? = try? encoder.append(
            chunk, positions: positions, offset: offset, segmentCount: segmentCount
        ) { $0 & 1 == 0 }
        if done == nil { return }
    }
    guard encoder.documentCount > 0 else { return }
    var merged = Buffer<UInt8>()
    encoder.encode(into: &merged, Impacts(LengthColumn()))
    var again = PostingsChunk()
    let isWhole: Void? = try? merged.withBytes { try again.decode($0) }
    precondition(isWhole != nil && again.documentCount == encoder.documentCount, "a broken merge")
}
