import Foundation

@testable import TextSearch

/// Stored values but postings: each is read, or refused as malformed.
func fuzzRecords(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    switch first % 11 {
    case 0: fuzzRecord(bytes)
    case 1: _ = try? JournalEntry.decode(bytes)
    case 2: _ = try? Manifest(bytes)
    case 3: _ = try? LivingDocuments(bytes)
    case 4: _ = try? LostObjects.decode(bytes)
    case 5: _ = try? IrregularWords(Array(bytes)[...])
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
    case 9: _ = Key.identifier(bytes)
    default: fuzzLengths(bytes)
    }
}

/// A page of lengths, of so many documents as its first byte says: what a reader of one number after the other finds there, the quick ones find.
private func fuzzLengths(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let (bytes, count) = (UnsafeRawBufferPointer(rebasing: input.dropFirst()), Int(first))
    let expected = try? plainLengths(bytes, count)
    var even = Buffer<UInt16>()
    var ends = Buffer<UInt32>()
    do {
        let all = try LengthColumn.decode(bytes, count: count, into: &ends)
        guard let expected else { preconditionFailure("a page is read that is malformed") }
        precondition(all.withElements { Array($0) } == Array(expected.joined()), "lengths differ")
        precondition(ends.count == count, "documents are missing")
        var end = 0
        for document in 0..<count {
            end += expected[document].count
            precondition(Int(ends[document]) == end, "ends differ")
        }
    } catch {
        precondition(expected == nil, "a page is refused that is sound")
    }
    let width = (try? LengthColumn.decodeEven(bytes, count: count, into: &even)) ?? 0
    guard width > 0 else { return }
    guard let expected else { preconditionFailure("an even page is read that is malformed") }
    precondition(expected.allSatisfy { $0.count == width }, "the page is not even")
    precondition(
        even.withElements { $0.map { UInt32($0) } } == Array(expected.joined()), "lengths differ")
}

/// The lengths of the strings of each document.
private func plainLengths(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws -> [[UInt32]] {
    var reader = ByteReader(bytes)
    return try (0..<count).map { _ in
        let stringCount = try reader.varint(atMost: reader.remaining)
        return try (0..<stringCount).map { _ in try reader.uint32() }
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
            chunk, positions: positions, segmentCount: segmentCount
        ) { $0 & 1 == 0 ? $0 &+ offset : nil }
        if done == nil { return }
    }
    guard encoder.documentCount > 0 else { return }
    var merged = Buffer<UInt8>()
    encoder.encode(into: &merged, Impacts(LengthColumn()))
    var again = PostingsChunk()
    let isWhole: Void? = try? merged.withBytes { try again.decode($0) }
    precondition(isWhole != nil && again.documentCount == encoder.documentCount, "a broken merge")
}
